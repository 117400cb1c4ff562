! SPDX-License-Identifier: BSD-3-Clause
! A Fortran program over ARMCI: columns of a matrix go to the right neighbour by strides, all count at process 0,
! and scattered values come back in one message.
program armci_program
  use, intrinsic :: iso_c_binding
  use armci
  implicit none

  integer, parameter :: rows = 6, columns = 5
  integer(c_int) :: me, processes, right, left, status, failures(1)
  integer(c_size_t), parameter :: real_bytes = 8_c_size_t
  type(c_ptr), allocatable :: memory(:)

  status = ARMCI_Init()
  if (status /= 0) error stop "ARMCI_Init"
  me = armci_msg_me()
  processes = armci_msg_nproc()
  right = mod(me + 1, processes)
  left = mod(me + processes - 1, processes)
  allocate (memory(0:processes - 1))
  failures = 0
  call expect(ARMCI_Malloc(memory, int(real_bytes * (rows * columns + 1), c_long)) == 0, "ARMCI_Malloc")

  call put_patch()
  call get_scattered()
  call count_together()

  call ARMCI_Barrier()
  call expect(ARMCI_Free(memory(me)) == 0, "ARMCI_Free")
  call armci_msg_igop(failures, 1_c_int, "+"//c_null_char)
  call ARMCI_Finalize()
  if (me == 0 .and. failures(1) == 0) print "(a, i4)", "Fortran has what it should on ", processes
  call armci_msg_finalize()
  if (failures(1) /= 0) stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures(1) = failures(1) + 1
    print "(a, i4, 2a)", "process ", me, ": does not hold: ", what
  end subroutine

  !> A patch of 3 rows and 4 columns, from (2, 2) on, to the same place of the neighbour.
  subroutine put_patch()
    real(c_double), target :: matrix(rows, columns)
    real(c_double), pointer :: mine(:, :)
    integer(c_int) :: strides(1), counts(2)
    integer(c_size_t) :: first
    integer :: row, column
    do column = 1, columns
      do row = 1, rows
        matrix(row, column) = 100d0 * me + 10d0 * row + column
      end do
    end do
    strides = rows * int(real_bytes, c_int)
    counts = [3_c_int * int(real_bytes, c_int), 4_c_int]
    first = real_bytes * (rows + 1)
    call expect(ARMCI_PutS(c_loc(matrix(2, 2)), strides, armci_at(memory(right), first), strides, counts, &
                           1_c_int, right) == 0, "ARMCI_PutS")
    call ARMCI_Barrier()
    call c_f_pointer(memory(me), mine, [rows, columns])
    call expect(all(mine(2:4, 2:5) == reshape([((100d0 * left + 10d0 * row + column, row=2, 4), column=2, 5)], &
                                              [3, 4])), "the neighbour's patch")
    call expect(all(mine(1, :) == 0d0) .and. all(mine(:, 1) == 0d0) .and. all(mine(5:, :) == 0d0), "the rest")
  end subroutine

  subroutine get_scattered()
    real(c_double), target :: values(4)
    type(armci_hdl_t) :: handle
    integer :: i
    values = -1d0
    call ARMCI_SET_AGGREGATE_HANDLE(handle)
    do i = 1, 4
      call expect(ARMCI_NbGet(armci_at(memory(right), real_bytes * (rows * i + 1)), c_loc(values(i)), &
                              int(real_bytes, c_int), right, handle) == 0, "ARMCI_NbGet")
    end do
    call expect(ARMCI_Wait(handle) == 0, "ARMCI_Wait")
    call expect(all(values == [(100d0 * me + 20d0 + i, i=2, 5)]), "what was put into the neighbour")
  end subroutine

  subroutine count_together()
    integer(c_int), target :: before
    integer(c_int), pointer :: counter
    type(c_ptr) :: place
    integer :: i
    place = armci_at(memory(0), real_bytes * (rows * columns))
    do i = 1, 10
      call expect(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, c_loc(before), place, 1_c_int, 0_c_int) == 0, "ARMCI_Rmw")
    end do
    call ARMCI_Barrier()
    if (me /= 0) return
    call c_f_pointer(place, counter)
    call expect(counter == 10 * processes, "the count of all")
  end subroutine

end program
