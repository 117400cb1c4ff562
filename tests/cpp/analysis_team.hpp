// SPDX-License-Identifier: BSD-3-Clause
// A team of threads in place of processes.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/team.hpp"

namespace stretto::analysis {

class ThreadTeam final : public Team {
 public:
  struct Shared {
    explicit Shared(std::size_t size)
        : barrier(static_cast<std::ptrdiff_t>(size)), sent(size, std::vector<Bytes>(size)), failed(size) {}
    std::barrier<> barrier;
    std::vector<std::atomic<bool>> failed;
    std::vector<std::vector<Bytes>> sent;  // by sender, by receiver
  };

  ThreadTeam(Shared& shared, std::size_t number) : shared_(shared), number_(number) {}

  [[nodiscard]] std::size_t size() const override { return shared_.sent.size(); }
  [[nodiscard]] std::size_t number() const override { return number_; }
  void fail() override {
    shared_.failed[number_] = true;
    shared_.barrier.arrive_and_wait();
    shared_.barrier.arrive_and_wait();
    shared_.failed[number_] = false;
  }
  [[nodiscard]] std::vector<Bytes> exchange(std::vector<Bytes> to) override {
    shared_.sent[number_] = std::move(to);
    shared_.barrier.arrive_and_wait();
    const bool fails =
        std::ranges::any_of(shared_.failed, [](const std::atomic<bool>& one) { return one.load(); });
    if (fails) {
      shared_.barrier.arrive_and_wait();
      throw TeamFailed();
    }
    std::vector<Bytes> from;
    from.reserve(size());
    for (std::vector<Bytes>& all : shared_.sent) from.push_back(std::move(all[number_]));
    shared_.barrier.arrive_and_wait();
    return from;
  }

 private:
  Shared& shared_;
  std::size_t number_;
};

/// Runs `run` as each process of a team.
inline void on_team(std::size_t size, const std::function<void(Team&)>& run) {
  ThreadTeam::Shared shared(size);
  std::vector<std::jthread> threads;
  for (std::size_t number = 0; number < size; ++number) {
    threads.emplace_back([&shared, &run, number] {
      ThreadTeam team(shared, number);
      run(team);
    });
  }
}

}  // namespace stretto::analysis
