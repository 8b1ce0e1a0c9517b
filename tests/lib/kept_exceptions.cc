// Exceptions of C++ that each rank handles while the others run and throw theirs, streams, and how they are formatted.
#include <fstream>
#include <iomanip>
#include <iostream>
#include <mpi.h>
#include <sstream>
#include <stdexcept>
#include <vector>

static int rank;

// A barrier answers nothing, and so lets nobody else run.
static void others_run() {
  int sum;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int count, char **words) {
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
  if (rank == 1) std::cout << std::setprecision(3) << std::scientific;
  others_run();
  std::istringstream text("12 word 3.5");
  int number;
  double fraction;
  std::string word;
  text >> number >> word >> fraction;
  std::ifstream none("no such file");
  for (int turn = 0; turn < 3; turn++) {
    if (turn == rank)
      std::cout << rank << ": " << said.str() << ", " << number << " " << word << " " << fraction << " " << !none
                << std::endl;
    others_run();
  }
  std::cout << std::uncaught_exceptions() << " left" << std::endl;
  MPI_Finalize();
}
