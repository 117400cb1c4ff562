// SPDX-License-Identifier: BSD-3-Clause
// Writes the calls of one rank as a trace of stretto.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "foreign/foreign_call.hpp"
#include "record/trace_format.hpp"
#include "replay/packed_trace.hpp"

namespace stretto::foreign {

/// Where a trace comes from.
struct Origin {
  std::string file;
  std::string format;
};

/// Lets the process have the files of so many ranks open. Throws Damaged where the system does not.
void allow_open_files(std::size_t ranks);

class CallWriter {
 public:
  /// `directory` receives the rank's file. `left_out` counts what is not understood, and must outlive this
  /// object, as the functions, places and communicators of calls.
  CallWriter(const std::filesystem::path& directory, std::int32_t rank, std::size_t ranks, LeftOut& left_out);

  [[nodiscard]] std::int32_t rank() const { return rank_; }
  /// Whether there was a call. The rank's time begins with MPI_Init.
  [[nodiscard]] bool has_begun() const { return has_begun_; }
  /// The number of a request, or of a matched message.
  std::uint64_t new_request() { return ++requests_; }
  /// Writes a call of a thread. Those of a thread come in the order of time. Throws Damaged.
  void add(std::uint32_t thread, const Call& call, std::uint64_t end_ns);
  /// Writes all that is left.
  void finish(const Origin& origin);

 private:
  using Record = record::Record;
  /// What a thread's blocks have defined: a block may be read before those of other threads.
  struct Defined {
    std::vector<bool> sites;
    std::vector<bool> contexts;
  };

  /// Makes the records of a call in `records_`, and returns its kind.
  std::string_view make_records(std::uint32_t thread, const Call& call);
  std::string_view make_completions(const Call& call);
  Record& add_record(std::uint16_t special, std::uint64_t begin_ns);
  Record& add_transfer(std::uint32_t thread, const Transfer& one, std::uint16_t special,
                       std::uint64_t begin_ns);
  std::uint16_t number_of_call(const std::string& name, std::string_view kind);
  std::uint16_t site_of(std::uint32_t thread, const std::string& place);
  std::uint16_t context_of(std::uint32_t thread, const Comm& comm);
  void define(std::uint32_t thread, Record definition, const void* payload, std::size_t bytes);

  std::int32_t rank_;
  LeftOut& left_out_;
  replay::PackedTrace out_;
  bool has_begun_ = false;
  std::uint64_t requests_ = 0;
  std::uint64_t end_ns_ = 0;
  std::vector<Record> records_;  // of a call
  std::vector<std::pair<std::string, std::string>> calls_;
  std::map<std::pair<const std::string*, std::string_view>, std::uint16_t> call_numbers_;
  std::unordered_map<const std::string*, std::uint16_t> sites_;
  std::unordered_map<const Comm*, std::uint16_t> contexts_;
  std::size_t defined_contexts_ = 0;
  std::unordered_map<std::uint32_t, Defined> defined_;
};

}  // namespace stretto::foreign
