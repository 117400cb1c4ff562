// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_rank.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "foreign/otf2_events.hpp"
#include "foreign/otf2_types.hpp"

namespace stretto::foreign {
namespace {

Transfer message(Moved moved, const Otf2Event& event, std::int32_t own, std::uint64_t bytes) {
  const auto members = event.comm->members_for(own);
  if (event.peer >= members.size()) {
    throw Damaged(fmt::format("a message with rank {} of a communicator of {}", event.peer, members.size()));
  }
  return {.moved = moved, .comm = event.comm, .peer = members[event.peer], .tag = event.tag, .bytes = bytes};
}

/// Some recorders count the root's data once per member; the vector is one member's share.
bool has_one_vector(std::uint8_t operation) {
  constexpr std::uint8_t bcast = 1;
  constexpr std::uint8_t allreduce = 11;
  constexpr std::uint8_t reduce = 12;
  constexpr std::uint8_t scan = 14;
  constexpr std::uint8_t exscan = 15;
  return operation == bcast || operation == allreduce || operation == reduce || operation == scan ||
         operation == exscan;
}

Transfer collective(const Otf2Event& event, std::int32_t own) {
  const auto members = event.comm->members_for(own);
  Transfer made{.moved = Moved::by_all, .comm = event.comm, .peer = record::no_peer};
  if (event.root < members.size()) made.peer = members[event.root];
  made.bytes = event.bytes;
  made.extra = event.received_bytes;
  if (has_one_vector(event.operation)) {
    if (made.extra != 0) made.bytes = made.extra;
    made.extra = 0;
  }
  return made;
}

/// What only later events say of a request or a probed message. They are read ahead as far as needed.
class Otf2Ends {
 public:
  Otf2Ends(const Otf2Archive& archive, std::int32_t rank)
      : events_(archive, archive.ranks()[static_cast<std::size_t>(rank)]), rank_(rank) {}

  /// What the next receive or collective with this request is; none: it has no end, or was cancelled.
  std::optional<Transfer> transfer(std::uint64_t request) {
    return next_of(transfers_, request).value_or(std::nullopt);
  }
  /// The size of the next message that is received with this number; 0: none is.
  std::uint64_t message_bytes(std::uint64_t message) { return next_of(message_bytes_, message).value_or(0); }

 private:
  template <typename Value>
  struct Queue {
    std::vector<Value> values;
    std::size_t first = 0;
  };
  template <typename Value>
  using Queues = std::unordered_map<std::uint64_t, Queue<Value>>;

  template <typename Value>
  std::optional<Value> next_of(Queues<Value>& queues, std::uint64_t number) {
    auto found = queues.find(number);
    while (found == queues.end()) {
      Otf2Event event;
      if (!events_.next(event)) return std::nullopt;
      take(event);
      found = queues.find(number);
    }
    Queue<Value>& queue = found->second;
    const Value value = queue.values[queue.first++];
    if (queue.first == queue.values.size()) queues.erase(found);
    return value;
  }

  void take(const Otf2Event& event) {
    switch (event.type) {
      case otf2::irecv_request:
      case otf2::nonblocking_request:
        open_.insert(event.request);
        break;
      case otf2::irecv:
      case otf2::nonblocking_complete:
        open_.erase(event.request);
        transfers_[event.request].values.emplace_back(
            event.type == otf2::irecv ? message(Moved::received, event, rank_, event.bytes)
                                      : collective(event, rank_));
        break;
      case otf2::request_cancelled:
        if (open_.erase(event.request) > 0) transfers_[event.request].values.emplace_back(std::nullopt);
        break;
      case otf2::imrecv_request:
        probed_[event.request] = event.message;
        break;
      case otf2::imrecv:
        if (const auto found = probed_.extract(event.request))
          message_bytes_[found.mapped()].values.push_back(event.bytes);
        break;
      case otf2::mrecv:
        message_bytes_[event.message].values.push_back(event.bytes);
        break;
      default:
        break;
    }
  }

  Otf2Events events_;
  std::int32_t rank_;
  std::unordered_set<std::uint64_t> open_;
  std::unordered_map<std::uint64_t, std::uint64_t> probed_;  // the messages of requests
  Queues<std::optional<Transfer>> transfers_;
  Queues<std::uint64_t> message_bytes_;
};

class Otf2Rank {
 public:
  Otf2Rank(const Otf2Archive& archive, CallWriter& out, LeftOut& left_out)
      : archive_(archive),
        out_(out),
        left_out_(left_out),
        ends_(archive, out.rank()),
        threads_(archive.ranks()[static_cast<std::size_t>(out.rank())].size()) {}

  void take(const Otf2Event& event) {
    Thread& thread = threads_[event.location];
    if (!thread.has_begun) {
      thread.has_begun = true;
      thread.number = begun_threads_++;
    }
    if (event.type == otf2::enter) {
      enter(thread, event);
    } else if (event.type == otf2::leave) {
      leave(thread, event);
    } else if (event.type > otf2::imrecv) {
      ++left_out_[fmt::format("event of type {}", event.type)];
    } else if (const std::string_view name = name_of_mpi_event(event.type); !name.empty()) {
      if (is_without_effect(event.type)) return;
      if (!thread.is_inside) {
        count(name, " outside of a call");
      } else {
        within(thread.call, event, name);
      }
    }
  }

