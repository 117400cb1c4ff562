/* SPDX-License-Identifier: BSD-3-Clause
 * ARMCI, the aggregate remote memory copy interface, over stretto's one-sided runtime: names, types and
 * constants as ARMCI 1.x has them, so that programs written for it compile. docs/armci.md says what differs.
 *
 * `proc` is a rank of MPI_COMM_WORLD, or of the communicator of ARMCI_Init_mpi_comm. Addresses of other
 * processes are those that ARMCI_Malloc has given. Functions that return int return 0, or one of the FAIL
 * codes after a line on stderr; functions that return nothing end the program where they cannot do what they
 * should.
 */
#ifndef STRETTO_ARMCI_ARMCI_H
#define STRETTO_ARMCI_ARMCI_H

#if __has_include(<mpi.h>) /* else without what takes a communicator */
#include <mpi.h>
#endif
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef STRETTO_ARMCI_LIBRARY
/* Every object that this header compiled has it, and the library sees that there is one: groups and vectors
 * of the program are then as this header has them, and code that was compiled with ARMCI-MPI's is refused. */
extern __attribute__((weak, visibility("default"))) const int stretto_armci_header;
const int stretto_armci_header = 1;
#endif

#define FAIL -1  /* an address is NULL; a vector has no descriptors; ARMCI is not initialised */
#define FAIL2 -2 /* an array of strides or of addresses is NULL */
#define FAIL3 -3 /* a count of bytes is negative; in a vector, not positive */
#define FAIL4 -4 /* too many levels of strides, or fewer than none; a descriptor has no segments */
#define FAIL5 -5 /* there is no such process */
#define FAIL6 -6 /* all else: the line on stderr says what */
#define FAIL7 -7
#define FAIL8 -8

typedef long armci_size_t;
typedef int ARMCI_Group;

/* ---- Beginning and end ---- */

/* Initialises MPI where that is not done, with MPI_THREAD_MULTIPLE. May be called again: the last of as many
 * calls of ARMCI_Finalize finalizes. Collective over all processes. */
int ARMCI_Init(void);
int ARMCI_Init_args(int* argc, char*** argv);
/* The level of threads is MPI_THREAD_MULTIPLE, whatever is requested. */
int ARMCI_Init_thread(int armci_requested);
#ifdef MPI_VERSION
/* Over the processes of `comm` alone: they are all that there are. MPI must be initialised. Collective over
 * them. */
int ARMCI_Init_mpi_comm(MPI_Comm comm);
int ARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm);
#endif
int ARMCI_Initialized(void);
/* Completes all operations, frees all memory. MPI stays, for MPI_Finalize or armci_msg_finalize. Collective.
 * MPI_Finalize does the same where a program leaves it out. */
void ARMCI_Finalize(void);
/* For a program that ends by an error of its own. */
void ARMCI_Cleanup(void);
/* Prints the message and the code, and ends all processes. */
void ARMCI_Error(char* message, int code);

/* ---- Memory ---- */

/* Allocates `bytes` on each process of the default group; the sizes may differ. ptr_arr[i] is the memory of
 * its i-th process, NULL for none. The caller can load and store at the addresses of its node. Collective. */
int ARMCI_Malloc(void* ptr_arr[], armci_size_t bytes);
int ARMCI_Malloc_group(void* ptr_arr[], armci_size_t bytes, ARMCI_Group* group);
/* `ptr` is the caller's own address from ARMCI_Malloc. Collective over the processes that allocated. */
int ARMCI_Free(void* ptr);
int ARMCI_Free_group(void* ptr, ARMCI_Group* group);
/* As those without _memdev: `device`, a kind of memory, has no effect. */
int ARMCI_Malloc_memdev(void** ptr_arr, armci_size_t bytes, const char* device);
int ARMCI_Malloc_group_memdev(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group, const char* device);
int ARMCI_Free_memdev(void* ptr);
/* Around loads and stores of the caller's own memory that others access. They order memory and nothing else.
 */
void ARMCI_Access_begin(void* ptr);
void ARMCI_Access_end(void* ptr);
/* Local memory that MPI may register with the network. */
void* ARMCI_Malloc_local(armci_size_t bytes);
int ARMCI_Free_local(void* ptr);

/* Memory that the caller allocates without the others; a process to which it sends the armci_meminfo_t calls
 * ARMCI_Memat. STRETTO_HEAP_BYTES says how much there is of it. Flags are 0. What is wrong ends the program.
 */
