// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/control_collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace stretto::known_answers {
namespace {

std::string_view name_of(VirtualControlCollective::Kind kind) {
  constexpr std::array<std::string_view, 3> names = {"broadcast()", "gather()", "reserve()"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

void VirtualControlCollective::join(int rank, Kind kind, std::span<const std::byte> sent,
                                    std::span<std::byte> received) {
  if (joined_ == 0) kind_ = kind;
  if (kind != kind_) {
    throw std::logic_error(fmt::format("virtual machine: rank {} calls {} where others call {}", rank,
                                       name_of(kind), name_of(kind_)));
  }
  contributions_[static_cast<std::size_t>(rank)] = {.sent = sent, .received = received, .joined = true};
  if (++joined_ < contributions_.size()) {
    schedule_.wait(rank, *this);
    return;
  }
  distribute();
  joined_ = 0;
  for (std::size_t other = 0; other < contributions_.size(); ++other) {
    contributions_[other].joined = false;
    if (static_cast<int>(other) != rank) schedule_.wake(static_cast<int>(other));
  }
}

void VirtualControlCollective::distribute() const {
  const Contribution& root = contributions_.front();
  const std::size_t size_bytes = root.sent.size();
  for (const Contribution& one : contributions_) {
    if (one.sent.size() != size_bytes) {
      throw std::logic_error(fmt::format("virtual machine: {} with {} bytes at one rank and {} at another",
                                         name_of(kind_), size_bytes, one.sent.size()));
    }
  }
  if (kind_ == Kind::broadcast) {
    for (const Contribution& one : contributions_) {
      if (&one != &root) std::copy(root.sent.begin(), root.sent.end(), one.received.begin());
    }
  } else if (kind_ == Kind::gather) {
    if (root.received.size() != contributions_.size() * size_bytes) {
      throw std::logic_error(fmt::format("virtual machine: gather() of {} times {} bytes into {}",
                                         contributions_.size(), size_bytes, root.received.size()));
    }
    auto place = root.received.begin();
    for (const Contribution& one : contributions_) place = std::copy(one.sent.begin(), one.sent.end(), place);
  }
}

std::string VirtualControlCollective::describe_wait(int /*rank*/) const {
  std::string absent;
  for (std::size_t rank = 0; rank < contributions_.size(); ++rank) {
    if (!contributions_[rank].joined) absent += fmt::format("{}{}", absent.empty() ? "" : ", ", rank);
  }
  return fmt::format("{} of rank {}", name_of(kind_), absent);
}

}  // namespace stretto::known_answers
