// SPDX-License-Identifier: BSD-3-Clause
// Put, get and accumulate of every shape, and their handles.
#include <armci/armci.h>
#include <armci/parmci.h>

#include "armci/boundary.hpp"
#include "armci/describe.hpp"
#include "armci/perform.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"

using namespace stretto::armci;
using stretto::onesided::OperationKind;

// NOLINTBEGIN(readability-non-const-parameter): the signatures are as published
int ARMCI_Put(void* src, void* dst, int bytes, int proc) {
  return status_of("ARMCI_Put", [&] { run(contiguous(OperationKind::put, src, dst, bytes, proc)); });
}

int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbPut",
                   [&] { start(contiguous(OperationKind::put, src, dst, bytes, proc), nb_handle); });
}

int ARMCI_Get(void* src, void* dst, int bytes, int proc) {
  return status_of("ARMCI_Get", [&] { run(contiguous(OperationKind::get, dst, src, bytes, proc)); });
}

int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbGet",
                   [&] { start(contiguous(OperationKind::get, dst, src, bytes, proc), nb_handle); });
}

int ARMCI_Acc(int optype, void* scale, void* src, void* dst, int bytes, int proc) {
  return status_of("ARMCI_Acc", [&] {
    run(scaled(contiguous(OperationKind::accumulate, src, dst, bytes, proc), scale_of(optype, scale)));
  });
}

int ARMCI_NbAcc(int optype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbAcc", [&] {
    start(scaled(contiguous(OperationKind::accumulate, src, dst, bytes, proc), scale_of(optype, scale)),
          nb_handle);
  });
}

int ARMCI_PutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
               int stride_levels, int proc) {
  return status_of("ARMCI_PutS", [&] {
    run(strided(OperationKind::put, {src_ptr, src_stride_arr}, {dst_ptr, dst_stride_arr}, count,
                stride_levels, proc));
  });
}

int ARMCI_NbPutS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                 int stride_levels, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbPutS", [&] {
    start(strided(OperationKind::put, {src_ptr, src_stride_arr}, {dst_ptr, dst_stride_arr}, count,
                  stride_levels, proc),
          nb_handle);
  });
}

int ARMCI_GetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
               int stride_levels, int proc) {
  return status_of("ARMCI_GetS", [&] {
    run(strided(OperationKind::get, {dst_ptr, dst_stride_arr}, {src_ptr, src_stride_arr}, count,
                stride_levels, proc));
  });
}

int ARMCI_NbGetS(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                 int stride_levels, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbGetS", [&] {
    start(strided(OperationKind::get, {dst_ptr, dst_stride_arr}, {src_ptr, src_stride_arr}, count,
                  stride_levels, proc),
          nb_handle);
  });
}

int ARMCI_AccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr,
               int dst_stride_arr[], int count[], int stride_levels, int proc) {
  return status_of("ARMCI_AccS", [&] {
    run(scaled(strided(OperationKind::accumulate, {src_ptr, src_stride_arr}, {dst_ptr, dst_stride_arr}, count,
                       stride_levels, proc),
               scale_of(optype, scale)));
  });
}

int ARMCI_NbAccS(int optype, void* scale, void* src_ptr, int src_stride_arr[], void* dst_ptr,
                 int dst_stride_arr[], int count[], int stride_levels, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbAccS", [&] {
    start(scaled(strided(OperationKind::accumulate, {src_ptr, src_stride_arr}, {dst_ptr, dst_stride_arr},
                         count, stride_levels, proc),
                 scale_of(optype, scale)),
          nb_handle);
  });
}

int ARMCI_PutV(armci_giov_t darr[], int len, int proc) {
  return status_of("ARMCI_PutV", [&] { run(vector(OperationKind::put, darr, len, proc)); });
}

int ARMCI_NbPutV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbPutV", [&] { start(vector(OperationKind::put, darr, len, proc), nb_handle); });
}

int ARMCI_GetV(armci_giov_t darr[], int len, int proc) {
  return status_of("ARMCI_GetV", [&] { run(vector(OperationKind::get, darr, len, proc)); });
}

int ARMCI_NbGetV(armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbGetV", [&] { start(vector(OperationKind::get, darr, len, proc), nb_handle); });
}

int ARMCI_AccV(int optype, void* scale, armci_giov_t darr[], int len, int proc) {
  return status_of("ARMCI_AccV", [&] {
    run(scaled(vector(OperationKind::accumulate, darr, len, proc), scale_of(optype, scale)));
  });
}

