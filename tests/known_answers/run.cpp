// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "known_answers/bursts.hpp"
#include "known_answers/control_collective.hpp"
#include "known_answers/engine.hpp"
#include "known_answers/noise.hpp"
#include "known_answers/schedule.hpp"
#include "known_answers/traffic.hpp"

namespace stretto::known_answers {
namespace {

std::vector<Bursts> bursts_of(const VirtualMachine& machine, int ranks) {
  std::vector<Bursts> bursts;
  bursts.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) bursts.emplace_back(machine.bursts, machine.seed, rank);
  return bursts;
}

/// The parts that the ranks of one run share. They hold references to each other.
struct Cluster {
  Cluster(const VirtualMachine& description, int size)
      : machine(description),
        ranks(size),
        bursts(bursts_of(machine, size)),
        traffic(machine, bursts, engine, schedule),
        engine(size, machine.overlap, machine.steal > 0, traffic),
        schedule(size, machine.steal, engine),
        control(size, schedule) {}

  VirtualMachine machine;
  int ranks;
  std::vector<Bursts> bursts;
  VirtualTraffic traffic;
  Engine engine;
  VirtualSchedule schedule;
  VirtualControlCollective control;
};

class VirtualTeam final : public measure::Team {
 public:
  VirtualTeam(Cluster& cluster, int rank) : cluster_(cluster), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return cluster_.ranks; }
  [[nodiscard]] double now_s() override { return cluster_.schedule.now_s(); }

  void wait_until(double deadline_s) override {
    if (!std::isfinite(deadline_s))
      throw std::invalid_argument("virtual team: wait_until() a time that never comes");
    const VirtualMachine& machine = cluster_.machine;
    cluster_.traffic.begin_step(rank_, noise_factors(machine.noise, machine.seed, deadline_s));
    cluster_.schedule.advance_to(rank_, bursts().end_of(std::max(now_s(), deadline_s), 0));
  }

  [[nodiscard]] measure::ProcessorAccount processor_account() override {
    if (!cluster_.machine.bursts_seen) return {};
    return {.waited_s = bursts().lost_until(now_s()), .switches = bursts().switches_until(now_s())};
  }

  void broadcast(std::span<std::byte> data) override { cluster_.control.broadcast(rank_, data); }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    cluster_.control.gather(rank_, mine, all);
  }
  void barrier() override { cluster_.control.broadcast(rank_, {}); }

 private:
  [[nodiscard]] Bursts& bursts() { return cluster_.bursts[static_cast<std::size_t>(rank_)]; }

  Cluster& cluster_;
  int rank_;
};

class VirtualWorker final : public measure::Worker {
 public:
  VirtualWorker(Cluster& cluster, int rank) : cluster_(cluster), rank_(rank) {}

  void work(measure::WorkKind /*kind*/, std::uint64_t count) override { pass(static_cast<double>(count)); }
  [[nodiscard]] bool real() const override { return false; }
  void compute(double peak_flops, const std::function<void()>& body) override {
    body();
    pass(peak_flops / measure::flops_per_count);
  }

 private:
  void pass(double counts) {
    const double slower = cluster_.traffic.factors(rank_).work;
    const double begin_s = cluster_.schedule.now_s();
    const double need_s = counts * cluster_.machine.work_s_per_count * slower;
    Bursts& bursts = cluster_.bursts[static_cast<std::size_t>(rank_)];
    cluster_.schedule.work(rank_, bursts.end_of(begin_s, need_s) - begin_s);
  }

  Cluster& cluster_;
  int rank_;
};

class VirtualChannel final : public exchange::Channel {
 public:
  VirtualChannel(Cluster& cluster, int rank) : cluster_(cluster), traffic_(cluster.traffic), rank_(rank) {}

  [[nodiscard]] std::string_view name() const override { return "virtual"; }
  [[nodiscard]] bool supports(exchange::ChannelOperation /*operation*/) const override { return true; }

  void reserve(std::size_t size_bytes) override {
    traffic_.memory().reserve(size_bytes);
    cluster_.control.reserve(rank_);
  }
  Ticket start(const Transfer& transfer) override { return traffic_.start(rank_, transfer); }
  Ticket expect(const Transfer& transfer) override { return traffic_.expect(rank_, transfer); }
  void finish(Ticket ticket) override { traffic_.finish(rank_, ticket); }
  void finish() override { traffic_.finish(rank_); }
  void barrier() override { cluster_.control.broadcast(rank_, {}); }
  void poll() override { traffic_.poll(rank_); }
  void fill(std::uint32_t seed) override { traffic_.fill(rank_, seed); }
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override {
    return traffic_.memory().arrived({.from = transfer.peer,
                                      .to = rank_,
                                      .offset_bytes = transfer.offset_bytes,
                                      .receive_offset_bytes = transfer.receive_offset(),
                                      .size_bytes = transfer.size_bytes},
                                     seed);
  }

 private:
  Cluster& cluster_;
  VirtualTraffic& traffic_;
  int rank_;
};

}  // namespace

void run_virtual(const VirtualMachine& machine, int ranks, const std::function<void(VirtualRank&)>& body) {
  if (ranks < 1) throw std::invalid_argument("a virtual machine needs at least one rank");
  Cluster cluster(machine, ranks);
  cluster.schedule.run([&](int rank) {
    VirtualTeam team(cluster, rank);
    VirtualWorker worker(cluster, rank);
    VirtualChannel transport(cluster, rank);
    VirtualRank self{.team = team, .worker = worker, .transport = transport};
    body(self);
  });
}

}  // namespace stretto::known_answers
