// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "foreign/damaged.hpp"

namespace stretto::foreign {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const char* why) {
  throw Damaged(file.string() + ": " + why);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO would wait
  if (descriptor < 0) refuse(file, std::strerror(errno));
  struct stat about {};
  const bool is_file = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  const std::size_t size = is_file ? static_cast<std::size_t>(about.st_size) : 0;
  void* data = nullptr;
  if (size > 0) data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int error = errno;
  ::close(descriptor);
  if (!is_file) refuse(file, "is no file");
  if (data == MAP_FAILED) refuse(file, std::strerror(error));
  if (size > 0) ::madvise(data, size, MADV_SEQUENTIAL);
  bytes_ = {static_cast<const std::byte*>(data), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace stretto::foreign
