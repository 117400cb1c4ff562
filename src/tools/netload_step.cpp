// SPDX-License-Identifier: BSD-3-Clause
#include "tools/netload_step.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "measure/clock.hpp"

namespace stretto::tools {

using measure::monotonic_s;
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr double lead_s = 2e-3;  // time from the message about a step to its start: several round trips

double process_cpu_s() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void send_all(const Link& link, std::uint64_t size, std::span<const std::byte> block) {
  while (size > 0) {
    const std::size_t piece = std::min<std::uint64_t>(size, block.size());
    link.send(block.first(piece));
    size -= piece;
  }
}

void receive_all(const Link& link, std::uint64_t size, std::span<std::byte> block, StepTime& time) {
  bool first = true;
  while (size > 0) {
    const std::size_t piece = link.receive_some(block.first(std::min<std::uint64_t>(size, block.size())));
    if (piece == 0) {
      throw std::runtime_error("the other host has closed the connection");
    }
    if (std::exchange(first, false)) {
      time.first_arrival_s = monotonic_s();
      time.first_bytes = piece;
    }
    size -= piece;
  }
}

/// A thread that passes its exception to the thread that joins it.
class DataThread {
 public:
  template <typename F>
  explicit DataThread(F task)
      : thread_([this, task] {
          try {
            task();
          } catch (...) {
            failure_ = std::current_exception();
          }
        }) {}
  void join() {
    thread_.join();
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::exception_ptr failure_;
  std::jthread thread_;
};

/// Executes one host's part of a step.
StepTime do_step(const Step& step, std::uint64_t sent, std::uint64_t received, const Link& data,
                 measure::Worker& worker, std::span<std::byte> buffer) {
  StepTime time;
  const auto outgoing = buffer.first(block_bytes);
  const auto incoming = buffer.last(block_bytes);
  const double cpu_before_s = process_cpu_s();
  while (monotonic_s() < step.start_s) {
  }
  time.first_start_s = monotonic_s();
  if (step.work_count == 0 && (sent == 0 || received == 0)) {
    send_all(data, sent, outgoing);
    receive_all(data, received, incoming, time);
  } else {
    DataThread sender([&] { send_all(data, sent, outgoing); });
    DataThread receiver([&] { receive_all(data, received, incoming, time); });
    if (step.work_count > 0) {
      const double computing_since_s = monotonic_s();
      worker.work(measure::WorkKind::registers, step.work_count);
      time.computing_s = monotonic_s() - computing_since_s;
    }
    sender.join();
    receiver.join();
  }
  time.last_end_s = monotonic_s();
  time.cpu_s = process_cpu_s() - cpu_before_s;
  return time;
}

}  // namespace

Leader::Leader(Link control, Link data, measure::Worker& worker)
    : control_(std::move(control)), data_(std::move(data)), worker_(worker), buffer_(2 * block_bytes) {}

StepTime Leader::run(Step step) {
  step.start_s = monotonic_s() + lead_s;
  control_.send_value(step);
  const StepTime mine = do_step(step, step.size_bytes, step.answer_bytes, data_, worker_, buffer_);
  auto all = control_.receive_value<StepTime>();  // arrival times are the follower's
  all.first_start_s = std::min(mine.first_start_s, all.first_start_s);
  all.last_end_s = std::max(mine.last_end_s, all.last_end_s);
  all.cpu_s += mine.cpu_s;
  all.computing_s = (mine.computing_s + all.computing_s) / 2;
  return all;
}

void follow(const Link& control, const Link& data, measure::Worker& worker) {
  std::vector<std::byte> buffer(2 * block_bytes);
  while (true) {
    Step step;
    auto bytes = std::as_writable_bytes(std::span{&step, 1});
    const std::size_t first = control.receive_some(bytes);
    if (first == 0) {
      return;
    }
    control.receive(bytes.subspan(first));
    control.send_value(do_step(step, step.answer_bytes, step.size_bytes, data, worker, buffer));
  }
}

}  // namespace stretto::tools
