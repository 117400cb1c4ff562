// SPDX-License-Identifier: BSD-3-Clause
// stretto-model: evaluates the network model, and says by which rules the libraries act. It reads one JSON
// document of requests, from a file or the standard input, and writes one of answers. No MPI. Exit status as
// everywhere.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "network/requests.hpp"
#include "tools/command_line.hpp"
#include "tools/library_requests.hpp"
#include "tools/program.hpp"
#include "tools/protocols.hpp"
#include "version.hpp"

namespace {

using namespace stretto;
using network::Json;

/// Those of the network model, and those about stretto's libraries.
const std::vector<network::RequestKind>& all_kinds() {
  static const std::vector<network::RequestKind> kinds = [] {
    const auto of_network = network::request_kinds();
    std::vector<network::RequestKind> both(of_network.begin(), of_network.end());
    const auto of_libraries = tools::library_kinds();
    both.insert(both.end(), of_libraries.begin(), of_libraries.end());
    return both;
  }();
  return kinds;
}

Json answer(const network::RequestMembers& request) { return network::answer_one(all_kinds(), request); }

std::string about() {
  std::string text = "The network model, stretto " + std::string{version} + ". Kinds of requests:";
  for (const network::RequestKind& kind : all_kinds()) {
    text += "\n  " + std::string(kind.name) + ": " + std::string(kind.what);
  }
  return text;
}

Json document_of(const std::string& file) {
  const auto all = [](std::istream& stream) {
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  if (file == "-") return network::parsed(all(std::cin), "the standard input");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::invalid_argument(file + ": cannot read it");
  return network::parsed(all(stream), file);
}

int run(int argc, char** argv) {
  std::string file = "-";
  tools::CommandLine line(about());
  line.add("FILE", &file, "a JSON document with requests; `-`: the standard input");
  std::uint64_t segment_bytes = 0;
  line.add("--protocols", &segment_bytes,
           "prints the runtime's protocols for segments of so many bytes, 0 for the default; reads no FILE");
  bool by_line = false;
  line.add("--lines", &by_line, "reads a document from each line of the standard input, and answers at once");
  const std::string help = line.parse(argc, argv);
  if (!help.empty()) {
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  if (line.has("--protocols")) {
    std::puts(tools::protocols_document(segment_bytes).c_str());
    return 0;
  }
  if (by_line) {
    network::answer_lines(&answer);
    return 0;
  }
  std::puts(network::answer_all(document_of(file), &answer).dump().c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program("stretto-model", [&] { return run(argc, argv); });
}
