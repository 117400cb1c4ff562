// SPDX-License-Identifier: BSD-3-Clause
#include "record/sample_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace stretto::record {

SampleFile::SampleFile(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path.string());
}

SampleFile::~SampleFile() { ::close(descriptor_); }

void SampleFile::write_line(std::string line) {
  line.push_back('\n');
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "writing samples");
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace stretto::record
