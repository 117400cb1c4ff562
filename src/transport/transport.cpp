// SPDX-License-Identifier: BSD-3-Clause
#include "transport/transport.hpp"

#include <array>

namespace stretto::transport {
namespace {

constexpr std::array<std::string_view, 3> operation_names = {"send", "put", "get"};
constexpr std::array<std::string_view, 3> progress_names = {"none", "poll", "thread"};

}  // namespace

std::string_view to_string(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_from(std::string_view name) {
  for (const Operation operation : all_operations) {
    if (to_string(operation) == name) return operation;
  }
  return std::nullopt;
}

std::string_view to_string(Progress progress) { return progress_names[static_cast<std::size_t>(progress)]; }

std::optional<Progress> progress_from(std::string_view name) {
  for (const Progress progress : all_progress) {
    if (to_string(progress) == name) return progress;
  }
  return std::nullopt;
}

}  // namespace stretto::transport
