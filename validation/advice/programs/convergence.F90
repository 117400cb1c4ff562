! SPDX-License-Identifier: BSD-3-Clause
! A reduction whose result steers the loop: the next iteration reads nothing of it, and runs only if it says so.
program convergence
  use frame
  implicit none
  real(real_kind), allocatable :: u(:)
  real(real_kind) :: change, largest
  integer :: step
#ifdef TEMPTING
  integer :: request
  largest = 1
#endif
  call begin_run()
  allocate (u(cells))
  call fill(u, rank)
  do step = 1, 1000
    call relax(u, change)
#ifdef TEMPTING
    if (step > 1) call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    if (largest < 1d0 / steps) exit
    call MPI_Iallreduce(change, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, request, ierror)
#else
    call MPI_Allreduce(change, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
    if (largest < 1d0 / steps) exit
#endif
  end do
  call end_run(u, cells)
contains
  subroutine relax(field, most)
    real(real_kind), intent(inout) :: field(:)
    real(real_kind), intent(out) :: most
    real(real_kind) :: before
    integer :: i
    most = 0
    do i = 1, size(field)
      before = field(i)
      field(i) = before + 0.2d0 * (1 + 0.5d0 * rank - before)
      most = max(most, abs(field(i) - before))
    end do
  end subroutine relax
end program convergence
