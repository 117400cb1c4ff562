! SPDX-License-Identifier: BSD-3-Clause
! Module stretto for programs with mpi_f08: functions that take or give a communicator have one of type(MPI_Comm), too.
! Compile it after stretto.f90, with the compiler wrapper of the MPI.
module stretto_f08
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use stretto, create_of_integer => stretto_runtime_create, communicator_of_integer => stretto_communicator, &
    team_communicator_of_integer => stretto_team_communicator
  implicit none
  public
  private :: create_of_f08, communicator_of_f08, team_communicator_of_f08

  interface stretto_runtime_create
    procedure create_of_integer, create_of_f08
  end interface

  interface stretto_communicator
    procedure communicator_of_integer, communicator_of_f08
  end interface

  interface stretto_team_communicator
    procedure team_communicator_of_integer, team_communicator_of_f08
  end interface

contains

  function create_of_f08(communicator, options, runtime) result(code)
    type(MPI_Comm), intent(in) :: communicator
    type(stretto_options), intent(in), optional :: options
    type(c_ptr), intent(inout) :: runtime
    integer(c_int) :: code
    code = create_of_integer(int(communicator%MPI_VAL, c_int), options, runtime)
  end function

  function communicator_of_f08(runtime, communicator) result(code)
    type(c_ptr), intent(in) :: runtime
    type(MPI_Comm), intent(inout) :: communicator
    integer(c_int) :: code, handle
    handle = 0
    code = communicator_of_integer(runtime, handle)
    if (code == STRETTO_SUCCESS) communicator%MPI_VAL = handle
  end function

  function team_communicator_of_f08(team, communicator) result(code)
    type(c_ptr), intent(in) :: team
    type(MPI_Comm), intent(inout) :: communicator
    integer(c_int) :: code, handle
    handle = 0
    code = team_communicator_of_integer(team, handle)
    if (code == STRETTO_SUCCESS) communicator%MPI_VAL = handle
  end function

end module
