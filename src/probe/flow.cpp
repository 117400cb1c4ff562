// SPDX-License-Identifier: BSD-3-Clause
#include "probe/flow.hpp"

#include <algorithm>

namespace stretto::probe {

using exchange::ChannelOperation;
using exchange::Transfer;

namespace {

constexpr std::size_t answer_bytes = 8;
// Messages start on a page of their own, as large arrays of programs do.
constexpr std::size_t first_message_bytes = 4096;

}  // namespace

Flow::Flow(const ProbeContext& context, ChannelOperation operation, Direction direction, Buffers buffers,
           int pairs)
    : context_(context),
      operation_(operation),
      direction_(direction),
      buffers_(buffers),
      pairing_(pairing_of(context.team.rank(), context.team.size(), pairs)),
      active_(pairing_.origin || (direction == Direction::both_ways && pairing_.target)),
      passive_(pairing_.target || (direction == Direction::both_ways && pairing_.origin)) {}

// The answer is at the start of the buffer, so that its offset does not change when the buffer grows.
void Flow::reserve(std::size_t size_bytes, int messages) const {
  const std::size_t places = buffers_ == Buffers::same ? 1 : static_cast<std::size_t>(messages);
  context_.transport.reserve(first_message_bytes + size_bytes * places);
}

Transfer Flow::message(std::size_t size_bytes, int index) const {
  const std::size_t place = buffers_ == Buffers::same ? 0 : static_cast<std::size_t>(index);
  return {.operation = operation_,
          .peer = pairing_.peer,
          .size_bytes = size_bytes,
          .offset_bytes = first_message_bytes + size_bytes * place};
}

Transfer Flow::answer_message() const {
  return {.operation = ChannelOperation::send, .peer = pairing_.peer, .size_bytes = answer_bytes};
}

void Flow::start(std::size_t size_bytes, int index) const {
  if (active_) context_.transport.start(message(size_bytes, index));
}

void Flow::start_all(std::size_t size_bytes, int messages) const {
  for (int index = 0; index < messages; ++index) start(size_bytes, index);
}

void Flow::expect(std::size_t size_bytes, int index) const {
  if (!passive_ || !context_.transport.has_passive_side(operation_)) return;
  context_.transport.expect(message(size_bytes, index));
}

void Flow::expect_all(std::size_t size_bytes, int messages) const {
  for (int index = 0; index < messages; ++index) expect(size_bytes, index);
}

bool Flow::answered() const {
  return operation_ == ChannelOperation::send && direction_ == Direction::one_way;
}

void Flow::expect_answer() const {
  if (answered() && active_) context_.transport.expect(answer_message());
}

void Flow::answer() const {
  if (!answered() || !passive_) return;
  context_.transport.start(answer_message());
  context_.transport.finish();
}

void Flow::window(std::size_t size_bytes, int messages) const {
  expect_answer();
  expect_all(size_bytes, messages);
  start_all(size_bytes, messages);
  context_.transport.finish();
  answer();
}

void Flow::ping_pong(std::size_t size_bytes, int index) const {
  exchange::Channel& transport = context_.transport;
  if (operation_ != ChannelOperation::send) {
    expect(size_bytes, index);
    start(size_bytes, index);
    transport.finish();
    return;
  }
  const Transfer both_ways = message(size_bytes, index);
  if (pairing_.origin) {
    transport.start(both_ways);
    transport.finish();
    transport.expect(both_ways);
    transport.finish();
  } else if (pairing_.target) {
    transport.expect(both_ways);
    transport.finish();
    transport.start(both_ways);
    transport.finish();
  }
}

std::vector<Transfer> Flow::arrivals(std::size_t size_bytes, int messages) const {
  const bool here = operation_ == ChannelOperation::get ? active_ : passive_;
  return here ? all_messages(size_bytes, messages) : std::vector<Transfer>{};
}

std::vector<Transfer> Flow::ping_pong_arrivals(std::size_t size_bytes, int messages) const {
  if (operation_ != ChannelOperation::send) return arrivals(size_bytes, messages);
  const bool here = pairing_.origin || pairing_.target;
  return here ? all_messages(size_bytes, messages) : std::vector<Transfer>{};
}

std::vector<Transfer> Flow::all_messages(std::size_t size_bytes, int messages) const {
  std::vector<Transfer> all;
  if (buffers_ == Buffers::same) messages = std::min(messages, 1);
  all.reserve(static_cast<std::size_t>(std::max(messages, 0)));
  for (int index = 0; index < messages; ++index) all.push_back(message(size_bytes, index));
  return all;
}

}  // namespace stretto::probe
