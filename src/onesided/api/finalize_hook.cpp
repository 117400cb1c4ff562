// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/finalize_hook.hpp"

#include <utility>

#include "mpi/check.hpp"

namespace stretto::onesided {

#ifdef STRETTO_SIMGRID  // which does not free MPI_COMM_SELF, and its ranks end with MPI

FinalizeHook::FinalizeHook(std::function<void()> ends) : ends_(std::move(ends)) {}
FinalizeHook::~FinalizeHook() = default;

#else

namespace {

// MPI_Finalize first frees the attributes of MPI_COMM_SELF, and so calls this for the attached function.
int self_is_freed(MPI_Comm /*self*/, int /*key*/, void* attached, void* /*extra*/) {
  const auto& ends = *static_cast<std::function<void()>*>(attached);
  if (ends) ends();
  return MPI_SUCCESS;
}

}  // namespace

FinalizeHook::FinalizeHook(std::function<void()> ends) : ends_(std::move(ends)) {
  mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, self_is_freed, &key_, nullptr),
             "MPI_Comm_create_keyval");
  mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key_, &ends_), "MPI_Comm_set_attr");
}

FinalizeHook::~FinalizeHook() {
  ends_ = nullptr;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
  MPI_Comm_free_keyval(&key_);
}

#endif

}  // namespace stretto::onesided
