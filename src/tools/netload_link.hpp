// SPDX-License-Identifier: BSD-3-Clause
// A blocking TCP connection between two hosts, without MPI. The self-tests of the emulated network use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace stretto::tools {

class Link {
 public:
  /// Retries for up to five seconds, because the other side may still be starting. Throws std::system_error
  /// when no host answers.
  static Link connect(const std::string& address, std::uint16_t port);

  Link(Link&& other) noexcept;
  Link& operator=(Link&&) = delete;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link();

  /// send() and receive() throw std::runtime_error when the other side has closed.
  void send(std::span<const std::byte> data) const;
  void receive(std::span<std::byte> data) const;

  /// Receives at least one and at most data.size() bytes; returns 0 when the other side has closed.
  [[nodiscard]] std::size_t receive_some(std::span<std::byte> data) const;

  /// Values are sent in their memory layout: both sides run this program on the same machine.
  template <typename T>
  void send_value(const T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    send(std::as_bytes(std::span{&value, 1}));
  }
  template <typename T>
  [[nodiscard]] T receive_value() const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    receive(std::as_writable_bytes(std::span{&value, 1}));
    return value;
  }

 private:
  friend class Listener;
  explicit Link(int descriptor);
  int descriptor_;
};

class Listener {
 public:
  /// Throws std::system_error when the address is not local or the port is in use.
  Listener(const std::string& address, std::uint16_t port);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] Link accept() const;

 private:
  int descriptor_;
};

}  // namespace stretto::tools
