// SPDX-License-Identifier: BSD-3-Clause
// Damaged OTF2 archives.
#include <string>

#include "foreign/conversion.hpp"
#include "foreign_mutations.hpp"
#include "otf2_writing.hpp"

namespace stretto::foreign::otf2_test {
namespace {

/// Two ranks with events of every kind that is looked at, and definitions of one location.
Files some_of_everything() {
  const TwoRanks archive{.chunk_bytes = 256};
  Files files = archive.files();
  File events = archive.receiver();
  std::uint64_t time = 1000;
  const auto call = [&](TwoRanks::Region region, std::uint8_t type, const std::string& content) {
    events.event(time, otf2::enter, events.number(region)).event(time + 10, type, content);
    events.event(time + 50, otf2::leave, events.number(region));
    time += 100;
  };
  call(TwoRanks::barrier, otf2::collective_end, byte(11) + events.numbers(5, undefined, 8, 8));
  call(TwoRanks::barrier, otf2::nonblocking_request, events.number(3));
  call(TwoRanks::wait, otf2::nonblocking_complete, byte(1) + events.numbers(5, 0, 8, 8, 3));
  call(TwoRanks::send, otf2::isend, events.numbers(0, 5, 4, 16, 9));
  call(TwoRanks::wait, otf2::isend_complete, events.number(9));
  call(TwoRanks::irecv, otf2::irecv_request, events.number(4));
  call(TwoRanks::wait, otf2::request_cancelled, events.number(4));
  call(TwoRanks::send, otf2::probe, events.numbers(0, 5, 3, 6));
  call(TwoRanks::irecv, otf2::imrecv_request, events.numbers(6, 11));
  call(TwoRanks::wait, otf2::imrecv, events.numbers(11, 64));
  call(TwoRanks::send, otf2::mrecv, events.numbers(6, 64));
  call(TwoRanks::barrier, otf2::rma_win_create, events.number(0));
  call(TwoRanks::finalize, otf2::attributes, events.number(0));
  files["run/1.evt"] = events.bytes();
  File local = archive.file();
  local.add(otf2::mapping_table, byte(otf2::of_comms) + local.number(1) + byte(1) + local.numbers(9, 5));
  local.add(otf2::clock_offset, local.full(100) + local.number(0) + local.full(0));
  local.add(otf2::clock_offset, local.full(900) + local.number(10) + local.full(0));
  files["run/1.def"] = local.bytes();
  return files;
}

TEST(Otf2Mutations, AreReadOrRefused) {
  const testing::Mutator mutator(
      {"\x05", std::string(8, '\0'), "\x0C\x01\x01", "\xFF", "OTF2", std::string(9, '\xFF')});
  test::expect_read_or_refused(some_of_everything(), mutator, [](const auto& from, const auto& made) {
    (void)convert_otf2(from / "run.otf2", made);
  });
}

}  // namespace
}  // namespace stretto::foreign::otf2_test
