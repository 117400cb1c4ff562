// SPDX-License-Identifier: BSD-3-Clause
#include "replay/for_all.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace stretto::replay {

void for_all(std::size_t count, unsigned threads,
             const std::function<std::function<void(std::size_t)>()>& make_task) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::size_t at = next++;
    if (at >= count) return;
    try {
      for (const auto task = make_task(); at < count; at = next++) task(at);
    } catch (...) {
      failures[at] = std::current_exception();
      next = count;  // leaves out the numbers that no thread has taken yet: lower ones come to their end
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

}  // namespace stretto::replay
