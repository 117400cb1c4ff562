// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "foreign/otf2_types.hpp"

namespace stretto::foreign {

Otf2Records::Otf2Records(const std::filesystem::path& file, std::uint64_t chunk_bytes, Otf2Content content)
    : path_(file), file_(file), chunk_bytes_(chunk_bytes), content_(content) {
  try {
    begin_chunk(0);
  } catch (const Damaged& error) {
    throw at_place(error);
  }
}

void Otf2Records::begin_chunk(std::size_t at) {
  const auto bytes = file_.bytes();
  record_at_ = bytes.data() + std::min(at, bytes.size());
  if (at >= bytes.size()) throw Damaged("the file ends without its end mark");
  chunk_at_ = at;
  chunk_ = otf2_chunk(bytes.subspan(at, std::min<std::uint64_t>(chunk_bytes_, bytes.size() - at)));
  chunk_.full<std::uint64_t>();  // the numbers of its first and last record
  chunk_.full<std::uint64_t>();
}

bool Otf2Records::next() {
  try {
    return read();
  } catch (const Damaged& error) {
    throw at_place(error);
  }
}

bool Otf2Records::read() {
  while (true) {
    record_at_ = chunk_.at();
    if (chunk_.left() == 0) throw Damaged("the file ends without its end mark");
    type_ = chunk_.byte();
    switch (type_) {
      case otf2::end_of_chunk:
        begin_chunk(chunk_at_ + chunk_bytes_);
        continue;
      case otf2::end_of_file:
        return false;
      case otf2::time_stamp:
        if (content_ == Otf2Content::definitions) break;
        time_ = chunk_.full<std::uint64_t>();
        continue;
      case otf2::attributes:
        if (content_ == Otf2Content::definitions) break;
        chunk_.record();
        continue;
      default:
        if (type_ < otf2::first_event && content_ == Otf2Content::events)
          throw Damaged("a record that no OTF2 archive has");
        break;
    }
    const bool is_number = content_ == Otf2Content::events && otf2::is_one_number(type_);
    body_ = is_number ? chunk_.one_number() : chunk_.record();
    return true;
  }
}

Damaged Otf2Records::at_place(const Damaged& error) const {
  Damaged placed(
      fmt::format("{}: byte {}: {}", path_.string(), record_at_ - file_.bytes().data(), error.what()));
  return placed;
}

Otf2Bytes otf2_chunk(std::span<const std::byte> bytes) {
  constexpr std::size_t marks = 2;
  constexpr std::uint8_t header = 3;
  constexpr std::uint8_t big = 0x23;
  constexpr std::uint8_t little = 0x42;
  Otf2Bytes all(bytes, false);
  const bool has_header = all.left() >= marks && all.byte() == header;
  const std::uint8_t endianness = has_header ? all.byte() : 0;
  if (endianness != big && endianness != little) throw Damaged("no part of an OTF2 archive begins here");
  return {bytes.subspan(marks), endianness == big};
}

}  // namespace stretto::foreign