 private:
  struct Thread {
    bool has_begun = false;
    std::uint32_t number = 0;                // in the order of their first events
    std::vector<const Otf2Region*> regions;  // those that are not of MPI
    Call call;
    bool is_inside = false;   // of a call of MPI
    std::uint64_t depth = 0;  // nesting depth of MPI functions
  };

  static bool is_without_effect(std::uint8_t type) {
    return type == otf2::collective_begin || type == otf2::request_test || type == otf2::rma_collective_begin;
  }

  void count(std::string_view name, std::string_view more = {}) {
    ++left_out_[fmt::format("{}{}", name, more)];
  }

  void enter(Thread& thread, const Otf2Event& event) {
    if (event.region->mpi == nullptr) {
      thread.regions.push_back(event.region);
      return;
    }
    if (thread.depth++ > 0) return;
    const bool has_place = !thread.regions.empty() && !thread.regions.back()->place->empty();
    thread.call.begin(event.region->mpi, archive_.ns(event.time),
                      has_place ? thread.regions.back()->place : nullptr);
    thread.is_inside = true;
  }

  void leave(Thread& thread, const Otf2Event& event) {
    if (event.region->mpi == nullptr) {
      if (!thread.regions.empty()) thread.regions.pop_back();
      return;
    }
    if (thread.depth > 0) --thread.depth;
    if (thread.depth > 0 || !thread.is_inside) return;
    out_.add(thread.number, thread.call, archive_.ns(event.time));
    thread.is_inside = false;
  }

  void within(Call& call, const Otf2Event& event, std::string_view name) {
    switch (event.type) {
      case otf2::send:
        call.done.push_back(message(Moved::sent, event, out_.rank(), event.bytes));
        break;
      case otf2::recv:
        call.done.push_back(message(Moved::received, event, out_.rank(), event.bytes));
        break;
      case otf2::collective_end:
        call.done.push_back(collective(event, out_.rank()));
        break;
      case otf2::isend: {
        const Transfer sent = message(Moved::sent, event, out_.rank(), event.bytes);
        call.started.push_back({begin(event), sent});
        break;
      }
      case otf2::irecv_request:
      case otf2::nonblocking_request:
        if (const auto transfer = ends_.transfer(event.request)) {
          call.started.push_back({begin(event), *transfer});
        } else {
          count(name, " without an end");
        }
        break;
      case otf2::probe:
        probe(call, event);
        break;
      case otf2::mrecv:
      case otf2::imrecv_request:
        receive_probed(call, event, name);
        break;
      case otf2::isend_complete:
      case otf2::irecv:
      case otf2::imrecv:
      case otf2::nonblocking_complete:
        if (const auto found = requests_.extract(event.request)) {
          call.completed.push_back(found.mapped());
        } else {
          count(name, " without a start");
        }
        break;
      case otf2::request_cancelled:  // that of a receive is counted at its start
        if (const auto found = requests_.extract(event.request)) call.cancelled.push_back(found.mapped());
        break;
      default:
        count(name);
        break;
    }
  }

  /// A matched probe takes the message out of the queue and numbers it as a request.
  void probe(Call& call, const Otf2Event& event) {
    const bool is_matched = call.function->name == "MPI_Mprobe" || call.function->name == "MPI_Improbe";
    const std::uint64_t bytes = is_matched ? ends_.message_bytes(event.message) : 0;
    call.probed = {0, message(Moved::received, event, out_.rank(), bytes)};
    if (!is_matched) return;
    call.probed->request = out_.new_request();
    messages_.insert_or_assign(event.message, *call.probed);
  }

  void receive_probed(Call& call, const Otf2Event& event, std::string_view name) {
    call.taken.reset();
    const auto found = messages_.extract(event.message);
    if (!found) {
      count(name, " without a probe");
      return;
    }
    call.taken = found.mapped();
    if (event.type == otf2::imrecv_request) requests_[event.request] = call.taken->request;
  }

  std::uint64_t begin(const Otf2Event& event) { return requests_[event.request] = out_.new_request(); }

  const Otf2Archive& archive_;
  CallWriter& out_;
  LeftOut& left_out_;
  Otf2Ends ends_;
  std::vector<Thread> threads_;  // by location
  std::uint32_t begun_threads_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t>
      requests_;                                           // from those of the archive to those of the trace
  std::unordered_map<std::uint64_t, Requested> messages_;  // matched ones, by the archive's number
};

}  // namespace

void convert_otf2_rank(const Otf2Archive& archive, CallWriter& out, LeftOut& left_out) {
  Otf2Events events(archive, archive.ranks()[static_cast<std::size_t>(out.rank())]);
  Otf2Rank rank(archive, out, left_out);
  Otf2Event event;
  while (events.next(event)) rank.take(event);
}

}  // namespace stretto::foreign
