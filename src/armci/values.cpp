// SPDX-License-Identifier: BSD-3-Clause
// Put and get of one number that is an argument or the result, and not in memory.
#include <armci/armci.h>
#include <armci/parmci.h>

#include <array>
#include <cstring>

#include "armci/boundary.hpp"
#include "armci/perform.hpp"
#include "armci/profiling.hpp"

using namespace stretto::armci;
using stretto::onesided::OperationKind;

namespace {

template <typename T>
int put(const char* function, T value, void* remote, int process) {
  return status_of(function,
                   [&] { run(contiguous(OperationKind::put, &value, remote, sizeof value, process)); });
}

template <typename T>
int start_put(const char* function, T value, void* remote, int process, armci_hdl_t* handle) {
  return status_of(function, [&] {
    std::array<std::byte, 8> bytes{};
    static_assert(sizeof value <= sizeof bytes);
    std::memcpy(bytes.data(), &value, sizeof value);
    start_value(bytes, sizeof value, remote, process, handle);
  });
}

/// The result is the value, which leaves no code: an error ends the program.
template <typename T>
T get(const char* function, void* remote, int process) {
  return or_abort(function, [&] {
    T value{};
    run(contiguous(OperationKind::get, &value, remote, sizeof value, process));
    return value;
  });
}

}  // namespace

int ARMCI_PutValueInt(int src, void* dst, int proc) { return put("ARMCI_PutValueInt", src, dst, proc); }
int ARMCI_PutValueLong(long src, void* dst, int proc) { return put("ARMCI_PutValueLong", src, dst, proc); }
int ARMCI_PutValueFloat(float src, void* dst, int proc) { return put("ARMCI_PutValueFloat", src, dst, proc); }
int ARMCI_PutValueDouble(double src, void* dst, int proc) {
  return put("ARMCI_PutValueDouble", src, dst, proc);
}

int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* nb_handle) {
  return start_put("ARMCI_NbPutValueInt", src, dst, proc, nb_handle);
}
int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* nb_handle) {
  return start_put("ARMCI_NbPutValueLong", src, dst, proc, nb_handle);
}
int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* nb_handle) {
  return start_put("ARMCI_NbPutValueFloat", src, dst, proc, nb_handle);
}
int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* nb_handle) {
  return start_put("ARMCI_NbPutValueDouble", src, dst, proc, nb_handle);
}

int ARMCI_GetValueInt(void* src, int proc) { return get<int>("ARMCI_GetValueInt", src, proc); }
long ARMCI_GetValueLong(void* src, int proc) { return get<long>("ARMCI_GetValueLong", src, proc); }
float ARMCI_GetValueFloat(void* src, int proc) { return get<float>("ARMCI_GetValueFloat", src, proc); }
double ARMCI_GetValueDouble(void* src, int proc) { return get<double>("ARMCI_GetValueDouble", src, proc); }

STRETTO_PROFILED(ARMCI_PutValueInt)
STRETTO_PROFILED(ARMCI_PutValueLong)
STRETTO_PROFILED(ARMCI_PutValueFloat)
STRETTO_PROFILED(ARMCI_PutValueDouble)
STRETTO_PROFILED(ARMCI_NbPutValueInt)
STRETTO_PROFILED(ARMCI_NbPutValueLong)
STRETTO_PROFILED(ARMCI_NbPutValueFloat)
STRETTO_PROFILED(ARMCI_NbPutValueDouble)
STRETTO_PROFILED(ARMCI_GetValueInt)
STRETTO_PROFILED(ARMCI_GetValueLong)
STRETTO_PROFILED(ARMCI_GetValueFloat)
STRETTO_PROFILED(ARMCI_GetValueDouble)
