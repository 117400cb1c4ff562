// SPDX-License-Identifier: BSD-3-Clause
// Transport `stretto`: puts and gets of the one-sided runtime on a region, by any path of the runtime. Its
// progress mode is `thread` with a progress thread, `none` or `poll` without.
#pragma once

#include <memory>
#include <span>
#include <stretto/aggregate.hpp>
#include <stretto/handle.hpp>
#include <stretto/options.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "exchange/mpi_team.hpp"
#include "exchange/pieces.hpp"

namespace stretto::exchange {

struct ChannelRequest;

/// The options of a runtime with a progress thread.
[[nodiscard]] Options thread_options(const ChannelRequest& request);

class OneSidedChannel final : public Channel {
 public:
  /// Duplicates `parent` when it is opened. While it is open, a rank that waits for others of `team` makes
  /// progress, as in a barrier of the runtime.
  OneSidedChannel(MPI_Comm parent, MpiTeam& team, const Options& options);
  ~OneSidedChannel() override;

  [[nodiscard]] std::string_view name() const override { return "stretto"; }
  [[nodiscard]] bool supports(ChannelOperation operation) const override {
    return operation != ChannelOperation::send;
  }
  [[nodiscard]] bool supports(ProgressMode progress) const override {
    return (progress == ProgressMode::thread) == has_progress_thread();
  }
  [[nodiscard]] std::string_view forced_path() const override {
    return options_.path ? to_string(*options_.path) : std::string_view{};
  }
  [[nodiscard]] ProgressMode standing_progress() const override {
    return has_progress_thread() ? ProgressMode::thread : ProgressMode::none;
  }
  [[nodiscard]] bool needs_exclusive_run() const override { return true; }
  /// The effective options. The channel must be open.
  [[nodiscard]] const Options& options() const { return runtime_->options(); }
  void open() override;
  void close() override;
  void reserve(std::size_t size_bytes) override;
  [[nodiscard]] TransferBuffers memory(ChannelOperation operation) override;
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  [[nodiscard]] bool supports(Method /*method*/) const override { return true; }
  void start_pieces(const Pieces& pieces, Method method) override;
  void finish(Ticket ticket) override;
  void finish() override;
  [[nodiscard]] bool signals() const override { return true; }
  void barrier() override;
  void poll() override;
  /// The path `fence` counts the requests for remote completion.
  [[nodiscard]] std::span<const std::string_view> paths() const override;
  [[nodiscard]] std::vector<measure::PathCount> path_counts() const override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override;

 private:
  [[nodiscard]] bool has_progress_thread() const { return options_.progress == stretto::Progress::thread; }
  void release_region();
  void aggregate(const Pieces& pieces);
  void start_vector(const Pieces& pieces);

  void wait_signal_of(std::size_t peer);

  // Layout of the region: the source of gets, the target of puts, and one counter of signals per rank.
  [[nodiscard]] std::span<std::byte> exposed() const { return region_->local().first(size_bytes_); }
  [[nodiscard]] std::span<std::byte> received_by_put() const {
    return region_->local().subspan(size_bytes_, size_bytes_);
  }
  [[nodiscard]] std::size_t counter_of(std::size_t rank) const {
    return 2 * size_bytes_ + rank * sizeof(std::uint64_t);
  }

  MPI_Comm parent_;
  MpiTeam& team_;
  Options options_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<Region> region_;
  std::size_t size_bytes_ = 0;
  std::vector<std::byte> outgoing_;  // sources of puts
  std::vector<std::byte> fetched_;   // destinations of gets
  std::vector<Handle> handles_;      // one per ticket, and one per vector of pieces
  std::unique_ptr<Aggregate> aggregate_;
  std::vector<std::uint64_t> expected_;  // total number of signals expected from each rank
  std::vector<bool> unflushed_;          // targets of puts since the last finish()
};

}  // namespace stretto::exchange
