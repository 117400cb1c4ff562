// SPDX-License-Identifier: BSD-3-Clause
#include "connection.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <mpi.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace stretto::bench {
namespace {

/// A system call's result, or its error as an exception.
template <typename Result>
Result checked(Result result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

sockaddr_in own_address() {
  ifaddrs* interfaces = nullptr;
  checked(getifaddrs(&interfaces), "getifaddrs");
  sockaddr_in found{.sin_family = AF_INET};
  for (const ifaddrs* one = interfaces; one != nullptr; one = one->ifa_next) {
    const bool usable = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET;
    if (!usable || (one->ifa_flags & IFF_LOOPBACK) != 0) continue;
    found.sin_addr = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr;
    break;
  }
  freeifaddrs(interfaces);
  return found;
}

/// Listens at any port, and tells rank 1 which.
int accepted() {
  const int listener = checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
  sockaddr_in address = own_address();
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  checked(bind(listener, generic, size), "bind");
  checked(listen(listener, 1), "listen");
  checked(getsockname(listener, generic, &size), "getsockname");
  MPI_Send(&address, sizeof(address), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  const int connection = checked(accept(listener, nullptr, nullptr), "accept");
  close(listener);
  return connection;
}

int connected() {
  sockaddr_in address{};
  MPI_Recv(&address, sizeof(address), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int connection = checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
  checked(connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "connect");
  return connection;
}

}  // namespace

Connection::Connection(int rank) : socket_(rank == 0 ? accepted() : connected()) {
  const int at_once = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
}

Connection::~Connection() { close(socket_); }

void Connection::send(std::span<const char> data) const {
  while (!data.empty()) {
    const auto bytes = checked(::send(socket_, data.data(), data.size(), MSG_NOSIGNAL), "send");
    data = data.subspan(static_cast<std::size_t>(bytes));
  }
}

void Connection::receive(std::span<char> data) const {
  while (!data.empty()) {
    const auto bytes = checked(::recv(socket_, data.data(), data.size(), MSG_WAITALL), "recv");
    if (bytes == 0) throw std::system_error(std::make_error_code(std::errc::connection_reset), "recv");
    data = data.subspan(static_cast<std::size_t>(bytes));
  }
}

}  // namespace stretto::bench
