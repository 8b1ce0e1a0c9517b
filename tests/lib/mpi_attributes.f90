! What Fortran's programs ask MPI for beside messages: attributes, MPI's own and those that are copied by functions of
! MPI; graphs without weights, by the module of 2008. On 1 rank.
program attributes
  use mpi
  implicit none
  integer(kind=MPI_ADDRESS_KIND) :: number, extra
  integer :: key, copy, wrong, ranks
  logical :: there

  call MPI_Init(wrong)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, wrong)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, number, there, wrong)
  print *, 'tags', there, number >= 32767
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, number, there, wrong)
  print *, 'ranks', .not. there .or. number >= ranks
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, number, there, wrong)
  print *, 'files', there, number == MPI_ANY_SOURCE .or. number >= 0
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, number, there, wrong)
  print *, 'codes', there, number >= MPI_ERR_LASTCODE
  extra = 0
  number = 17
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, extra, wrong)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, number, wrong)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, wrong)
  number = 0
  call MPI_Comm_get_attr(copy, key, number, there, wrong)
  print *, 'copied', there, number
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, extra, wrong)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, number, wrong)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, wrong)
  call MPI_Comm_get_attr(copy, key, number, there, wrong)
  print *, 'not copied', there
  call graph
  call MPI_Finalize(wrong)
contains
  subroutine graph
    use mpi_f08, only: MPI_Comm, f08_world => MPI_COMM_WORLD, f08_none => MPI_INFO_NULL, f08_alike => MPI_UNWEIGHTED, &
      MPI_Dist_graph_create, MPI_Dist_graph_neighbors_count
    type(MPI_Comm) :: made
    integer :: in, out
    logical :: weighted
    call MPI_Dist_graph_create(f08_world, 1, [0], [1], [0], f08_alike, f08_none, .false., made)
    call MPI_Dist_graph_neighbors_count(made, in, out, weighted)
    print *, 'graph', in, out, weighted
  end subroutine
end program
