// SPDX-License-Identifier: BSD-3-Clause
#include "tools/netload_link.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace stretto::tools {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

sockaddr_in socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &result.sin_addr) != 1) {
    throw std::invalid_argument(address + ": not an IPv4 address");
  }
  return result;
}

int open_socket() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    fail("socket");
  }
  return descriptor;
}

}  // namespace

Link::Link(int descriptor) : descriptor_(descriptor) {
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Link::Link(Link&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Link::~Link() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Link Link::connect(const std::string& address, std::uint16_t port) {
  const sockaddr_in target = socket_address(address, port);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (true) {
    Link link(open_socket());
    if (::connect(link.descriptor_, reinterpret_cast<const sockaddr*>(&target), sizeof target) == 0) {
      return link;
    }
    if (errno != ECONNREFUSED || std::chrono::steady_clock::now() > give_up) {
      fail("connect to " + address);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void Link::send(std::span<const std::byte> data) const {
  while (!data.empty()) {
    const ssize_t sent = ::send(descriptor_, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      fail("send");
    }
    data = data.subspan(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
}

std::size_t Link::receive_some(std::span<std::byte> data) const {
  while (true) {
    const ssize_t received = ::recv(descriptor_, data.data(), data.size(), 0);
    if (received >= 0) {
      return static_cast<std::size_t>(received);
    }
    if (errno != EINTR) {
      fail("receive");
    }
  }
}

void Link::receive(std::span<std::byte> data) const {
  while (!data.empty()) {
    const std::size_t received = receive_some(data);
    if (received == 0) {
      throw std::runtime_error("the other host has closed the connection");
    }
    data = data.subspan(received);
  }
}

Listener::Listener(const std::string& address, std::uint16_t port) : descriptor_(open_socket()) {
  const int on = 1;
  ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const sockaddr_in own = socket_address(address, port);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      ::listen(descriptor_, 4) != 0) {
    const int reason = errno;
    ::close(descriptor_);
    errno = reason;
    fail("listen on " + address);
  }
}

Listener::~Listener() { ::close(descriptor_); }

Link Listener::accept() const {
  while (true) {
    const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor >= 0) {
      return Link(descriptor);
    }
    if (errno != EINTR) {
      fail("accept");
    }
  }
}

}  // namespace stretto::tools
