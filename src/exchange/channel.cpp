// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channel.hpp"

#include <array>

#include "exchange/pieces.hpp"

namespace stretto::exchange {
namespace {

constexpr std::array<std::string_view, 3> operation_names = {"send", "put", "get"};
constexpr std::array<std::string_view, 3> progress_names = {"none", "poll", "thread"};

constexpr std::array<std::string_view, 3> method_names = {"individual", "aggregate", "vector"};

}  // namespace

std::string_view to_string(ChannelOperation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

std::optional<ChannelOperation> operation_from(std::string_view name) {
  for (const ChannelOperation operation : all_operations) {
    if (to_string(operation) == name) return operation;
  }
  return std::nullopt;
}

std::string_view to_string(ProgressMode progress) {
  return progress_names[static_cast<std::size_t>(progress)];
}

std::optional<ProgressMode> progress_from(std::string_view name) {
  for (const ProgressMode progress : all_progress) {
    if (to_string(progress) == name) return progress;
  }
  return std::nullopt;
}

std::string_view to_string(Method method) { return method_names[static_cast<std::size_t>(method)]; }

Transfer part_of(const Transfer& transfer, int parts, int part) {
  const std::size_t size_bytes = transfer.size_bytes / static_cast<std::size_t>(parts);
  const std::size_t skipped_bytes = size_bytes * static_cast<std::size_t>(part);
  Transfer one = transfer;
  one.size_bytes = size_bytes;
  one.offset_bytes += skipped_bytes;
  if (one.receive_offset_bytes) *one.receive_offset_bytes += skipped_bytes;
  return one;
}

bool Channel::supports(Method method) const { return method == Method::individual; }

void Channel::start_pieces(const Pieces& pieces, Method /*method*/) {
  for (std::size_t i = 0; i < pieces.count; ++i) start(pieces.piece(i));
}

void Channel::expect_pieces(const Pieces& pieces, Method /*method*/) {
  for (std::size_t i = 0; i < pieces.count; ++i) expect(pieces.piece(i));
}

}  // namespace stretto::exchange
