// SPDX-License-Identifier: BSD-3-Clause
#include "probe/flow.hpp"

namespace stretto::probe {

using exchange::Operation;
using exchange::Transfer;

namespace {

constexpr std::size_t answer_bytes = 8;

}  // namespace

std::string_view to_string(Direction direction) {
  return direction == Direction::one_way ? "one-way" : "both-ways";
}

Flow::Flow(const ProbeContext& context, Operation operation, Direction direction)
    : context_(context),
      operation_(operation),
      direction_(direction),
      pairing_(pairing_of(context.team.rank(), context.team.size())),
      active_(pairing_.origin || (direction == Direction::both_ways && pairing_.target)),
      passive_(pairing_.target || (direction == Direction::both_ways && pairing_.origin)) {}

// The answer is at the start of the buffer, so that its offset does not change when the buffer grows.
void Flow::reserve(std::size_t size_bytes, int messages) const {
  context_.transport.reserve(answer_bytes + size_bytes * static_cast<std::size_t>(messages));
}

Transfer Flow::message(std::size_t size_bytes, int index) const {
  return {.operation = operation_,
          .peer = pairing_.peer,
          .size_bytes = size_bytes,
          .offset_bytes = answer_bytes + size_bytes * static_cast<std::size_t>(index)};
}

Transfer Flow::answer_message() const {
  return {.operation = Operation::send, .peer = pairing_.peer, .size_bytes = answer_bytes};
}

void Flow::start(std::size_t size_bytes, int index) const {
  if (active_) context_.transport.start(message(size_bytes, index));
}

void Flow::start_all(std::size_t size_bytes, int messages) const {
  for (int index = 0; index < messages; ++index) start(size_bytes, index);
}

void Flow::expect_all(std::size_t size_bytes, int messages) const {
  if (!passive_ || !context_.transport.has_passive_side(operation_)) return;
  for (int index = 0; index < messages; ++index) context_.transport.expect(message(size_bytes, index));
}

bool Flow::answered() const { return operation_ == Operation::send && direction_ == Direction::one_way; }

void Flow::expect_answer() const {
  if (answered() && active_) context_.transport.expect(answer_message());
}

void Flow::answer() const {
  if (!answered() || !passive_) return;
  context_.transport.start(answer_message());
  context_.transport.finish();
}

std::vector<Transfer> Flow::arrivals(std::size_t size_bytes, int messages) const {
  const bool here = operation_ == Operation::get ? active_ : passive_;
  std::vector<Transfer> all;
  for (int index = 0; here && index < messages; ++index) all.push_back(message(size_bytes, index));
  return all;
}

}  // namespace stretto::probe
