// SPDX-License-Identifier: BSD-3-Clause
#include "armci/perform.hpp"

#include <memory>
#include <stretto/atomic.hpp>
#include <utility>

#include "armci/boundary.hpp"
#include "armci/process.hpp"
#include "onesided/api/services.hpp"

namespace stretto::armci {

using onesided::LayoutTransfer;
using onesided::OperationKind;

namespace {

Aggregate& aggregate_of(Process& own, Pending& pending) {
  if (pending.aggregate == nullptr) pending.aggregate = std::make_unique<Aggregate>(own.runtime);
  return *pending.aggregate;
}

/// The handle has no operation, or one that this transfer can be added to.
void add(Process& own, LayoutTransfer&& transfer, armci_hdl_t& handle) {
  if (own.handles.is_aggregate(handle) && transfer.kind != OperationKind::accumulate) {
    onesided::add(aggregate_of(own, own.handles.open(handle)), transfer);
    return;
  }
  Handle started = onesided::start(std::move(transfer));
  if (onesided::is_complete(started)) {  // as on one node: nothing is left to wait for
    own.runtime.wait(started);
  } else {
    own.handles.open(handle).handles.push_back(std::move(started));
  }
}

void prepare_handle(Process& own, armci_hdl_t& handle) {
  const bool known = own.handles.knows(handle);
  if (!known) handle = 0;  // the program never initialised its memory
  if (known && !own.handles.is_aggregate(handle)) own.handles.wait(handle);
}

/// Before the first moves: they are one operation of the program's, which moves no byte where it is refused.
void check_all(const std::vector<LayoutTransfer>& transfers) {
  for (const LayoutTransfer& transfer : transfers) onesided::check_transfer(transfer);
}

/// Throws what an update of an int there would throw.
void check_flag(const AddressTable::Found& found) {
  const std::size_t size = found.region.size_bytes(found.place.target);
  if (found.place.offset % sizeof(int) != 0) throw Refused(FAIL6, "flag: is not aligned");
  if (sizeof(int) > size || found.place.offset > size - sizeof(int)) {
    throw Refused(FAIL6, "flag: reaches beyond its allocation");
  }
}

}  // namespace

void run(OneTransfer&& transfer) {
  if (transfer) onesided::run(std::move(*transfer));
}

void run(std::vector<LayoutTransfer>&& transfers) {
  check_all(transfers);
  for (LayoutTransfer& transfer : transfers) onesided::run(std::move(transfer));
}

void start(OneTransfer&& transfer, armci_hdl_t* handle) {
  Process& own = process();
  if (handle != nullptr) prepare_handle(own, *handle);
  if (!transfer) return;
  if (handle == nullptr) {
    onesided::start_implicit(std::move(*transfer));
  } else {
    add(own, std::move(*transfer), *handle);
  }
}

void start(std::vector<LayoutTransfer>&& transfers, armci_hdl_t* handle) {
  Process& own = process();
  check_all(transfers);
  if (handle != nullptr) prepare_handle(own, *handle);
  for (LayoutTransfer& transfer : transfers) {
    if (handle == nullptr) {
      onesided::start_implicit(std::move(transfer));
    } else {
      add(own, std::move(transfer), *handle);
    }
  }
}

void start_value(std::array<std::byte, 8> value, int bytes, void* remote, int process, armci_hdl_t* handle) {
  Process& own = armci::process();
  if (handle != nullptr) prepare_handle(own, *handle);
  if (handle == nullptr || !own.handles.is_aggregate(*handle)) {
    return run(contiguous(OperationKind::put, value.data(), remote, bytes, process));
  }
  Pending& pending = own.handles.open(*handle);
  pending.values.push_back(value);
  OneTransfer transfer = contiguous(OperationKind::put, pending.values.back().data(), remote, bytes, process);
  onesided::add(aggregate_of(own, pending), *transfer);
}

void run_with_flag(OneTransfer&& put, const int* flag, int value, int process) {
  Process& own = armci::process();
  if (flag == nullptr) throw Refused(FAIL, "flag is NULL");
  own.check_process(process);
  const AddressTable::Found found = locate(process, flag);
  if (put && &put->region == &found.region) {
    put->flag = {.region = onesided::number_of(found.region),
                 .add = 0,
                 .size_bytes = sizeof(int),
                 .offset = found.place.offset,
                 .value = static_cast<unsigned>(value)};
    return onesided::run(std::move(*put));
  }
  check_flag(found);
  if (put) {
    onesided::run(std::move(*put));
    own.runtime.fence(process);
  }
  (void)swap(found.region, found.place, value);
}

}  // namespace stretto::armci
