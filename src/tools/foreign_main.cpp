// SPDX-License-Identifier: BSD-3-Clause
// stretto-foreign: writes traces of other tools as traces of stretto, and prints what that leaves out as a
// JSON document. No MPI, and no library of those tools. Exit status as everywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <ios>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "tools/command_line.hpp"
#include "tools/program.hpp"
#include "version.hpp"

namespace {

using namespace stretto;
namespace fs = std::filesystem;

constexpr const char* program = "stretto-foreign";

struct Request {
  std::string format, source, directory, unpacked;
  double flops_rate = 0;
  bool recognise = false;
};

struct Format {
  const char* name;
  const char* source;  ///< what it is, for messages
  foreign::LeftOut (*convert)(const Request&);
};

constexpr Format formats[] = {
    {"otf2", "OTF2 archive",
     [](const Request& of) { return foreign::convert_otf2(of.source, of.directory); }},
    {"paraver", "Paraver trace",
     [](const Request& of) {
       const std::string& records = of.unpacked.empty() ? of.source : of.unpacked;
       return foreign::convert_paraver(of.source, records, of.directory);
     }},
    {"time-independent", "time-independent trace",
     [](const Request& of) {
       if (of.flops_rate == 0)
         throw std::invalid_argument("--flops-rate: is missing; say how fast its hosts compute");
       return foreign::convert_time_independent(of.source, of.directory, of.flops_rate);
     }},
};

/// The traces in the directory.
std::vector<fs::path> traces(const Request& of) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const fs::directory_entry& one : fs::directory_iterator(of.directory, ignored)) {
    if (one.path().extension() == ".trace") found.push_back(one.path());
  }
  return found;
}

/// Nothing half written stays.
int fail(const Request& of, const std::string& message, int status = 2) {
  std::error_code ignored;
  for (const fs::path& one : traces(of)) fs::remove(one, ignored);
  return tools::fail(program, message.c_str(), status);
}

int print(const nlohmann::json& document) {
  std::puts(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  return 0;
}

int convert(const Request& of, const Format& format) {
  try {
    return print({{"left_out", format.convert(of)}});
  } catch (const foreign::Damaged& error) {
    return fail(of, fmt::format("{}: is no {} that can be read ({}); write it again", of.source,
                                format.source, error.what()));
  } catch (const foreign::NoMpi& error) {
    return fail(of, fmt::format("{}: holds no MPI ({}); record the program's MPI calls, too", of.source,
                                error.what()));
  } catch (const std::ios_base::failure&) {
    return fail(
        of, of.directory + ": the trace cannot be written there: make space, or name another disk by TMPDIR",
        1);
  }
}

int run(int argc, char** argv) {
  Request of;
  tools::CommandLine line("Traces of other tools as traces, stretto " + std::string{version});
  line.add("FORMAT", &of.format, "otf2, paraver or time-independent", {.required = true});
  line.add("SOURCE", &of.source,
           "anchor file of an archive, `.prv` or `.prv.gz`, file or directory of actions",
           {.required = true});
  line.add("DIRECTORY", &of.directory, "an empty directory, for the trace");
  line.add("--unpacked", &of.unpacked,
           "paraver: a file with what the SOURCE holds, where that is compressed");
  line.add("--flops-rate", &of.flops_rate, "time-independent: flops a second of its hosts",
           {.range = {1e-9, 1e30}});
  line.add("--recognise", &of.recognise,
           "time-independent: prints whether the SOURCE is one, and writes nothing");
  const std::string help = line.parse(argc, argv);
  std::fputs(help.c_str(), stdout);
  if (!help.empty()) return 0;
  const Format* const format =
      std::ranges::find(formats, of.format, [](const Format& one) { return std::string_view(one.name); });
  if (format == std::end(formats))
    throw std::invalid_argument(of.format + ": is no FORMAT; choose otf2, paraver or time-independent");
  if (of.recognise) return print({{"recognised", foreign::is_time_independent(of.source)}});
  if (of.directory.empty())
    throw std::invalid_argument("DIRECTORY: is missing; name an empty one, for the trace");
  if (!traces(of).empty())
    throw std::invalid_argument(of.directory + ": holds a trace; name an empty directory");
  return convert(of, *format);
}

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(program, [&] { return run(argc, argv); });
}
