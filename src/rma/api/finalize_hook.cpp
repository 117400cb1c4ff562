// SPDX-License-Identifier: BSD-3-Clause
#include "rma/api/finalize_hook.hpp"

#include <utility>

#include "mpi/check.hpp"

namespace stretto::rma {

#ifdef STRETTO_SIMGRID  // which does not free MPI_COMM_SELF, and whose ranks outlive no MPI

EndOfMpi::EndOfMpi(std::function<void()> ends) : ends_(std::move(ends)) {}
EndOfMpi::~EndOfMpi() = default;

#else

namespace {

// MPI_Finalize begins as if MPI_COMM_SELF was freed, and that calls this for what is attached to it.
int self_is_freed(MPI_Comm /*self*/, int /*key*/, void* attached, void* /*extra*/) {
  const auto& ends = *static_cast<std::function<void()>*>(attached);
  if (ends) ends();
  return MPI_SUCCESS;
}

}  // namespace

EndOfMpi::EndOfMpi(std::function<void()> ends) : ends_(std::move(ends)) {
  mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, self_is_freed, &key_, nullptr),
             "MPI_Comm_create_keyval");
  mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key_, &ends_), "MPI_Comm_set_attr");
}

EndOfMpi::~EndOfMpi() {
  ends_ = nullptr;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
  MPI_Comm_free_keyval(&key_);
}

#endif

}  // namespace stretto::rma
