// SPDX-License-Identifier: BSD-3-Clause
// Computation is in flops, and calls have no times: in the trace that is made they take none. Collectives and
// messages are of the world, as SimGrid's own replay has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "foreign/call_writer.hpp"
#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "foreign/time_independent_file.hpp"

namespace stretto::foreign {
namespace {

/// What SimGrid writes for MPI_PROC_NULL, and for a source that the receive does not name.
constexpr std::int64_t unknown_rank = -333;
/// Of an element, where MPI_Init has a word and the action no type.
constexpr double double_bytes = 8;

std::uint64_t whole_from(double value, const char* what) {
  if (value > static_cast<double>(record::field_mask))
    throw Damaged(fmt::format("{} that no record can hold", what));
  return static_cast<std::uint64_t>(value);
}

/// What all ranks share.
struct TimeIndependentSource {
  Origin origin;
  std::filesystem::path directory;  ///< for the trace
  double flops_rate = 0;            ///< of the hosts
  Comm world;
  Functions functions;
  LeftOut left_out;
};

/// One rank: its time so far, and its open requests.
class TimeIndependentRank {
 public:
  /// `source` must outlive this object.
  TimeIndependentRank(TimeIndependentSource& source, std::int32_t rank) : of_(source), rank_(rank) {}

  /// One action. The file of the trace is open from the first to the last. Throws Damaged.
  void take(const ActionWords& words) {
    if (has_ended_) throw Damaged("an action behind finalize");
    if (!out_) out_.emplace(of_.directory, rank_, of_.world.members.size(), of_.left_out);
    const Action* const action = words.action();
    if (action == nullptr) return count(words, "");
    const Action::Kind kind = action->kind;
    if (kind == Action::begin) default_bytes_ = words.has(0) ? double_bytes : 1;
    if (kind == Action::compute) time_s_ += words.number(0) / of_.flops_rate;
    if (kind == Action::sleep) time_s_ += words.number(0);
    if (kind == Action::message) add_message(*action, words);
    if (kind == Action::collective) add_collective(*action, words);
    if (kind == Action::wait || kind == Action::waitall) end_requests(*action, words);
    if (kind == Action::begin || kind == Action::test || kind == Action::end) {
      begin(action->function);
      add();
    }
    if (kind != Action::end) return;
    out_->finish(of_.origin);
    out_.reset();
    has_ended_ = true;
    if (!open_.empty()) of_.left_out["request without a wait"] += open_.size();
  }

  /// Throws Damaged unless the last action was taken.
  void finish() const {
    if (!has_ended_)
      throw Damaged(fmt::format("the actions of rank {} end without finalize: they are cut off", rank_));
  }

 private:
  using Message = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, target and tag

  void begin(const char* function) {
    const double ns = std::nearbyint(time_s_ * 1e9);
    call_.begin(of_.functions.add(function), whole_from(ns, "a time"), nullptr);
  }

  void add() { out_->add(0, call_, call_.begin_ns); }

  void count(const ActionWords& words, const char* what) { ++of_.left_out[words.name() + what]; }

  void add_message(const Action& action, const ActionWords& words) {
    begin(action.function);
    const std::int64_t peer = words.whole(0);
    const std::int64_t tag = words.whole(1);
    const double elements = words.number(2);
    const double type_bytes = words.type_bytes(3, default_bytes_);
    if (type_bytes == 0) count(words, " of a derived datatype");
    if (peer >= 0 && std::cmp_less(peer, of_.world.members.size()) && tag >= 0) {
      const Transfer transfer{.moved = action.moved,
                              .comm = &of_.world,
                              .peer = static_cast<std::int32_t>(peer),
                              .tag = tag,
                              .bytes = whole_from(elements * std::max(type_bytes, 1.0), "a size")};
      if (action.is_blocking) {
        call_.done.push_back(transfer);
      } else {
        const bool sends = action.moved == Moved::sent;
        call_.started.push_back({out_->new_request(), transfer});
        open_.emplace(Message{sends ? rank_ : peer, sends ? peer : rank_, tag}, call_.started[0].request);
      }
    } else if (peer != unknown_rank) {
      throw Damaged(fmt::format("a message with rank {} of {}, tag {}", peer, of_.world.members.size(), tag));
    } else if (action.moved == Moved::received) {
      count(words, " without a source");
    }
    add();
  }

