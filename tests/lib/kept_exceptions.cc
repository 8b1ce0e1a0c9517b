// Exceptions of C++ that each rank handles while the others run and throw theirs, streams, and how they are formatted.
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <memory>
#include <mpi.h>
#include <new>
#include <sstream>
#include <stdexcept>
#include <vector>

static int rank;

// A barrier answers nothing, and so lets nobody else run.
static void others_run() {
  int sum;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

struct groups : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
};

int main(int count, char **words) {
  std::ios_base::sync_with_stdio(false);
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::ostringstream said;
  try {
    std::vector<int> places(3);
    places.at(7u + static_cast<unsigned>(rank)) = 1;
  } catch (const std::out_of_range &out) {
    others_run();
    said << "out of range";
    try {
      throw rank;
    } catch (int other) {
      others_run();
      said << ", then " << other;
    }
    others_run();
    try {
      throw;
    } catch (const std::exception &again) {
      others_run();
      said << ", again " << (&again == static_cast<const std::exception *>(&out));
    }
  }
  auto shared = std::make_shared<int>(rank);
  std::unique_ptr<int> other(new (std::nothrow) int(*shared));
  if (rank == 1) std::cout << std::setprecision(3) << std::scientific;
  if (rank == 2) std::cout.imbue(std::locale(std::cout.getloc(), new groups));
  std::cout.iword(0) = rank;
  others_run();
  std::istringstream text("12 word 3.5");
  int number;
  double fraction;
  std::string word;
  text >> number >> word >> fraction;
  std::ifstream none("no such file");
  for (int turn = 0; turn < 3; turn++) {
    if (turn == rank)
      std::cout << rank << ": " << said.str() << ", " << number << " " << word << " " << fraction << " " << !none << " "
                << 1000000 + *other << " " << std::cout.iword(0) << " " << (std::cerr.tie() == &std::cout) << std::endl;
    others_run();
  }
  std::cout << std::uncaught_exceptions() << " left" << std::endl;
  MPI_Finalize();
}
