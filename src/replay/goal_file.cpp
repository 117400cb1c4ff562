// SPDX-License-Identifier: BSD-3-Clause
// Files with schedules: read completely, then parsed. They are not mapped, because a file that shrinks
// during reading would end the program.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "replay/goal.hpp"

namespace stretto::replay {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

struct Descriptor {
  explicit Descriptor(const char* path) : number(::open(path, O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int number;
};

}  // namespace

std::string read_whole(const std::filesystem::path& file) {
  const auto refuse = [&](const char* why) {
    throw GoalError(fmt::format("{}: cannot be read ({}): name a schedule in GOAL", file.string(), why));
  };
  const Descriptor descriptor(file.c_str());
  if (descriptor.number < 0) refuse(std::strerror(errno));
  struct stat status = {};
  if (::fstat(descriptor.number, &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) refuse("is no file");
  std::string bytes;
  bytes.resize(static_cast<std::size_t>(status.st_size) +
               1);  // one more byte, so that the end of the file is detected without growing
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(filled + piece_bytes);
    const ssize_t got = ::read(descriptor.number, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

Schedule read_goal(const std::filesystem::path& file) {
  const std::string bytes = read_whole(file);
  return is_goal_binary(bytes) ? parse_goal_binary(bytes, file.string())
                               : parse_goal_text(bytes, file.string());
}

}  // namespace stretto::replay