  void add_collective(const Action& action, const ActionWords& words) {
    begin(action.function);
    const auto sent = bytes(action.sent, words);
    const auto received = bytes(action.received, words);
    Transfer transfer{.moved = Moved::by_all, .comm = &of_.world, .peer = record::no_peer};
    double flops = 0;
    if (!sent || !received) {
      count(words, " of a derived datatype");
    } else {
      transfer.bytes = *sent;
      transfer.extra = *received;
      if (action.root.first >= 0) transfer.peer = root(place(action.root), words);
      if (action.flops.first >= 0) flops = words.number(place(action.flops));
    }
    call_.done.push_back(transfer);
    add();
    time_s_ += flops / of_.flops_rate;
  }

  /// Nothing: it is of a derived datatype, of which the trace has the number of elements only.
  std::optional<std::uint64_t> bytes(const ActionBytes& of, const ActionWords& words) const {
    if (of.blocks == ActionBytes::none) return 0;
    const std::size_t ranks = of_.world.members.size();
    double elements = 0;
    for (std::size_t i = 0; i < (of.blocks == ActionBytes::each ? ranks : 1); ++i)
      elements += words.number(place(of.elements) + i);
    const double type_bytes = words.type_bytes(place(of.type), default_bytes_);
    if (type_bytes == 0) return std::nullopt;
    const double blocks = of.blocks == ActionBytes::equal ? static_cast<double>(ranks) : 1;
    return whole_from(elements * type_bytes * blocks, "a size");
  }

  std::int32_t root(std::size_t at, const ActionWords& words) const {
    const std::int64_t root = words.has(at) ? words.whole(at) : 0;
    if (root < 0 || std::cmp_greater_equal(root, of_.world.members.size()))
      throw Damaged(fmt::format("root {} of {} ranks", root, of_.world.members.size()));
    return static_cast<std::int32_t>(root);
  }

  std::size_t place(const ActionPlace& of) const {
    return static_cast<std::size_t>(of.first) +
           static_cast<std::size_t>(of.per_rank) * of_.world.members.size();
  }

  void end_requests(const Action& action, const ActionWords& words) {
    begin(action.function);
    const bool all = action.kind == Action::waitall;
    auto [first, last] = all ? std::pair(open_.begin(), open_.end())
                             : open_.equal_range({words.whole(0), words.whole(1), words.whole(2)});
    if (!all && first != last) last = std::next(first);
    for (auto one = first; one != last; ++one) call_.completed.push_back(one->second);
    open_.erase(first, last);
    std::ranges::sort(call_.completed);
    add();
  }

  TimeIndependentSource& of_;
  std::int32_t rank_;
  std::optional<CallWriter> out_;
  bool has_ended_ = false;
  double time_s_ = 0;
  double default_bytes_ = 1;
  Call call_;
  std::multimap<Message, std::uint64_t> open_;  // requests
};

}  // namespace

LeftOut convert_time_independent(const std::filesystem::path& source, const std::filesystem::path& directory,
                                 double flops_rate) {
  const std::vector<std::filesystem::path> files = action_files(source);
  if (files.empty()) throw Damaged(fmt::format("{}: has no action", source.string()));
  std::vector<std::int32_t> members(files.size() > 1 ? files.size() : count_ranks(files.front()));
  std::iota(members.begin(), members.end(), 0);
  if (files.size() == 1) allow_open_files(members.size());
  TimeIndependentSource of{.origin = {.file = source.filename().string(), .format = "SimGrid"},
                           .directory = directory,
                           .flops_rate = flops_rate,
                           .world = {.members = members}};
  std::deque<TimeIndependentRank> ranks;
  for (const std::int32_t rank : members) ranks.emplace_back(of, rank);
  for (const std::filesystem::path& file : files) {
    read_actions(file, [&](std::size_t rank, const ActionWords& words) {
      if (rank >= ranks.size()) throw Damaged(fmt::format("rank {} of {}", rank, ranks.size()));
      ranks[rank].take(words);
    });
  }
  for (const TimeIndependentRank& one : ranks) one.finish();
  return of.left_out;
}

}  // namespace stretto::foreign
