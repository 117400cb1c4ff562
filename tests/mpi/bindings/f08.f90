! SPDX-License-Identifier: BSD-3-Clause
! Communicators of mpi_f08 in the module stretto_f08.
program f08
  use mpi_f08
  use stretto_f08
  implicit none
  type(c_ptr) :: runtime, team
  type(MPI_Comm) :: own, half
  type(stretto_options) :: options
  integer :: provided, size, members, old
  logical :: agree

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  if (stretto_options_init(options) /= STRETTO_SUCCESS) error stop "options"
  if (stretto_runtime_create(MPI_COMM_WORLD, options, runtime) /= STRETTO_SUCCESS) error stop "create"
  if (stretto_communicator(runtime, own) /= STRETTO_SUCCESS) error stop "communicator"
  if (stretto_communicator(runtime, old) /= STRETTO_SUCCESS) error stop "communicator as an integer"
  if (stretto_team_world(runtime, team) /= STRETTO_SUCCESS) error stop "team"
  if (stretto_team_communicator(team, half) /= STRETTO_SUCCESS) error stop "the team's communicator"
  call MPI_Comm_size(own, size)
  call MPI_Comm_size(half, members)
  agree = size == stretto_size(runtime) .and. members == size .and. old == own%MPI_VAL
  if (stretto_team_free(team) /= STRETTO_SUCCESS) error stop "free"
  if (.not. agree) error stop "does not hold: sizes"
  if (stretto_rank(runtime) == 0) print "(a,i0)", "mpi_f08 and stretto agree on ", size
  if (stretto_runtime_free(runtime) /= STRETTO_SUCCESS) error stop "free"
  call MPI_Finalize()
end program
