// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/virtual/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace stretto::exchange {
namespace {

std::string_view name_of(VirtualMeeting::Kind kind) {
  constexpr std::array<std::string_view, 3> names = {"broadcast()", "gather()", "reserve()"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

void VirtualMeeting::meet(int rank, Kind kind, std::span<const std::byte> gives, std::span<std::byte> takes) {
  if (present_ == 0) kind_ = kind;
  if (kind != kind_) {
    throw std::logic_error(fmt::format("virtual machine: rank {} calls {} where others call {}", rank,
                                       name_of(kind), name_of(kind_)));
  }
  seats_[static_cast<std::size_t>(rank)] = {.gives = gives, .takes = takes, .taken = true};
  if (++present_ < seats_.size()) {
    schedule_.wait(rank, *this);
    return;
  }
  hand_round();
  present_ = 0;
  for (std::size_t other = 0; other < seats_.size(); ++other) {
    seats_[other].taken = false;
    if (static_cast<int>(other) != rank) schedule_.wake(static_cast<int>(other));
  }
}

void VirtualMeeting::hand_round() const {
  const Seat& root = seats_.front();
  const std::size_t size_bytes = root.gives.size();
  for (const Seat& seat : seats_) {
    if (seat.gives.size() != size_bytes) {
      throw std::logic_error(fmt::format("virtual machine: {} with {} bytes at one rank and {} at another",
                                         name_of(kind_), size_bytes, seat.gives.size()));
    }
  }
  if (kind_ == Kind::broadcast) {
    for (const Seat& seat : seats_) {
      if (&seat != &root) std::copy(root.gives.begin(), root.gives.end(), seat.takes.begin());
    }
  } else if (kind_ == Kind::gather) {
    if (root.takes.size() != seats_.size() * size_bytes) {
      throw std::logic_error(fmt::format("virtual machine: gather() of {} times {} bytes into {}",
                                         seats_.size(), size_bytes, root.takes.size()));
    }
    auto place = root.takes.begin();
    for (const Seat& seat : seats_) place = std::copy(seat.gives.begin(), seat.gives.end(), place);
  }
}

std::string VirtualMeeting::describe_wait(int /*rank*/) const {
  std::string absent;
  for (std::size_t rank = 0; rank < seats_.size(); ++rank) {
    if (!seats_[rank].taken) absent += fmt::format("{}{}", absent.empty() ? "" : ", ", rank);
  }
  return fmt::format("{} of rank {}", name_of(kind_), absent);
}

}  // namespace stretto::exchange
