// SPDX-License-Identifier: BSD-3-Clause
// The records of a file of an OTF2 archive. It is divided into chunks of one size; each begins with a header
// and ends with a mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "foreign/mapped_file.hpp"
#include "foreign/otf2_bytes.hpp"

namespace stretto::foreign {

/// What a file has: only events have times.
enum class Otf2Content : std::uint8_t { definitions, events };

/// What a chunk, or a file without chunks, has behind the marks that it begins with. Throws Damaged.
[[nodiscard]] Otf2Bytes otf2_chunk(std::span<const std::byte> bytes);

class Otf2Records {
 public:
  /// Throws Damaged.
  Otf2Records(const std::filesystem::path& file, std::uint64_t chunk_bytes, Otf2Content content);

  /// Reads the next record; false: there are no more. Throws Damaged.
  bool next();
  [[nodiscard]] std::uint8_t type() const { return type_; }
  /// Of an event: when it was, in ticks of its location's clock.
  [[nodiscard]] std::uint64_t time() const { return time_; }
  [[nodiscard]] Otf2Bytes& body() { return body_; }
  /// What is wrong with the record that was read last, with its place.
  [[nodiscard]] Damaged at_place(const Damaged& error) const;

 private:
  void begin_chunk(std::size_t at);
  bool read();

  std::filesystem::path path_;
  MappedFile file_;
  std::uint64_t chunk_bytes_;
  Otf2Content content_;
  std::size_t chunk_at_ = 0;
  Otf2Bytes chunk_;
  const std::byte* record_at_ = nullptr;
  Otf2Bytes body_;
  std::uint64_t time_ = 0;
  std::uint8_t type_ = 0;
};

}  // namespace stretto::foreign
