// SPDX-License-Identifier: BSD-3-Clause
// The operations of every armci_hdl_t. The handle itself is an int of the program, without a destructor and
// perhaps never initialised. Its number counts only where this table has issued it.
#pragma once

#include <armci/armci.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stretto/aggregate.hpp>
#include <stretto/handle.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto::armci {

/// The operations of one handle that were not waited for. The thread that uses the handle owns them.
struct Pending {
  std::vector<Handle> handles;
  std::unique_ptr<Aggregate> aggregate;
  std::deque<std::array<std::byte, 8>> values;  // sources of value puts that the aggregate has not sent
};

class HandleTable {
 public:
  explicit HandleTable(Runtime& runtime) : runtime_(runtime) {}

  [[nodiscard]] bool is_aggregate(armci_hdl_t handle);
  /// Marks the handle until it is unmarked. It gets a number where it has none.
  void mark_aggregate(armci_hdl_t& handle);
  void unmark_aggregate(armci_hdl_t& handle);
  /// Whether this table has issued its number.
  [[nodiscard]] bool knows(armci_hdl_t handle);

  /// The operations of the handle. It gets a number where it has none.
  [[nodiscard]] Pending& open(armci_hdl_t& handle);
  /// Completes its operations. Throws Refused for a handle that this table does not know.
  void wait(armci_hdl_t& handle);
  /// The same without waiting; false when an operation is outstanding.
  [[nodiscard]] bool test(armci_hdl_t& handle);
  /// Completes the operations of every handle.
  void wait_all();

 private:
  struct Slot {
    std::uint32_t generation = 1;
    bool used = false;
    bool aggregate = false;
    bool outstanding = false;  // operations that were not waited for
    Pending pending;
  };

  [[nodiscard]] Slot* find(armci_hdl_t handle);
  [[nodiscard]] Slot* find_locked(armci_hdl_t handle);
  [[nodiscard]] Slot& slot_of(armci_hdl_t& handle);
  void close(armci_hdl_t& handle, Slot& slot);
  void complete(Pending& pending);

  Runtime& runtime_;
  std::mutex mutex_;
  std::deque<Slot> slots_;  // a deque, because slots must not move
  std::vector<std::size_t> free_;
};

}  // namespace stretto::armci
