// SPDX-License-Identifier: BSD-3-Clause
// Transport `stretto`: puts and gets of the one-sided runtime on a region, by any path of the runtime. Its
// progress mode is `thread` with a progress thread, `none` or `poll` without.
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <stretto/aggregate.hpp>
#include <stretto/handle.hpp>
#include <stretto/options.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "exchange/memory_channel.hpp"
#include "exchange/mpi_team.hpp"
#include "exchange/pieces.hpp"
#include "exchange/transports.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::exchange {
namespace {

constexpr Ticket signal_ticket = Ticket{1} << 63;  // plus the rank that sends the signal

class OneSidedChannel final : public MemoryChannel {
 public:
  OneSidedChannel(MPI_Comm parent, MpiTeam& team, const Options& options)
      : MemoryChannel(parent), parent_(parent), team_(team), options_(options) {}
  // The channel is closed by now unless an exception was thrown; the runtime then frees what it can.
  ~OneSidedChannel() override { team_.while_waiting({}); }

  std::string_view name() const override { return "stretto"; }
  bool supports(ChannelOperation operation) const override { return operation != ChannelOperation::send; }
  bool supports(ProgressMode progress) const override {
    return (progress == ProgressMode::thread) == has_progress_thread();
  }
  bool supports(Method /*method*/) const override { return true; }
  std::string_view forced_path() const override {
    return options_.path ? to_string(*options_.path) : std::string_view{};
  }
  ProgressMode standing_progress() const override {
    return has_progress_thread() ? ProgressMode::thread : ProgressMode::none;
  }
  bool needs_exclusive_run() const override { return true; }
  bool signals() const override { return true; }

  void open() override {
    runtime_ = std::make_unique<Runtime>(parent_, options_);
    aggregate_ = std::make_unique<Aggregate>(*runtime_);
    const auto ranks = static_cast<std::size_t>(runtime_->size());
    unflushed_.assign(ranks, false);
    expected_.assign(ranks, 0);
    team_.while_waiting([this] { runtime_->poll(); });
  }

  void close() override {
    release_region();
    team_.while_waiting({});
    aggregate_.reset();
    runtime_->finalize();
    runtime_.reset();
  }

  void reserve(std::size_t size_bytes) override {
    if (size_bytes <= this->size_bytes()) return;
    size_bytes = onesided::round_up_to_lines(size_bytes);
    release_region();
    const std::size_t counters = expected_.size() * sizeof(std::uint64_t);
    region_ = std::make_unique<Region>(*runtime_, 2 * size_bytes + counters);
    allocate(size_bytes, region_->local().first(2 * size_bytes));
    std::ranges::fill(region_->local().last(counters), std::byte{0});
    std::ranges::fill(expected_, 0);
    runtime_->barrier();  // no signal may arrive before the counters are zero
  }

  Ticket start(const Transfer& transfer) override {
    const Place remote{.target = transfer.peer, .offset = size_bytes() + transfer.receive_offset()};
    const Source from(source(transfer), transfer.size_bytes);
    if (transfer.signal) {
      const Flag flag{.offset = counter_of(static_cast<std::size_t>(runtime_->rank()))};
      handles_.push_back(nonblocking::put_signal(*region_, remote, from, flag));
    } else if (transfer.operation == ChannelOperation::put) {
      unflushed_[static_cast<std::size_t>(transfer.peer)] = true;
      handles_.push_back(nonblocking::put(*region_, remote, from));
    } else {
      handles_.push_back(nonblocking::get(*region_,
                                          {.target = transfer.peer, .offset = transfer.offset_bytes},
                                          Sink(destination(transfer), transfer.size_bytes)));
    }
    return handles_.size() - 1;
  }

  Ticket expect(const Transfer& transfer) override {
    if (!transfer.signal) throw std::logic_error("a one-sided operation has no passive side");
    const auto peer = static_cast<std::size_t>(transfer.peer);
    ++expected_[peer];
    return signal_ticket | peer;
  }

  void start_pieces(const Pieces& pieces, Method method) override {
    if (method == Method::individual) return Channel::start_pieces(pieces, method);
    if (pieces.operation == ChannelOperation::put) unflushed_[static_cast<std::size_t>(pieces.peer)] = true;
    if (method == Method::aggregate) {
      aggregate(pieces);
    } else {
      start_vector(pieces);
    }
  }

  void finish(Ticket ticket) override {
    if ((ticket & signal_ticket) != 0) return wait_signal_of(ticket & ~signal_ticket);
    runtime_->wait(handles_[ticket]);
  }

  void finish() override {
    runtime_->wait(*aggregate_);
    runtime_->wait_all(handles_);
    handles_.clear();
    for (std::size_t peer = 0; peer < unflushed_.size(); ++peer) {
      if (unflushed_[peer]) runtime_->fence(static_cast<int>(peer));
      unflushed_[peer] = false;
      if (expected_[peer] > 0) wait_signal_of(peer);
    }
  }

