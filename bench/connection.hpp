// SPDX-License-Identifier: BSD-3-Clause
// A TCP connection between two ranks that is not MPI's.
#pragma once

#include <span>

namespace stretto::bench {

class Connection {
 public:
  /// Connects rank 1 to rank 0 of MPI_COMM_WORLD, at the first IPv4 address of rank 0's host that is not of
  /// its loopback device. Collective. Throws std::system_error.
  explicit Connection(int rank);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Blocks until the kernel has taken all bytes. Throws std::system_error.
  void send(std::span<const char> data) const;
  /// Blocks until `data` is full. Throws std::system_error.
  void receive(std::span<char> data) const;

 private:
  int socket_ = -1;
};

}  // namespace stretto::bench
