// SPDX-License-Identifier: BSD-3-Clause
// What stretto-analyse and its form for several processes have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/team.hpp"
#include "tools/analyse_document.hpp"
#include "tools/command_line.hpp"
#include "tools/trace_division.hpp"
#include "version.hpp"

namespace stretto::tools {

/// A command line of stretto-analyse. `help`: what it asked for is only that.
struct AnalyseLine {
  std::string help;
  std::string trace;               ///< a directory; empty: the request is on standard input
  std::filesystem::path plain;     ///< a trace to write with plain records instead; empty: none
  std::filesystem::path list;      ///< a trace whose calls and ends of messages to list instead; empty: none
  std::uint64_t min_limit_of = 0;  ///< ranks; 0: it is not asked for
  std::filesystem::path cut;  ///< a directory with what --limit kept, of which a trace is made; empty: none

  AnalyseLine(int argc, char** argv) {
    CommandLine line("Analysis of traces, stretto " + std::string{version} +
                     ": a request on standard input, a document on standard output");
    line.add("TRACE", &trace, "analyse this directory's trace, without a request");
    line.add("--plain", &plain, "write this trace to standard output with plain records, and end");
    line.add("--list", &list, "write a line for each call and each end of a message of this trace, and end");
    line.add("--cut", &cut,
             "replace what `stretto trace --limit` kept in this directory by an ordinary trace, and end");
    line.add("--min-limit", &min_limit_of, "print the smallest limit for so many ranks, and end",
             {.range = {1, 1 << 24}});
    help = line.parse(argc, argv);
  }
};

/// The request on standard input, or that of a directory. All processes call it; process 0 reads.
inline std::string request_of(const AnalyseLine& line, analysis::Team& team) {
  if (!line.trace.empty()) {
    std::vector<std::string> traces;
    for (const std::filesystem::path& file : traces_in(line.trace, team)) traces.push_back(file.string());
    return nlohmann::json{{"traces", traces}, {"parts", {"sites", "time", "network"}}}.dump();
  }
  std::string text;
  if (team.number() == 0) text.assign(std::istreambuf_iterator<char>(std::cin), {});
  return analysis::said_by_all(team, text).front();
}

}  // namespace stretto::tools
