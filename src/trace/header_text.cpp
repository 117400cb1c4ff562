// SPDX-License-Identifier: BSD-3-Clause
#include "trace/header_text.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "mpi/library.hpp"
#include "record/trace_format.hpp"
#include "record/utc_now.hpp"
#include "trace/recorder.hpp"
#include "version.hpp"

namespace stretto::trace {
namespace {

/// A string of JSON: the recorder is built without a JSON library.
std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
      json += escaped;
    } else if (code < 0x7F) {
      json += c;
    } else {
      json += '?';  // the header is for people to read: other characters are replaced
    }
  }
  return json + '"';
}

std::string command_json() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  std::string json = "[";
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find('\0', begin), line.size());
    json += (begin == 0 ? "" : ", ") + quoted(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return json + "]";
}

}  // namespace

std::string header_text(const record::TraceHeader& header, std::uint64_t limit_bytes) {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  PMPI_Get_library_version(library, &length);
  std::string line(library);  // ends at the terminating zero, which Open MPI includes in the length
  line = line.substr(0, line.find('\n'));
  std::string json = "{\"schema\": \"stretto.trace/" + std::to_string(header.major) + "." +
                     std::to_string(header.minor) + "\", \"created_utc\": " + quoted(record::utc_now()) +
                     ", \"revision\": " + quoted(std::string(revision)) + ", \"host\": " + quoted(host) +
                     ", \"cores\": " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) +
                     ", \"pid\": " + std::to_string(::getpid()) + ", \"command\": " + command_json() +
                     ", \"mpi\": {\"family\": " + quoted(mpi::family_of(STRETTO_MPI_FAMILY, line)) +
                     ", \"library\": " + quoted(line) + "}";
  if (limit_bytes > 0) json += ", \"limit_bytes\": " + std::to_string(limit_bytes);
  json += ", \"calls\": [";
  for (std::size_t i = 0; i < calls; ++i) {
    json +=
        std::string(i == 0 ? "" : ", ") + "[\"" + call_names[i].name + "\", \"" + call_names[i].kind + "\"]";
  }
  return json + "]}";
}

}  // namespace stretto::trace
