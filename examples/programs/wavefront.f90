! A wavefront as Sweep3D has it: the ranks are a grid of px x py, each with nx x ny columns of nz cells. For each of eight
! octants a sweep goes from one corner of the grid to the opposite one, in blocks of planes: a block waits for the
! values at its two inflow faces, computes its cells one after another, and hands its outflow faces on. Prints the sum of
! all fluxes, and the balance of what has gone in and out.
!
!   wavefront [NX NY NZ PLANES]
program wavefront
  use mpi
  implicit none
  integer :: nx = 6, ny = 6, nz = 24, planes = 6
  integer :: rank, ranks, px, py, dims(2), coords(2), grid, error, octant
  logical :: periods(2) = .false.
  double precision, allocatable :: flux(:, :, :), x_face(:, :), y_face(:, :), z_face(:, :)
  double precision :: leaked, total, leaks

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call argument(1, nx)
  call argument(2, ny)
  call argument(3, nz)
  call argument(4, planes)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims, error)
  px = dims(1)
  py = dims(2)
  coords = [rank / py, mod(rank, py)]
  allocate (flux(nx, ny, nz), x_face(ny, planes), y_face(nx, planes), z_face(nx, ny))
  flux = 0
  leaked = 0
  do octant = 0, 7
    call sweep(merge(1, -1, btest(octant, 0)), merge(1, -1, btest(octant, 1)), merge(1, -1, btest(octant, 2)))
  end do
  call MPI_Reduce(sum(flux), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  call MPI_Reduce(leaked, leaks, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, f14.8, a, f14.8)', 'flux ', total, ', leakage ', leaks
  call MPI_Finalize(error)

contains

  subroutine argument(place, value)
    integer, intent(in) :: place
    integer, intent(inout) :: value
    character(len=20) :: text
    if (command_argument_count() < place) return
    call get_command_argument(place, text)
    read (text, *) value
  end subroutine

  ! The rank that is that far away in the grid, or none.
  integer function neighbour(dx, dy)
    integer, intent(in) :: dx, dy
    integer :: x, y
    x = coords(1) + dx
    y = coords(2) + dy
    neighbour = MPI_PROC_NULL
    if (x >= 0 .and. x < px .and. y >= 0 .and. y < py) neighbour = x * py + y
  end function

  subroutine sweep(dx, dy, dz)
    integer, intent(in) :: dx, dy, dz
    integer :: block, from_x, to_x, from_y, to_y, status(MPI_STATUS_SIZE)
    from_x = neighbour(-dx, 0)
    to_x = neighbour(dx, 0)
    from_y = neighbour(0, -dy)
    to_y = neighbour(0, dy)
    z_face = 1
    do block = 1, nz / planes
      x_face = 1
      y_face = 1
      call MPI_Recv(x_face, ny * planes, MPI_DOUBLE_PRECISION, from_x, 1, MPI_COMM_WORLD, status, error)
      call MPI_Recv(y_face, nx * planes, MPI_DOUBLE_PRECISION, from_y, 2, MPI_COMM_WORLD, status, error)
      call compute(block, dx, dy, dz)
      call MPI_Send(x_face, ny * planes, MPI_DOUBLE_PRECISION, to_x, 1, MPI_COMM_WORLD, error)
      call MPI_Send(y_face, nx * planes, MPI_DOUBLE_PRECISION, to_y, 2, MPI_COMM_WORLD, error)
      if (to_x == MPI_PROC_NULL) leaked = leaked + sum(x_face)
      if (to_y == MPI_PROC_NULL) leaked = leaked + sum(y_face)
    end do
    leaked = leaked + sum(z_face)
  end subroutine

  ! The cells of a block, each behind those that it gets its flux from.
  subroutine compute(block, dx, dy, dz)
    integer, intent(in) :: block, dx, dy, dz
    integer :: i, j, k, x, y, z
    double precision :: mean
    do k = 1, planes
      z = place((block - 1) * planes + k, nz, dz)
      do j = 1, ny
        y = place(j, ny, dy)
        do i = 1, nx
          x = place(i, nx, dx)
          mean = (x_face(y, k) + y_face(x, k) + z_face(x, y)) * 0.3d0 + 0.01d0
          x_face(y, k) = 2 * mean - x_face(y, k) * 0.9d0
          y_face(x, k) = 2 * mean - y_face(x, k) * 0.9d0
          z_face(x, y) = 2 * mean - z_face(x, y) * 0.9d0
          flux(x, y, z) = flux(x, y, z) + mean
        end do
      end do
    end do
  end subroutine

  integer function place(step, count, direction)
    integer, intent(in) :: step, count, direction
    place = merge(step, count + 1 - step, direction > 0)
  end function
end program
