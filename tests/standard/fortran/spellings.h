! SPDX-License-Identifier: BSD-3-Clause
! What differs between the bindings: structures in mpi_f08, integers and arrays of integers elsewhere.
#if FORM == 2
#define COMM_T type(MPI_Comm)
#define GROUP_T type(MPI_Group)
#define TYPE_T type(MPI_Datatype)
#define INFO_T type(MPI_Info)
#define OP_T type(MPI_Op)
#define WIN_T type(MPI_Win)
#define REQUEST_T type(MPI_Request)
#define MESSAGE_T type(MPI_Message)
#define ERRHANDLER_T type(MPI_Errhandler)
#define STATUS_T type(MPI_Status)
#define STATUSES_T type(MPI_Status)
#define STATUS_SHAPE
#define STATUSES_SHAPE (4)
#define DETACHED_T type(c_ptr)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define ERROR_OF(i) statuses(i)%MPI_ERROR
#define ONE_OF(i) statuses(i)
#else
#define COMM_T integer
#define GROUP_T integer
#define TYPE_T integer
#define INFO_T integer
#define OP_T integer
#define WIN_T integer
#define REQUEST_T integer
#define MESSAGE_T integer
#define ERRHANDLER_T integer
#define STATUS_T integer
#define STATUSES_T integer
#define STATUS_SHAPE (MPI_STATUS_SIZE)
#define STATUSES_SHAPE (MPI_STATUS_SIZE, 4)
#define DETACHED_T integer(c_intptr_t)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define ERROR_OF(i) statuses(MPI_ERROR, i)
#define ONE_OF(i) statuses(:, i)
#endif