typedef struct armci_meminfo_ds {
  char* armci_addr; /* as addr */
  char* addr;       /* what the creator calls it */
  size_t size;
  int cpid; /* the creator */
  long idlist[128];
} armci_meminfo_t;
void ARMCI_Memget(size_t bytes, armci_meminfo_t* meminfo, int memflg);
/* The address for the caller's puts and gets; the process is meminfo->cpid. */
void* ARMCI_Memat(armci_meminfo_t* meminfo, long memflg);
/* Ends the caller's use of the memory. */
void ARMCI_Memdt(armci_meminfo_t* meminfo, long memflg);
/* The creator frees the memory; no process may use it afterwards. */
void ARMCI_Memctl(armci_meminfo_t* meminfo);

/* ---- Put, get and accumulate: complete here on return, ordered for each process ---- */

int ARMCI_Put(void* src, void* dst, int bytes, int proc);
int ARMCI_Get(void* src, void* dst, int bytes, int proc);

/* dst[i] += scale * src[i], atomic for each number. `scale` points to one number of the type. */
#define ARMCI_ACC_OFF 36
#define ARMCI_ACC_INT (ARMCI_ACC_OFF + 1) /* int */
#define ARMCI_ACC_DBL (ARMCI_ACC_OFF + 2) /* double */
#define ARMCI_ACC_FLT (ARMCI_ACC_OFF + 3) /* float */
#define ARMCI_ACC_CPL (ARMCI_ACC_OFF + 4) /* two floats */
#define ARMCI_ACC_DCP (ARMCI_ACC_OFF + 5) /* two doubles */
#define ARMCI_ACC_LNG (ARMCI_ACC_OFF + 6) /* long */
int ARMCI_Acc(int optype, void* scale, void* src, void* dst, int bytes, int proc);

/* Strided: blocks of count[0] bytes; count[i] of them, i >= 1, lie stride_arr[i - 1] bytes apart. */
#define ARMCI_MAX_STRIDE_LEVEL 8
int ARMCI_PutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
               int stride_levels, int proc);
int ARMCI_GetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
               int stride_levels, int proc);
int ARMCI_AccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr,
               int dst_stride_arr[], int count[], int stride_levels, int proc);

/* Vector: ptr_array_len segments of `bytes` each, in `len` descriptors. */
typedef struct {
  void** src_ptr_array;
  void** dst_ptr_array;
  int ptr_array_len;
  int bytes;
} armci_giov_t;
int ARMCI_PutV(armci_giov_t darr[], int len, int proc);
int ARMCI_GetV(armci_giov_t darr[], int len, int proc);
int ARMCI_AccV(int optype, void* scale, armci_giov_t darr[], int len, int proc);

int ARMCI_PutValueInt(int src, void* dst, int proc);
int ARMCI_PutValueLong(long src, void* dst, int proc);
int ARMCI_PutValueFloat(float src, void* dst, int proc);
int ARMCI_PutValueDouble(double src, void* dst, int proc);
int ARMCI_GetValueInt(void* src, int proc);
long ARMCI_GetValueLong(void* src, int proc);
float ARMCI_GetValueFloat(void* src, int proc);
double ARMCI_GetValueDouble(void* src, int proc);

/* Put, then `*flag = val` at the process, which sees the flag no sooner than the data. */
int ARMCI_Put_flag(void* src, void* dst, int bytes, int* flag, int val, int proc);
int ARMCI_PutS_flag(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                    int stride_levels, int* flag, int val, int proc);
int ARMCI_PutS_flag_dir(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                        int stride_levels, int* flag, int val, int proc);
#define ARMCI_Put1(src, dst, bytes, proc) memcpy((dst), (src), (size_t)(bytes)), 0

/* The blocks of a strided shape, one after the other: from `ptr` to `buf`, and back. */
void armci_write_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);
void armci_read_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);
/* In the caller's own memory. */
void ARMCI_Copy(void* src, void* dst, int n);

/* ---- Nonblocking: started on return ---- */

/* Opaque, and of ComEx's size; must not be copied while an operation is pending. */
typedef int armci_hdl_t;
#define armci_req_t armci_hdl_t

/* Before the first use of a handle. Also a function: where a program or a library of it calls that, it was
 * compiled with the header of ARMCI-MPI, and its groups, vector descriptors and codes are as that header has
 * them (docs/armci.md). */
