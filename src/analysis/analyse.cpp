// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/analyse.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "analysis/rank_potential.hpp"

namespace stretto::analysis {
namespace {

/// Calls `read` with each number below `count`, in several threads. Of several failures the first number's is
/// thrown.
void for_all(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& read) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (std::size_t at = next++; at < count && !failed; at = next++) {
      try {
        read(at);
      } catch (...) {
        failures[at] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

/// Adds the ranks' sums in the order of the ranks, so that rounding does not depend on the threads.
class InOrder {
 public:
  explicit InOrder(std::size_t ranks) : waiting_(ranks) {}

  void add(std::size_t number, Potential sums) {
    const std::lock_guard lock(mutex_);
    waiting_[number] = std::move(sums);
    for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
      total.add(*waiting_[next_]);
      waiting_[next_].reset();
    }
  }

  Potential total;

 private:
  std::mutex mutex_;
  std::vector<std::optional<Potential>> waiting_;
  std::size_t next_ = 0;
};

Potential sums_of(const std::filesystem::path& file, const AnalysisOptions& options) {
  replay::TraceReader reader(file);
  const std::vector<CallTraits> traits = traits_of(reader.calls());
  bool watched = false;
  // With several threads a block may use what a later one defines.
  reader.for_each([&](std::uint32_t, const record::Record& record) {
    watched = watched || traits[record::high_field(record.begin_and_call)].role == Role::data;
  });
  Potential sums;
  RankPotential potential(reader, options.cost, {.watched = watched, .by_data = options.by_data}, sums);
  reader.for_each([&](std::uint32_t thread, const record::Record& record) {
    potential.take(thread, Event(record, traits));
  });
  potential.finish();
  return sums;
}

}  // namespace

Potential analyse(const std::vector<std::filesystem::path>& files, const AnalysisOptions& options) {
  InOrder sums(files.size());
  for_all(files.size(), options.threads,
          [&](std::size_t number) { sums.add(number, sums_of(files[number], options)); });
  return std::move(sums.total);
}

}  // namespace stretto::analysis
