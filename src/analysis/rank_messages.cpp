// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_messages.hpp"

namespace stretto::analysis {
namespace {

/// What a persistent request starts, in the `count` of its record.
enum Started : std::uint32_t { send = 0, receive = 1, partitioned_send = 3, partitioned_receive = 4 };

}  // namespace

void RankMessages::take(const Event& event, const Event& call, std::vector<MessageEnd>& ends) {
  const CallTraits& traits = *event.traits;
  if (traits.role == Role::completion) return complete(event, ends);
  if (traits.role == Role::receive_half) {
    return call.traits->half_posts ? post(event) : receive(event, call, ends);
  }
  if (traits.role == Role::started) {
    if (event.count == Started::receive || event.count == Started::partitioned_receive) return post(event);
    if (event.count == Started::send || event.count == Started::partitioned_send) send(event, true, ends);
    return;
  }
  if (traits.role == Role::free_request) {
    if (event.count == 0) free(event.request);  // else it was cancelled, and its completion follows
    return;
  }
  switch (traits.matching) {
    case Matching::sends:
    case Matching::starts_send:
      return send(event, traits.matching == Matching::starts_send, ends);
    case Matching::receives:
      return receive(event, event, ends);
    case Matching::probes:
      if (event.count == 0) return;
      [[fallthrough]];  // a matched probe takes its message out of the queue
    case Matching::posts:
      return post(event);
    case Matching::takes_probed:
      return complete(event, ends);
    case Matching::none:
      return;
  }
}

void RankMessages::send(const Event& event, bool is_nonblocking, std::vector<MessageEnd>& ends) {
  if (event.peer < 0) return;
  Channel& of = table_[{rank_, event.peer, key(event.context), event.tag}];
  const MessageEnd& end = ends.emplace_back(
      MessageEnd{&of, of.next_send(), true, event.begin_s, event.size_bytes, event.request});
  table_.send(end, is_nonblocking ? unknown_s : event.end_s());
}

void RankMessages::receive(const Event& event, const Event& call, std::vector<MessageEnd>& ends) {
  if (event.peer < 0) return;
  Channel& of = channel(event.peer, event.context, event.tag);
  const MessageEnd& end =
      ends.emplace_back(MessageEnd{&of, of.next_receive(), false, 0, event.size_bytes, event.request});
  table_.post(end, call.begin_s);
}

void RankMessages::post(const Event& event) {
  if (event.peer < record::any_peer) return;
  free(event.request);
  Posted one{event.peer, event.tag, event.context, event.size_bytes, {}, event.begin_s};
  if (event.peer >= 0 && event.tag != record::any_tag) {
    Channel& of = channel(event.peer, event.context, event.tag);
    one.number = of.next_receive();
    table_.post(MessageEnd{&of, *one.number, false, 0, event.size_bytes, event.request}, one.posted_s);
  } else {
    ++from_anybody_;
  }
  posted_.add(event.request, one);
}

void RankMessages::complete(const Event& event, std::vector<MessageEnd>& ends) {
  const bool is_completion = event.traits->role == Role::completion;
  const std::optional<Posted> one = unpost(event.request);
  if (!one) return;
  if (is_completion && event.count == record::cancelled) return take_back(*one);
  std::int32_t peer = one->peer;
  std::int32_t tag = one->tag;
  if (!one->number) {
    const replay::TracedContext* context = reader_.context(one->context);
    peer = context != nullptr ? context->world(event.peer) : event.peer;
    tag = event.tag;
  }
  if (peer < 0) return;
  Channel& of = channel(peer, one->context, tag);
  const bool has_size = is_completion && event.count == record::has_source;
  const std::uint64_t size_bytes = has_size ? event.size_bytes : one->size_bytes;
  const std::uint64_t number = one->number ? *one->number : of.next_receive();
  const MessageEnd& end = ends.emplace_back(MessageEnd{&of, number, false, 0, size_bytes, event.request});
  if (!one->number) table_.post(end, one->posted_s);
}

/// The receive ends without a call that completes it.
void RankMessages::free(std::uint32_t request) {
  const std::optional<Posted> freed = unpost(request);
  if (!freed || !freed->number) return;
  table_.unpost({&channel(freed->peer, freed->context, freed->tag), *freed->number});
}

void RankMessages::take_back(const Posted& cancelled) {
  if (!cancelled.number) return;
  Channel& of = channel(cancelled.peer, cancelled.context, cancelled.tag);
  table_.take_back({&of, *cancelled.number});
  posted_.for_each([&](Posted& one) {
    if (!one.number || *one.number < *cancelled.number) return;
    if (&channel(one.peer, one.context, one.tag) == &of) --*one.number;
  });
}

std::optional<RankMessages::Posted> RankMessages::unpost(std::uint32_t request) {
  const std::optional<Posted> one = posted_.take(request);
  if (one && !one->number) --from_anybody_;
  return one;
}

Channel& RankMessages::channel(std::int32_t source, std::uint16_t context, std::int32_t tag) {
  return table_[{source, rank_, key(context), tag}];
}

std::uint64_t RankMessages::key(std::uint16_t context) const {
  const replay::TracedContext* known = reader_.context(context);
  return known != nullptr ? known->key : 0;
}

}  // namespace stretto::analysis