int ARMCI_NbAccV(int optype, void* scale, armci_giov_t darr[], int len, int proc, armci_hdl_t* nb_handle) {
  return status_of("ARMCI_NbAccV", [&] {
    start(scaled(vector(OperationKind::accumulate, darr, len, proc), scale_of(optype, scale)), nb_handle);
  });
}

int ARMCI_Put_flag(void* src, void* dst, int bytes, int* flag, int val, int proc) {
  return status_of("ARMCI_Put_flag", [&] {
    run_with_flag(contiguous(OperationKind::put, src, dst, bytes, proc), flag, val, proc);
  });
}

int ARMCI_PutS_flag(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                    int stride_levels, int* flag, int val, int proc) {
  return status_of("ARMCI_PutS_flag", [&] {
    run_with_flag(strided(OperationKind::put, {src_ptr, src_stride_arr}, {dst_ptr, dst_stride_arr}, count,
                          stride_levels, proc),
                  flag, val, proc);
  });
}

int ARMCI_PutS_flag_dir(void* src_ptr, int src_stride_arr[], void* dst_ptr, int dst_stride_arr[], int count[],
                        int stride_levels, int* flag, int val, int proc) {
  return ARMCI_PutS_flag(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, stride_levels, flag, val,
                         proc);
}

void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle) {
  if (nb_handle == nullptr) return;
  or_abort("ARMCI_SET_AGGREGATE_HANDLE", [&] { process().handles.mark_aggregate(*nb_handle); });
}

void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* nb_handle) {
  if (nb_handle == nullptr) return;
  or_abort("ARMCI_UNSET_AGGREGATE_HANDLE", [&] { process().handles.unmark_aggregate(*nb_handle); });
}

int ARMCI_Wait(armci_hdl_t* nb_handle) {
  return status_of("ARMCI_Wait", [&] {
    if (nb_handle == nullptr)
      throw Refused(FAIL, "nb_handle is NULL; ARMCI_WaitAll completes implicit handles");
    process().handles.wait(*nb_handle);
  });
}

int ARMCI_Test(armci_hdl_t* nb_handle) {
  bool done = true;
  const int code = status_of("ARMCI_Test", [&] {
    if (nb_handle == nullptr)
      throw Refused(FAIL, "nb_handle is NULL; ARMCI_WaitAll completes implicit handles");
    done = process().handles.test(*nb_handle);
  });
  if (code != 0) return code;
  return done ? 0 : 1;
}

int ARMCI_WaitProc(int proc) {
  return status_of("ARMCI_WaitProc", [&] {
    process().check_process(proc);
    process().runtime.wait_implicit(proc);
  });
}

int ARMCI_WaitAll() {
  return status_of("ARMCI_WaitAll", [] { process().runtime.wait_implicit(); });
}
// NOLINTEND(readability-non-const-parameter)

STRETTO_PROFILED(ARMCI_Put)
STRETTO_PROFILED(ARMCI_NbPut)
STRETTO_PROFILED(ARMCI_Get)
STRETTO_PROFILED(ARMCI_NbGet)
STRETTO_PROFILED(ARMCI_Acc)
STRETTO_PROFILED(ARMCI_NbAcc)
STRETTO_PROFILED(ARMCI_PutS)
STRETTO_PROFILED(ARMCI_NbPutS)
STRETTO_PROFILED(ARMCI_GetS)
STRETTO_PROFILED(ARMCI_NbGetS)
STRETTO_PROFILED(ARMCI_AccS)
STRETTO_PROFILED(ARMCI_NbAccS)
STRETTO_PROFILED(ARMCI_PutV)
STRETTO_PROFILED(ARMCI_NbPutV)
STRETTO_PROFILED(ARMCI_GetV)
STRETTO_PROFILED(ARMCI_NbGetV)
STRETTO_PROFILED(ARMCI_AccV)
STRETTO_PROFILED(ARMCI_NbAccV)
STRETTO_PROFILED(ARMCI_Put_flag)
STRETTO_PROFILED(ARMCI_PutS_flag)
STRETTO_PROFILED(ARMCI_PutS_flag_dir)
STRETTO_PROFILED(ARMCI_Wait)
STRETTO_PROFILED(ARMCI_Test)
STRETTO_PROFILED(ARMCI_WaitProc)
STRETTO_PROFILED(ARMCI_WaitAll)
