// SPDX-License-Identifier: BSD-3-Clause
// Puts with flags: each block raises its group's counter of arrivals, and who has read its landing raises a
// counter at each of the others, which they wait for before they write there again. No barrier anywhere.
#include <array>
#include <set>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "kernel/movers.hpp"
#include "rma/whole_lines.hpp"

namespace stretto::kernel {
namespace {

constexpr std::size_t flag_bytes = sizeof(std::uint64_t);

class OneSidedMover final : public Mover {
 public:
  OneSidedMover(Runtime& runtime, const Team& team, const MoverShape& shape, const std::vector<Route>& routes)
      : runtime_(runtime),
        blocking_(shape.blocking),
        self_paced_(shape.self_paced),
        credits_offset_(static_cast<std::size_t>(shape.groups) * flag_bytes),
        landing_offset_(
            rma::whole_lines(credits_offset_ + static_cast<std::size_t>(team.size()) * flag_bytes)),
        region_(team, landing_offset_ + shape.landing_bytes),
        arrivals_(routes.size(), std::vector<std::uint64_t>(static_cast<std::size_t>(shape.groups), 0)),
        expected_(static_cast<std::size_t>(shape.groups), 0),
        credited_(static_cast<std::size_t>(team.size()), 0) {
    std::set<int> sources;
    for (std::size_t route = 0; route < routes.size(); ++route) {
      for (const Incoming& one : routes[route]) {
        ++arrivals_[route].at(static_cast<std::size_t>(one.group));
        sources.insert(one.source);
      }
    }
    sources_.assign(sources.begin(), sources.end());
  }

  std::byte* landing() override { return region_.local().data() + landing_offset_; }
  bool copies_to(int target) const override { return region_.neighbour(target) != nullptr; }

  void open(std::size_t route) override {
    ++round_;
    for (std::size_t group = 0; group < expected_.size(); ++group)
      expected_[group] += arrivals_[route][group];
  }

  void send(int target, const std::byte* from, const Block& block, int group) override {
    await_credit(target);
    const Place place{.target = target, .offset = landing_offset_ + block.offset};
    const Flag flag{.offset = static_cast<std::size_t>(group) * flag_bytes};
    ++messages_;
    const bool now = blocking_ || copies_to(target);
    if (block.count == 1) {
      const Source source(from, block.size_bytes);
      if (now) return put_signal(region_, place, source, flag);
      handles_.push_back(nonblocking::put_signal(region_, place, source, flag));
    } else {
      const Levels levels(block);
      if (now) return put_signal(region_, place, from, levels.shape(), flag);
      handles_.push_back(nonblocking::put_signal(region_, place, from, levels.shape(), flag));
    }
  }

  void store(int target, const std::byte* from, const Block& block) override {
    await_credit(target);
    const Levels levels(block);
    put(region_, {.target = target, .offset = landing_offset_ + block.offset}, from, levels.shape());
  }

  void sent() override {
    runtime_.wait_all(handles_);
    handles_.clear();
  }

  void arrived(int group) override {
    const auto place = static_cast<std::size_t>(group);
    if (expected_[place] > 0) wait_signal(region_, place * flag_bytes, expected_[place]);
  }

  void release() override {
    if (self_paced_) return;
    const Flag flag{.offset = credits_offset_ + static_cast<std::size_t>(region_.rank()) * flag_bytes};
    for (const int source : sources_) {
      const Place place{.target = source, .offset = landing_offset_};
      put_signal(region_, place, Source(nullptr, 0), flag);
    }
  }

  std::size_t memory_bytes() const override { return region_.size_bytes(region_.rank()); }

 private:
  /// A block as the runtime's shape; holds what the shape points to.
  class Levels {
   public:
    explicit Levels(const Block& block)
        : counts_{block.size_bytes, block.count}, here_{block.here_stride}, there_{block.there_stride} {}
    [[nodiscard]] Strided shape() const {
      return {.counts = counts_, .local_strides = here_, .remote_strides = there_};
    }

   private:
    std::array<std::size_t, 2> counts_;
    std::array<std::size_t, 1> here_;
    std::array<std::size_t, 1> there_;
  };

  /// Before the first send of a round: the target has released its landing for it.
  void await_credit(int target) {
    const auto place = static_cast<std::size_t>(target);
    if (self_paced_ || credited_[place] == round_) return;
    wait_signal(region_, credits_offset_ + place * flag_bytes, round_);
    credited_[place] = round_;
  }

  Runtime& runtime_;
  bool blocking_;
  bool self_paced_;
  std::size_t credits_offset_;
  std::size_t landing_offset_;
  Region region_;
  std::vector<int> sources_;                          // whoever sends to this rank, on any route
  std::vector<std::vector<std::uint64_t>> arrivals_;  // in a round, by route and group
  std::vector<std::uint64_t> expected_;               // by the end of this round, by group
  std::vector<std::uint64_t> credited_;               // the round for which a target is known to be ready
  std::vector<Handle> handles_;
  std::uint64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Mover> one_sided_mover(Runtime& runtime, const Team& team, const MoverShape& shape,
                                       const std::vector<Route>& routes) {
  return std::make_unique<OneSidedMover>(runtime, team, shape, routes);
}

}  // namespace stretto::kernel
