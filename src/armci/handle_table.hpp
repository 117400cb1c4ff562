// SPDX-License-Identifier: BSD-3-Clause
// What an armci_hdl_t stands for. The handle itself is memory of the program, without a destructor and
// perhaps never initialised: it holds a number, and only a number that was given is believed.
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

/// Operations of one handle that are not waited for. Belongs to the thread that uses the handle.
struct Pending {
  std::vector<Handle> handles;
  std::unique_ptr<Aggregate> aggregate;
  std::deque<std::array<std::byte, 8>> values;  // sources of value puts that the aggregate has not sent
};

class HandleTable {
 public:
  explicit HandleTable(Runtime& runtime) : runtime_(runtime) {}

  [[nodiscard]] static bool is_aggregate(const armci_hdl_t& handle);
  static void mark_aggregate(armci_hdl_t& handle, bool aggregate);
  /// It stands for nothing; its mark stays.
  static void forget(armci_hdl_t& handle);
  /// Whether it stands for something.
  [[nodiscard]] bool knows(const armci_hdl_t& handle);

  /// What the handle stands for; from now on it stands for something.
  [[nodiscard]] Pending& open(armci_hdl_t& handle);
  /// Completes what it stands for. Throws Refused for a handle that this table does not know.
  void wait(armci_hdl_t& handle);
  /// The same without waiting; false when something is under way.
  [[nodiscard]] bool test(armci_hdl_t& handle);
  /// Of every handle.
  void wait_all();

 private:
  struct Slot {
    std::uint32_t generation = 1;
    bool used = false;
    Pending pending;
  };

  [[nodiscard]] Slot* find(const armci_hdl_t& handle);
  [[nodiscard]] Slot* find_locked(const armci_hdl_t& handle);
  void close(armci_hdl_t& handle, Slot& slot);
  void complete(Pending& pending);

  Runtime& runtime_;
  std::mutex mutex_;
  std::deque<Slot> slots_;  // a slot stays where it is
  std::vector<std::size_t> free_;
};

}  // namespace stretto::armci
