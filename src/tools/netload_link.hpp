// SPDX-License-Identifier: BSD-3-Clause
// A TCP connection between two hosts, blocking, without MPI: what the substrate's self-tests run over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace stretto::tools {

class Link {
 public:
  /// Tries for up to five seconds, in which the other side may still be starting to listen.
  /// Throws std::system_error when nobody answers.
  static Link connect(const std::string& address, std::uint16_t port);

  Link(Link&& other) noexcept;
  Link& operator=(Link&&) = delete;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link();

  /// Both throw std::runtime_error when the other side is gone.
  void send(std::span<const std::byte> data) const;
  void receive(std::span<std::byte> data) const;

  /// At most data.size() bytes, at least one; 0 when the other side has closed.
  [[nodiscard]] std::size_t receive_some(std::span<std::byte> data) const;

  /// Plain values travel as they are: both sides are this program on this machine.
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
  /// Throws std::system_error when the address is not ours or the port is taken.
  Listener(const std::string& address, std::uint16_t port);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] Link accept() const;

 private:
  int descriptor_;
};

}  // namespace stretto::tools
