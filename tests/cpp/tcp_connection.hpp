// SPDX-License-Identifier: BSD-3-Clause
// A TCP connection over the loopback device.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

namespace stretto::test {

/// Two ends of a TCP connection.
struct TcpConnection {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  int from = socket(AF_INET, SOCK_STREAM, 0);
  int to = -1;

  TcpConnection() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
    EXPECT_EQ(connect(from, reinterpret_cast<sockaddr*>(&address), length), 0);
    to = accept(listener, nullptr, nullptr);
  }
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;
  ~TcpConnection() {
    for (const int file : {listener, from, to}) close(file);
  }
  void send_a_byte() const { EXPECT_EQ(write(from, "x", 1), 1); }
  /// As much as both buffers of the kernel take.
  void send_all_that_fits() const {
    fcntl(from, F_SETFL, O_NONBLOCK);
    const std::vector<char> block(1 << 20);
    while (write(from, block.data(), block.size()) > 0) continue;
  }
};

}  // namespace stretto::test
