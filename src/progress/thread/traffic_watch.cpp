// SPDX-License-Identifier: BSD-3-Clause
#include "progress/thread/traffic_watch.hpp"

#include <dirent.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <system_error>

namespace stretto::progress {
namespace {

/// SO_MEMINFO by its number, because kernel headers before Linux 4.12 do not name it.
constexpr int memory_info_option = 55;

/// Connections that are asked whether they hold data: each takes a system call.
constexpr std::size_t max_asked = 32;

/// MPI libraries connect at the first message to a rank, so new connections are searched for at this
/// interval.
constexpr std::chrono::milliseconds between_searches{200};

/// A wait that nothing can end, because the program has closed the descriptors, ends after this time.
constexpr std::chrono::nanoseconds longest_wait = std::chrono::seconds{1};

timespec timespec_of(std::chrono::nanoseconds duration) {
  constexpr std::int64_t second = 1'000'000'000;
  return {.tv_sec = duration.count() / second, .tv_nsec = duration.count() % second};
}

bool is_tcp_connection(int file) {
  int type = 0;
  int domain = 0;
  socklen_t length = sizeof type;
  if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM) return false;
  length = sizeof domain;
  if (getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) return false;
  if (domain != AF_INET && domain != AF_INET6) return false;
  sockaddr_storage peer{};
  length = sizeof peer;
  return getpeername(file, reinterpret_cast<sockaddr*>(&peer), &length) == 0;  // a listening socket has none
}

/// Bytes in a queue of the connection: FIONREAD those that nothing has read yet, SIOCOUTQ those that the peer
/// has not acknowledged.
std::int64_t queued_bytes(int connection, unsigned long queue) {
  int bytes = 0;
  return ioctl(connection, queue, &bytes) == 0 ? bytes : 0;
}

double share_of(std::uint32_t used, std::uint32_t most) { return used / std::max<double>(most, 1); }

Buffered buffered_by(int connection) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t length = sizeof memory;
  if (getsockopt(connection, SOL_SOCKET, memory_info_option, memory.data(), &length) != 0) return {};
  // The kernel's memory for unread data shrinks only when a whole packet is read: it tells the share only.
  const double unread_share = share_of(memory[SK_MEMINFO_RMEM_ALLOC], memory[SK_MEMINFO_RCVBUF]);
  const double unsent_share = share_of(memory[SK_MEMINFO_WMEM_QUEUED], memory[SK_MEMINFO_SNDBUF]);
  return {.unread = {.bytes = queued_bytes(connection, FIONREAD), .share = unread_share},
          .unsent = {.bytes = memory[SK_MEMINFO_WMEM_QUEUED], .share = unsent_share}};
}

BufferUse larger(const BufferUse& one, const BufferUse& other) {
  return {.bytes = std::max(one.bytes, other.bytes), .share = std::max(one.share, other.share)};
}

/// No thread of the program is cancelled here: its own calls of MPI need not be where it may be.
void signal(const OwnDescriptor& event) {
  int before = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  const std::uint64_t one = 1;
  if (event.is_open()) [[maybe_unused]]
    const auto written = write(event.number(), &one, sizeof one);
  pthread_setcancelstate(before, nullptr);
}

/// True where the event had been signalled.
bool clear(const OwnDescriptor& event) {
  std::uint64_t times = 0;
  return event.is_open() && read(event.number(), &times, sizeof times) == sizeof times;
}

}  // namespace

TrafficWatch::TrafficWatch()
    : traffic_(epoll_create1(EPOLL_CLOEXEC)),
      stopped_(eventfd(0, EFD_CLOEXEC)),
      woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (traffic_.is_open() && stopped_.is_open() && woken_.is_open()) return;
  throw std::system_error(errno, std::generic_category(), "cannot watch this process's connections");
}

TrafficWatch::~TrafficWatch() = default;

bool TrafficWatch::is_whole() const { return traffic_.is_open() && stopped_.is_open() && woken_.is_open(); }

