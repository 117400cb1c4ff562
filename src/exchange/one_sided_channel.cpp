// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/one_sided_channel.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "exchange/pattern.hpp"
#include "exchange/transports.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::exchange {
namespace {

constexpr Ticket signal_ticket = Ticket{1} << 63;  // plus the rank that sends the signal

}  // namespace

OneSidedChannel::OneSidedChannel(MPI_Comm parent, MpiTeam& team, const Options& options)
    : parent_(parent), team_(team), options_(options) {}

// The channel is closed by now unless an exception was thrown; the runtime then frees what it can.
OneSidedChannel::~OneSidedChannel() { team_.while_waiting({}); }

void OneSidedChannel::open() {
  runtime_ = std::make_unique<Runtime>(parent_, options_);
  aggregate_ = std::make_unique<Aggregate>(*runtime_);
  const auto ranks = static_cast<std::size_t>(runtime_->size());
  unflushed_.assign(ranks, false);
  expected_.assign(ranks, 0);
  team_.while_waiting([this] { runtime_->poll(); });
}

void OneSidedChannel::close() {
  release_region();
  team_.while_waiting({});
  aggregate_.reset();
  runtime_->finalize();
  runtime_.reset();
}

void OneSidedChannel::release_region() {
  if (region_ == nullptr) return;
  region_->free();
  region_.reset();
  size_bytes_ = 0;
}

void OneSidedChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= size_bytes_) return;
  size_bytes = onesided::round_up_to_lines(size_bytes);
  release_region();
  const std::size_t counters = expected_.size() * sizeof(std::uint64_t);
  region_ = std::make_unique<Region>(*runtime_, 2 * size_bytes + counters);
  size_bytes_ = size_bytes;
  std::ranges::fill(region_->local(), std::byte{1});
  std::ranges::fill(region_->local().last(counters), std::byte{0});
  std::ranges::fill(expected_, 0);
  runtime_->barrier();  // no signal may arrive before the counters are zero
  outgoing_.assign(size_bytes, std::byte{1});
  fetched_.assign(size_bytes, std::byte{0});
}

TransferBuffers OneSidedChannel::memory(ChannelOperation operation) {
  if (operation == ChannelOperation::put) return {outgoing_, received_by_put()};
  return {exposed(), fetched_};
}

Ticket OneSidedChannel::start(const Transfer& transfer) {
  const Place remote{.target = transfer.peer, .offset = size_bytes_ + transfer.receive_offset()};
  const Source source(outgoing_.data() + transfer.offset_bytes, transfer.size_bytes);
  if (transfer.signal) {
    const Flag flag{.offset = counter_of(static_cast<std::size_t>(runtime_->rank()))};
    handles_.push_back(nonblocking::put_signal(*region_, remote, source, flag));
  } else if (transfer.operation == ChannelOperation::put) {
    unflushed_[static_cast<std::size_t>(transfer.peer)] = true;
    handles_.push_back(nonblocking::put(*region_, remote, source));
  } else {
    handles_.push_back(
        nonblocking::get(*region_, {.target = transfer.peer, .offset = transfer.offset_bytes},
                         Sink(fetched_.data() + transfer.receive_offset(), transfer.size_bytes)));
  }
  return handles_.size() - 1;
}

Ticket OneSidedChannel::expect(const Transfer& transfer) {
  if (!transfer.signal) throw std::logic_error("a one-sided operation has no passive side");
  const auto peer = static_cast<std::size_t>(transfer.peer);
  ++expected_[peer];
  return signal_ticket | peer;
}

void OneSidedChannel::wait_signal_of(std::size_t peer) {
  wait_signal(*region_, counter_of(peer), expected_[peer]);
}

void OneSidedChannel::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::start_pieces(pieces, method);
  if (pieces.operation == ChannelOperation::put) unflushed_[static_cast<std::size_t>(pieces.peer)] = true;
  if (method == Method::aggregate) {
    aggregate(pieces);
  } else {
    start_vector(pieces);
  }
}

void OneSidedChannel::aggregate(const Pieces& pieces) {
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const std::size_t place = pieces.offset_bytes + i * pieces.stride_bytes;
    if (pieces.operation == ChannelOperation::put) {
      aggregate_->put(*region_, {.target = pieces.peer, .offset = size_bytes_ + place},
                      Source(outgoing_.data() + place, pieces.piece_bytes));
    } else {
      aggregate_->get(*region_, {.target = pieces.peer, .offset = place},
                      Sink(fetched_.data() + place, pieces.piece_bytes));
    }
  }
}

void OneSidedChannel::start_vector(const Pieces& pieces) {
  std::vector<PutPiece> leaving;
  std::vector<GetPiece> arriving;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const std::size_t place = pieces.offset_bytes + i * pieces.stride_bytes;
    if (pieces.operation == ChannelOperation::put) {
      leaving.push_back({.from = outgoing_.data() + place,
                         .offset = size_bytes_ + place,
                         .size_bytes = pieces.piece_bytes});
    } else {
      arriving.push_back({.to = fetched_.data() + place, .offset = place, .size_bytes = pieces.piece_bytes});
    }
  }
  handles_.push_back(pieces.operation == ChannelOperation::put
                         ? nonblocking::put(*region_, pieces.peer, leaving)
                         : nonblocking::get(*region_, pieces.peer, arriving));
}

void OneSidedChannel::finish(Ticket ticket) {
  if ((ticket & signal_ticket) != 0) return wait_signal_of(ticket & ~signal_ticket);
  runtime_->wait(handles_[ticket]);
}

void OneSidedChannel::finish() {
  runtime_->wait(*aggregate_);
  runtime_->wait_all(handles_);
  handles_.clear();
  for (std::size_t peer = 0; peer < unflushed_.size(); ++peer) {
    if (unflushed_[peer]) runtime_->fence(static_cast<int>(peer));
    unflushed_[peer] = false;
    if (expected_[peer] > 0) wait_signal_of(peer);
  }
}

void OneSidedChannel::barrier() { runtime_->barrier(); }

void OneSidedChannel::poll() { runtime_->poll(); }

std::span<const std::string_view> OneSidedChannel::paths() const {
  static constexpr std::array<std::string_view, 4> names = {"direct", "rma", "message", "fence"};
  return names;
}

std::vector<measure::PathCount> OneSidedChannel::path_counts() const {
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

void OneSidedChannel::fill(std::uint32_t seed) {
  const int rank = runtime_->rank();
  fill_pattern(outgoing_, rank, seed);
  fill_pattern(exposed(), rank, seed);
  std::ranges::fill(fetched_, std::byte{0});
  std::ranges::fill(received_by_put(), std::byte{0});
}

bool OneSidedChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::byte* base =
      transfer.operation == ChannelOperation::put ? received_by_put().data() : fetched_.data();
  const std::span<const std::byte> bytes{base + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
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
      channels.push_back(std::make_unique<OneSidedChannel>(request.communicator, request.team, with));
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