void ARMCI_INIT_HANDLE(armci_hdl_t* hdl);
#define ARMCI_INIT_HANDLE(hdl) ((void)(*(hdl) = 0))

/* Puts, or gets, to one process with a marked handle leave together, on ARMCI_Wait, ARMCI_Test, a fence, a
 * barrier, or when a buffer is full. Accumulates with it leave at once. */
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle);
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle);

/* With NULL for the handle they are completed by ARMCI_WaitProc or ARMCI_WaitAll. A handle that is used again
 * while its operation is pending is waited for first, unless it is marked. */
int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbAcc(int optype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                 int stride_levels, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbGetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                 int stride_levels, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbAccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr,
                 int dst_stride_arr[], int count[], int stride_levels, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbGetV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbAccV(int optype, void* scale, armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* nb_handle);
int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* nb_handle);

/* Local completion: sources may be changed, the data of gets has arrived. */
int ARMCI_Wait(armci_hdl_t* nb_handle);
/* 0: complete, as after ARMCI_Wait. 1: not yet. */
int ARMCI_Test(armci_hdl_t* nb_handle);
int ARMCI_WaitProc(int proc);
int ARMCI_WaitAll(void);

/* ---- Synchronisation ---- */

/* Remote completion of all that the caller has put or accumulated there; everywhere; at the processes of a
 * group. */
void ARMCI_Fence(int proc);
void ARMCI_AllFence(void);
/* ARMCI_AllFence on each process of the default group, and a barrier. */
void ARMCI_Barrier(void);

/* *ploc is set to what *prem was. The FETCH_AND_ADDs add `extra`; the SWAPs store what *ploc was. The LONGs
 * are of long, the others of int. */
#define ARMCI_SWAP 10
#define ARMCI_SWAP_LONG 11
#define ARMCI_FETCH_AND_ADD 12
#define ARMCI_FETCH_AND_ADD_LONG 13
int ARMCI_Rmw(int op, void* ploc, void* prem, int extra, int proc);

/* `num` mutexes of each process. Collective over all. One set at a time. */
int ARMCI_Create_mutexes(int num);
int ARMCI_Destroy_mutexes(void);
void ARMCI_Lock(int mutex, int proc);
void ARMCI_Unlock(int mutex, int proc);

/* Notifies `proc` after all that the caller has started there is done. Returns the number of notifications.
 */
int armci_notify(int proc);
/* Waits for the next notification of `proc`; *pval is how often the caller has waited. Returns how many came.
 */
int armci_notify_wait(int proc, int* pval);

/* ---- Groups of processes ---- */

/* A group of the processes pid_list[0..n-1], of none where n is 0, of the default group, or of the parent.
 * Its members call it, or all of the parent; a process that is no member gets a group in which its rank is
 * -1. */
void ARMCI_Group_create(int n, int* pid_list, ARMCI_Group* group_out);
void ARMCI_Group_create_child(int n, int* pid_list, ARMCI_Group* group_out, ARMCI_Group* group_parent);
void ARMCI_Group_free(ARMCI_Group* group);
/* Returns 0, and nonzero when the caller is no member. */
int ARMCI_Group_rank(ARMCI_Group* group, int* rank);
void ARMCI_Group_size(ARMCI_Group* group, int* size);
void ARMCI_Group_set_default(ARMCI_Group* group);
void ARMCI_Group_get_default(ARMCI_Group* group_out);
void ARMCI_Group_get_world(ARMCI_Group* group_out);
/* The process that has this rank in the group. */
int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank);
void ARMCI_GroupFence(ARMCI_Group* group);

/* ---- Where processes are ---- */

int ARMCI_Same_node(int proc);
int armci_sameclusnode(int proc);
/* Whether the caller shares memory with another process, of all, of the group. */
int ARMCI_Uses_shm(void);
int ARMCI_Uses_shm_grp(ARMCI_Group* group);
/* Has no effect: MPI allocates, and has its own limits. */
void ARMCI_Set_shm_limit(unsigned long shmemlimit);

typedef int armci_domain_t;
#define ARMCI_DOMAIN_SMP 0 /* the nodes, numbered by their first processes */
int armci_domain_nprocs(armci_domain_t domain, int id);
int armci_domain_id(armci_domain_t domain, int glob_proc_id);
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int loc_proc_id);
int armci_domain_my_id(armci_domain_t domain);
int armci_domain_count(armci_domain_t domain);
int armci_domain_same_id(armci_domain_t domain, int proc);

#ifdef __cplusplus
}
#endif

#endif