void TrafficWatch::sleep_alone(std::chrono::nanoseconds duration) const {
  constexpr std::chrono::nanoseconds most = std::chrono::milliseconds{10};  // until stop() is noticed
  const auto end = std::chrono::steady_clock::now() + duration;
  while (!is_stopped_.load(std::memory_order_relaxed)) {
    const std::chrono::nanoseconds left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return;
    const timespec part = timespec_of(std::min(left, most));
    nanosleep(&part, nullptr);
  }
}

// Edge-triggered, so that data which the library leaves unread causes no second event. The kernel removes a
// connection that is closed, and refuses one that it has already with EEXIST, as it should.
void TrafficWatch::add_new_connections() {
  const auto now = std::chrono::steady_clock::now();
  if (now - connections_read_ < between_searches) return;
  connections_read_ = now;
  DIR* const files = opendir("/proc/self/fd");
  if (files == nullptr) return;
  connections_.clear();
  while (const dirent* entry = readdir(files)) {
    int file = -1;
    const char* const name = entry->d_name;
    const auto [end, error] = std::from_chars(name, name + std::strlen(name), file);
    if (error != std::errc{} || file == traffic_.number() || !is_tcp_connection(file)) continue;
    connections_.push_back(file);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.fd = file;
    epoll_ctl(traffic_.number(), EPOLL_CTL_ADD, file, &event);
  }
  closedir(files);
}

WakeUp TrafficWatch::wait(std::chrono::nanoseconds timeout) {
  event_count_ = 0;
  if (!is_whole()) {
    sleep_alone(timeout);
    return WakeUp::timeout;
  }
  add_new_connections();
  std::array<pollfd, 3> files{{{.fd = traffic_.number(), .events = POLLIN},
                               {.fd = stopped_.number(), .events = POLLIN},
                               {.fd = woken_.number(), .events = POLLIN}}};
  const timespec limit = timespec_of(std::min(timeout, longest_wait));
  if (ppoll(files.data(), files.size(), &limit, nullptr) <= 0) return WakeUp::timeout;
  const bool woken = files[2].revents != 0 && clear(woken_);
  if (files[0].revents == 0) return woken ? WakeUp::call : WakeUp::timeout;
  const int count = epoll_wait(traffic_.number(), events_.data(), static_cast<int>(events_.size()), 0);
  event_count_ = static_cast<std::size_t>(std::max(count, 0));
  return WakeUp::traffic;
}

Buffered TrafficWatch::buffered() const {
  Buffered most;
  for (std::size_t i = 0; i < event_count_; ++i) {
    const Buffered one = buffered_by(events_[i].data.fd);
    most = {.unread = larger(most.unread, one.unread), .unsent = larger(most.unsent, one.unsent)};
  }
  return most;
}

bool TrafficWatch::sending() const {
  const auto holds_data = [](int connection) { return queued_bytes(connection, SIOCOUTQ) > 0; };
  return connections_.size() <= max_asked &&
         std::any_of(connections_.begin(), connections_.end(), holds_data);
}

bool TrafficWatch::sleep(std::chrono::nanoseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  for (std::chrono::nanoseconds left = duration; left.count() > 0;
       left = end - std::chrono::steady_clock::now()) {
    if (!is_whole()) {
      sleep_alone(left);
      return false;
    }
    std::array<pollfd, 2> files{
        {{.fd = stopped_.number(), .events = POLLIN}, {.fd = woken_.number(), .events = POLLIN}}};
    const timespec limit = timespec_of(std::min(left, longest_wait));
    if (ppoll(files.data(), files.size(), &limit, nullptr) > 0) {
      return files[1].revents != 0 && clear(woken_);
    }
    if (is_stopped_.load(std::memory_order_relaxed)) return false;
  }
  return false;
}

void TrafficWatch::wake() { signal(woken_); }

void TrafficWatch::stop() {
  is_stopped_ = true;
  signal(stopped_);
}

}  // namespace stretto::progress
