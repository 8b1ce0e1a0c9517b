! Two sides, a grid and its rows, by the module of MPI's standard of 2008. On 4 ranks; each says what it has got.
program sides
  use mpi_f08
  implicit none
  integer :: rank, n, sum, got(4), color, place, remote, count, dims(2), coords(2), up, down, a(4), b(4)
  type(MPI_Comm) :: half, both, merged, grid, row
  integer :: places(4)
  type(MPI_Datatype) :: kinds(4)
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(2)
  logical :: periods(2), flag
  double precision :: v(3), w(3)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  color = merge(0, 1, rank < n / 2)
  call MPI_Comm_split(MPI_COMM_WORLD, color, rank, half)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(n / 2, 0, color == 0), 3, both)
  call MPI_Comm_remote_size(both, remote)
  got = -1
  call MPI_Allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, both)
  call MPI_Intercomm_merge(both, color == 0, merged)
  call MPI_Comm_rank(merged, place)
  print '(I0, A, 6I4)', rank, ' of the other side', remote, got, place
  dims = 0
  call MPI_Dims_create(n, 2, dims)
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid)
  call MPI_Cart_coords(grid, rank, 2, coords)
  call MPI_Cart_shift(grid, 0, 1, up, down)
  v = rank
  call MPI_Irecv(w, 3, MPI_DOUBLE_PRECISION, up, 1, grid, requests(1))
  call MPI_Issend(v, 3, MPI_DOUBLE_PRECISION, down, 1, grid, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call MPI_Get_count(statuses(1), MPI_DOUBLE_PRECISION, count)
  call MPI_Cart_sub(grid, [.false., .true.], row)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, row)
  print '(I0, A, 7I4, 3F5.1)', rank, ' on the grid', coords, up, down, count, statuses(1)%MPI_SOURCE, sum, w
  a = rank
  b = 0
  call MPI_Exscan(a, b, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Ialltoall(a, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(1))
  do
    call MPI_Test(requests(1), flag, statuses(1))
    if (flag) exit
  end do
  v = rank + 1
  call MPI_Sendrecv_replace(v, 3, MPI_DOUBLE_PRECISION, mod(rank + 1, n), 2, mod(rank + n - 1, n), MPI_ANY_TAG, &
                            MPI_COMM_WORLD, statuses(1))
  kinds = MPI_INTEGER ! the library gets a copy, which is gone when the call returns
  places = [0, 4, 8, 12]
  a = 10 * rank + [0, 1, 2, 3]
  call MPI_Ialltoallw(a, [1, 1, 1, 1], places, kinds, got, [1, 1, 1, 1], places, kinds, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), statuses(2))
  print '(I0, A, 9I4, 3F5.1)', rank, ' of all', merge(b, 0, rank > 0), got, statuses(1)%MPI_TAG, v
  call MPI_Finalize()
end program
