// SPDX-License-Identifier: BSD-3-Clause
// stretto-otf2: writes an OTF2 archive as a trace of stretto, and prints what that leaves out as a JSON
// document. No MPI, and no library of OTF2. Exit status as everywhere.
#include <cstdio>
#include <ios>
#include <nlohmann/json.hpp>
#include <string>

#include "foreign/damaged.hpp"
#include "foreign/otf2_conversion.hpp"
#include "tools/command_line.hpp"
#include "tools/program.hpp"
#include "version.hpp"

namespace {

using namespace stretto;

constexpr const char* program = "stretto-otf2";

int run(const std::string& archive, const std::string& directory) {
  const auto fail = [](const std::string& what, int status) {
    return tools::fail(program, what.c_str(), status);
  };
  try {
    const nlohmann::json left_out = foreign::convert_otf2(archive, directory);
    std::puts(nlohmann::json{{"left_out", left_out}}.dump().c_str());
    return 0;
  } catch (const foreign::Damaged& error) {
    return fail(archive + ": is no OTF2 archive that can be read (" + error.what() + "); write it again", 2);
  } catch (const foreign::NoMpi& error) {
    return fail(archive + ": holds no MPI (" + error.what() + "); record the program's MPI calls, too", 2);
  } catch (const std::ios_base::failure&) {
    return fail(directory + ": the trace cannot be written there: make space, or name another disk by TMPDIR",
                1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(program, [&] {
    std::string archive;
    std::string directory;
    tools::CommandLine line("OTF2 archives as traces, stretto " + std::string{version});
    line.add("ARCHIVE", &archive, "the anchor file of an archive, traces.otf2", {.required = true});
    line.add("DIRECTORY", &directory, "an empty directory, for the trace", {.required = true});
    const std::string help = line.parse(argc, argv);
    std::fputs(help.c_str(), stdout);
    return help.empty() ? run(archive, directory) : 0;
  });
}