  void barrier() override { runtime_->barrier(); }
  void poll() override { runtime_->poll(); }

  /// The path `fence` counts the requests for remote completion.
  std::span<const std::string_view> paths() const override {
    static constexpr std::array<std::string_view, 4> names = {"direct", "rma", "message", "fence"};
    return names;
  }

  std::vector<measure::PathCount> path_counts() const override {
    std::vector<measure::PathCount> all;
    for (int target = 0; target < runtime_->size(); ++target) {
      const Counters counters = runtime_->counters(target);
      int path = 0;
      for (const PathCounters& one : counters.paths) {
        all.push_back({.target = target,
                       .path = path++,
                       .operations = static_cast<std::int64_t>(one.operations),
                       .bytes = static_cast<std::int64_t>(one.bytes),
                       .messages = static_cast<std::int64_t>(one.messages)});
      }
      all.push_back({.target = target, .path = path, .messages = static_cast<std::int64_t>(counters.fences)});
    }
    return all;
  }

 private:
  bool has_progress_thread() const { return options_.progress == stretto::Progress::thread; }

  void release_region() {
    if (region_ == nullptr) return;
    region_->free();
    region_.reset();
    allocate(0);
  }

  void aggregate(const Pieces& pieces) {
    for (std::size_t i = 0; i < pieces.count; ++i) {
      const Transfer piece = pieces.piece(i);
      if (pieces.operation == ChannelOperation::put) {
        aggregate_->put(*region_, {.target = pieces.peer, .offset = size_bytes() + piece.offset_bytes},
                        Source(source(piece), pieces.piece_bytes));
      } else {
        aggregate_->get(*region_, {.target = pieces.peer, .offset = piece.offset_bytes},
                        Sink(destination(piece), pieces.piece_bytes));
      }
    }
  }

  void start_vector(const Pieces& pieces) {
    std::vector<PutPiece> leaving;
    std::vector<GetPiece> arriving;
    for (std::size_t i = 0; i < pieces.count; ++i) {
      const Transfer piece = pieces.piece(i);
      if (pieces.operation == ChannelOperation::put) {
        leaving.push_back({.from = source(piece),
                           .offset = size_bytes() + piece.offset_bytes,
                           .size_bytes = pieces.piece_bytes});
      } else {
        arriving.push_back(
            {.to = destination(piece), .offset = piece.offset_bytes, .size_bytes = pieces.piece_bytes});
      }
    }
    handles_.push_back(pieces.operation == ChannelOperation::put
                           ? nonblocking::put(*region_, pieces.peer, leaving)
                           : nonblocking::get(*region_, pieces.peer, arriving));
  }

  void wait_signal_of(std::size_t peer) { wait_signal(*region_, counter_of(peer), expected_[peer]); }

  // After the memory of gets and puts, the region has one counter of signals per rank.
  std::size_t counter_of(std::size_t rank) const { return 2 * size_bytes() + rank * sizeof(std::uint64_t); }

  MPI_Comm parent_;
  MpiTeam& team_;
  Options options_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<Region> region_;
  std::vector<Handle> handles_;  // one per ticket, and one per vector of pieces
  std::unique_ptr<Aggregate> aggregate_;
  std::vector<std::uint64_t> expected_;  // total number of signals expected from each rank
  std::vector<bool> unflushed_;          // targets of puts since the last finish()
};

}  // namespace

std::unique_ptr<Channel> one_sided_channel(MPI_Comm parent, MpiTeam& team, const Options& options) {
  return std::make_unique<OneSidedChannel>(parent, team, options);
}

void add_one_sided_channels(const ChannelRequest& request, Channels& channels) {
  std::vector<std::optional<Path>> paths;
  for (const std::string& name : request.paths) {
    for (const Path path : {Path::direct, Path::rma, Path::message}) {
      if (to_string(path) == name) paths.emplace_back(path);
    }
  }
  if (paths.empty()) paths.emplace_back();
  const bool without_thread = request.asks_for(ProgressMode::none) || request.asks_for(ProgressMode::poll);
  for (const std::optional<Path> path : paths) {
    const auto add = [&](Options with) {
      with.path = path;
      channels.push_back(one_sided_channel(request.communicator, request.team, with));
    };
    if (without_thread) add({.progress = Progress::none, .segment_bytes = request.segment_bytes});
    if (request.asks_for(ProgressMode::thread)) add(thread_options(request));
  }
}

Options thread_options(const ChannelRequest& request) {
  return {.progress = Progress::thread,
          .poll_interval_s = request.poll_interval_s,
          .segment_bytes = request.segment_bytes};
}

}  // namespace stretto::exchange
