// SPDX-License-Identifier: BSD-3-Clause
// Small OTF2 archives as bytes, for the tests of their reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "foreign/otf2_types.hpp"
#include "foreign_mutations.hpp"

namespace stretto::foreign::otf2_test {

inline constexpr std::uint64_t undefined = ~std::uint64_t{0};

/// Values in one byte order.
struct Values {
  bool is_big_endian = false;

  [[nodiscard]] std::string full(std::uint64_t value, std::size_t bytes = 8) const {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFFU);
    if (is_big_endian) std::ranges::reverse(text);
    return text;
  }
  [[nodiscard]] std::string number(std::uint64_t value) const {
    if (value == undefined) return "\xFF";
    std::size_t bytes = 0;
    while (bytes < 8 && value >> 8 * bytes != 0) ++bytes;
    return static_cast<char>(bytes) + full(value, bytes);
  }
  /// Numbers, one after another.
  template <typename... Numbers>
  [[nodiscard]] std::string numbers(Numbers... values) const {
    return (std::string() + ... + number(static_cast<std::uint64_t>(values)));
  }
  /// A record with its length.
  [[nodiscard]] std::string record(std::uint8_t type, const std::string& content) const {
    constexpr std::size_t largest = 255;
    std::string text(1, static_cast<char>(type));
    text += content.size() < largest ? std::string(1, static_cast<char>(content.size()))
                                     : "\xFF" + full(content.size());
    return text + content;
  }
};

inline std::string byte(std::uint64_t value) { return {static_cast<char>(value)}; }

/// The records of a file, which become chunks.
class File : public Values {
 public:
  File(bool is_big_endian, std::uint64_t chunk_bytes) : Values{is_big_endian}, chunk_bytes_(chunk_bytes) {}

  File& add(const std::string& record) {
    if (chunks_.empty() || chunks_.back().size() + record.size() + 1 > chunk_bytes_) begin_chunk();
    chunks_.back() += record;
    return *this;
  }
  File& add(std::uint8_t type, const std::string& content) { return add(record(type, content)); }
  /// An event, with its time before it.
  File& event(std::uint64_t time, std::uint8_t type, const std::string& content) {
    add(byte(otf2::time_stamp) + full(time) +
        (otf2::is_one_number(type) ? byte(type) + content : record(type, content)));
    return *this;
  }
  [[nodiscard]] std::string bytes() {
    add(byte(otf2::end_of_file));
    std::string all;
    for (const std::string& one : chunks_) all += one;
    return all;
  }

 private:
  void begin_chunk() {
    if (!chunks_.empty()) chunks_.back().resize(chunk_bytes_, '\0');  // of which the first is the end mark
    chunks_.push_back(std::string("\x03") + (is_big_endian ? '\x23' : '\x42') + full(1) + full(1));
  }

  std::uint64_t chunk_bytes_;
  std::vector<std::string> chunks_;
};

using test::Files;

/// An archive of two ranks, each a process with a location. Rank 0 sends to rank 1, which posted the receive.
struct TwoRanks {
  bool is_big_endian = false;
  std::uint64_t chunk_bytes = 4096;
  std::uint8_t world = otf2::comm_locations;
  bool has_group_types = true;  ///< archives before version 1.2 have other ones

  enum Region : std::uint8_t { init, send, irecv, wait, solve, barrier, finalize };

  [[nodiscard]] File file() const { return {is_big_endian, chunk_bytes}; }
  [[nodiscard]] std::string anchor(std::uint64_t substrate = 1, std::uint64_t compression = 1) const {
    const Values of{is_big_endian};
    return std::string("\x03") + (is_big_endian ? '\x23' : '\x42') +
           std::string("OTF2\0\x03\x02\x03\0\0", 10) + of.full(chunk_bytes) + of.full(chunk_bytes) +
           byte(substrate) + byte(compression) + of.full(2) + of.full(30) +
           std::string("machine\0creator\0\0", 17);
  }
  [[nodiscard]] std::string group(std::uint64_t number, std::uint8_t type, std::uint8_t old_type) const {
    const Values of{is_big_endian};
    const std::string types = has_group_types ? byte(type) + byte(otf2::mpi) + of.number(0) : "";
    return of.numbers(number, 0) + byte(old_type) + of.numbers(2, 0, 1) + types;
  }
  [[nodiscard]] File definitions() const {
    File out = file();
    out.add(otf2::clock_properties, out.numbers(1'000'000'000, 100, 5000));
    const char* const texts[] = {"",         "a/solver.f90", "MPI_Init",    "MPI_Send()",  "MPI_Irecv",
                                 "MPI_Wait", "solve",        "MPI_Barrier", "MPI_Finalize"};
    for (std::size_t i = 0; i < std::size(texts); ++i)
      out.add(otf2::string, out.number(i) + texts[i] + std::string(1, '\0'));
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
      out.add(otf2::location_group, out.numbers(rank, 0) + byte(otf2::process) + out.number(undefined));
      out.add(otf2::location, out.numbers(rank, 0) + byte(1) + out.numbers(9, rank));
    }
    for (std::uint64_t i = init; i <= finalize; ++i) {
      const bool has_file = i == solve;
      out.add(otf2::region,
              out.numbers(i, i + 2, 0) + byte(0) + out.numbers(has_file ? 1 : 0, has_file ? 7 : 0, 0));
    }
    out.add(otf2::group, group(0, world, 6)).add(otf2::group, group(1, otf2::comm_group, 4));
    out.add(otf2::comm, out.numbers(5, 0, 1) + out.number(undefined));
    return out;
  }
  [[nodiscard]] File sender() const {
    File out = file();
    out.event(100, otf2::enter, out.number(init)).event(200, otf2::leave, out.number(init));
    out.event(300, otf2::enter, out.number(solve)).event(400, otf2::enter, out.number(send));
    out.event(410, otf2::send, out.numbers(1, 5, 3, 1000));
    return out.event(500, otf2::leave, out.number(send)).event(600, otf2::leave, out.number(solve));
  }
  [[nodiscard]] File receiver() const {
    File out = file();
    out.event(100, otf2::enter, out.number(init)).event(200, otf2::leave, out.number(init));
    out.event(300, otf2::enter, out.number(irecv)).event(310, otf2::irecv_request, out.number(77));
    out.event(350, otf2::leave, out.number(irecv)).event(400, otf2::enter, out.number(wait));
    out.event(700, otf2::irecv, out.numbers(0, 5, 3, 1000, 77));
    return out.event(710, otf2::leave, out.number(wait));
  }
  [[nodiscard]] Files files() const {
    return {{"run.otf2", anchor()},
            {"run.def", definitions().bytes()},
            {"run/0.evt", sender().bytes()},
            {"run/1.evt", receiver().bytes()}};
  }
};

/// Writes the files to a directory, and returns the anchor file.
inline std::filesystem::path write_files(const replay::trace_test::TemporaryDirectory& directory,
                                         const Files& files) {
  test::write_files(directory, files);
  return directory.file("run.otf2");
}

}  // namespace stretto::foreign::otf2_test
