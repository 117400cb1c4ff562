! SPDX-License-Identifier: BSD-3-Clause
! Global Arrays from Fortran: create with a limit, put, get and accumulate patches, a counter, a product.
program arrays
  use mpi
  implicit none
#include "mafdecls.fh"
#include "global.fh"
  integer, parameter :: n = 24
  integer :: a, b, c, me, processes, i, j, error4, value, total
  double precision :: all(n, n), patch(5, 6), trace
  logical :: ok
  integer(4) :: error
  call mpi_init(error)
  call ga_initialize_ltd(16 * 1024 * 1024)
  ok = ma_init(MT_F_DBL, 200000, 200000)
  me = ga_nodeid()
  processes = ga_nnodes()
  ok = ok .and. ga_create(MT_F_DBL, n, n, 'a', 0, 0, a)
  ok = ok .and. ga_duplicate(a, b, 'b')
  ok = ok .and. ga_duplicate(a, c, 'c')
  call ga_zero(a)
  if (me == 0) then
    do j = 1, n
      do i = 1, n
        all(i, j) = i + 100 * j
      end do
    end do
    call ga_put(a, 1, n, 1, n, all, n)
  end if
  call ga_sync()
  call ga_get(a, 4, 8, 10, 15, patch, 5)
  ok = ok .and. patch(1, 1) == 1004 .and. patch(5, 6) == 1508
  call ga_sync()
  patch = 1
  call ga_acc(a, 4, 8, 10, 15, patch, 5, 2.0d0)
  call ga_sync()
  call ga_get(a, 4, 8, 10, 15, patch, 5)
  ok = ok .and. patch(1, 1) == 1004 + 2 * processes
  call ga_sync()
  call ga_fill(a, 1.0d0)
  call ga_fill(b, 3.0d0)
  call ga_dgemm('n', 'n', n, n, n, 1.0d0, a, b, 0.0d0, c)
  trace = ga_ddot(a, c)
  ok = ok .and. trace == 3.0d0 * n * n * n
  ok = ok .and. ga_destroy(c) .and. ga_destroy(b) .and. ga_destroy(a)
  ok = ok .and. ga_create(MT_F_INT, 1, 1, 'counter', 1, 1, a)
  call ga_zero(a)
  total = 0
  do i = 1, 10
    total = total + ga_read_inc(a, 1, 1, 1)
  end do
  call ga_igop(7, total, 1, '+')
  value = 10 * processes
  ok = ok .and. total == value * (value - 1) / 2
  error4 = 0
  if (.not. ok) error4 = 1
  call ga_igop(8, error4, 1, '+')
  if (me == 0 .and. error4 == 0) print '(a,i0)', 'Fortran has what it should on ', processes
  call ga_terminate()
  call mpi_finalize(error)
end program
