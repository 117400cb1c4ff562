// SPDX-License-Identifier: BSD-3-Clause
#include "trace/variables.hpp"

#include "memory/pages.hpp"
#include "memory/watch.hpp"
#include "record/trace_format.hpp"
#include "trace/sites.hpp"
#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr std::size_t max_variables = 4096;

bool is_on_own_stack(std::uintptr_t address) {
  // Asked once: libc reads the process's list of mappings for the main thread's.
  static constinit thread_local memory::Range stack{};
  if (stack.bytes == 0) stack = memory::own_stack();
  return address >= stack.begin && address < stack.end();
}

}  // namespace

std::uint32_t Variables::number_of(const void* address, Sites& sites, Stream& stream) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at == 0) return 0;
  const std::scoped_lock lock(mutex_);
  if (std::exchange(closed_modules_, Sites::closed_modules()) != Sites::closed_modules()) fixed_.clear();
  memory::Allocation allocation;
  const bool allocated = stretto_memory_allocation != nullptr && stretto_memory_allocation(at, &allocation);
  if (!allocated) {
    const auto known = fixed_.find(at);
    if (known != fixed_.end()) return known->second;
  }
  const Variable found = find(at, sites, stream);
  if (found.known == 0 || numbers_.size() >= max_variables) {
    if (fixed_.size() < max_variables) fixed_[at] = 0;
    return 0;
  }
  const auto [one, is_new] = numbers_.try_emplace(found, static_cast<std::uint32_t>(numbers_.size() + 1));
  if (is_new) {
    record::Record record = record::definition_of(record::variable, static_cast<std::int32_t>(one->second));
    record.tag = found.module;
    record.count = found.known;
    record.extra = found.address;
    stream.append(record);
  }
  if (!allocated && fixed_.size() < max_variables) fixed_[at] = one->second;
  return one->second;
}

Variables::Variable Variables::find(std::uintptr_t address, Sites& sites, Stream& stream) {
  memory::Allocation allocation;
  if (stretto_memory_allocation != nullptr && stretto_memory_allocation(address, &allocation)) {
    const auto [module, at] = sites.module_of(allocation.place, stream);
    return {record::by_allocation, module, at};
  }
  if (is_on_own_stack(address)) return {record::on_a_stack, 0, 0};
  const auto [module, at] = sites.module_of(address, stream);
  return module < 0 ? Variable{} : Variable{record::by_symbol, module, at};
}

}  // namespace stretto::trace
