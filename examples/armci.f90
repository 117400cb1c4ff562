! SPDX-License-Identifier: BSD-3-Clause
! ARMCI in Fortran: the same puts, accumulates and counter as armci.c. Compiled with the module
! armci/armci.f90, written from the C headers. Addresses are type(c_ptr); armci_at gives one that lies some
! bytes further.
program example
  use, intrinsic :: iso_c_binding
  use armci
  implicit none

  integer, parameter :: wide = c_double, numbers = 100, processes_at_most = 64
  integer(c_size_t), parameter :: bytes_of_a_number = 8, apart = 10
  type(c_ptr) :: memory(processes_at_most), counters(processes_at_most)
  type(armci_hdl_t) :: handle
  real(wide), target :: values(numbers), scale, one
  integer(c_long), target :: drawn
  real(wide), pointer :: mine(:)
  integer(c_long), pointer :: counter
  integer(c_int) :: me, processes, right, left, status, wrong(1)
  integer :: i

  status = ARMCI_Init()
  me = armci_msg_me()
  processes = armci_msg_nproc()
  right = modulo(me + 1, processes)
  left = modulo(me - 1, processes)
  status = ARMCI_Malloc(memory, int(numbers * apart * bytes_of_a_number, c_long))
  status = ARMCI_Malloc(counters, 8_c_long)
  call c_f_pointer(memory(me + 1), mine, [numbers * int(apart)])
  call c_f_pointer(counters(me + 1), counter)
  counter = 0
  call ARMCI_Barrier()

  ! Puts with a marked handle leave as one message when they are waited for.
  call ARMCI_SET_AGGREGATE_HANDLE(handle)
  do i = 1, numbers
    values(i) = 1000 * me + i
    status = ARMCI_NbPut(c_loc(values(i)), armci_at(memory(right + 1), (i - 1) * apart * bytes_of_a_number), &
                         int(bytes_of_a_number, c_int), right, handle)
  end do
  status = ARMCI_Wait(handle)
  call ARMCI_Barrier()
  wrong = 0
  do i = 1, numbers
    if (nint(mine((i - 1) * int(apart) + 1)) /= 1000 * left + i) wrong = wrong + 1
  end do
  call ARMCI_Barrier()

  ! Every process adds 2 * 1 to the first number of process 0, and draws a number from its counter.
  scale = 2
  one = 1
  status = ARMCI_Acc(ARMCI_ACC_DBL, c_loc(scale), c_loc(one), memory(1), int(bytes_of_a_number, c_int), 0)
  drawn = -1
  status = ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, c_loc(drawn), counters(1), 1, 0)
  if (drawn < 0 .or. drawn >= processes) wrong = wrong + 1
  call ARMCI_Barrier()
  if (me == 0) then
    if (nint(mine(1)) /= 1000 * left + 1 + 2 * processes) wrong = wrong + 1
    if (counter /= processes) wrong = wrong + 1
  end if

  call armci_msg_igop(wrong, 1, '+' // c_null_char)
  if (me == 0 .and. wrong(1) == 0) print '(a)', 'armci (Fortran): puts, accumulates and the counter agree'
  if (me == 0 .and. wrong(1) /= 0) print '(a)', 'WRONG'
  status = ARMCI_Free(counters(me + 1))
  status = ARMCI_Free(memory(me + 1))
  call ARMCI_Finalize()
  call armci_msg_finalize()
  if (wrong(1) /= 0) error stop 1
end program
