// SPDX-License-Identifier: BSD-3-Clause
#include "trace/core_wait.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace stretto::trace {

std::optional<std::uint64_t> waited_for_core_ns() {
  const int error = errno;  // the application's
  const int descriptor = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  std::array<char, 96> text;
  const ssize_t bytes = descriptor < 0 ? -1 : ::read(descriptor, text.data(), text.size());
  if (descriptor >= 0) ::close(descriptor);
  errno = error;
  if (bytes <= 0) return std::nullopt;
  return waited_in({text.data(), static_cast<std::size_t>(bytes)});
}

std::optional<std::uint64_t> waited_in(std::string_view schedstat) {
  const char* const end = schedstat.data() + schedstat.size();
  std::uint64_t ran_ns = 0;
  std::uint64_t waited_ns = 0;
  const auto first = std::from_chars(schedstat.data(), end, ran_ns);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ' ' || ran_ns == 0) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, waited_ns);
  return second.ec == std::errc{} ? std::optional(waited_ns) : std::nullopt;
}

}  // namespace stretto::trace
