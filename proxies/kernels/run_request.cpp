// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/run_request.hpp"

#include "tools/command_line.hpp"
#include "tools/request_file.hpp"

namespace stretto::tools {
namespace {

/// Calls `visit` for every member of a request.
template <typename Visitor>
void members(RunRequest& request, Visitor& visit) {
  visit("kernel", request.kernel);
  visit("class", request.request.class_name);
  visit("variant", request.request.variant);
  visit("transport", request.request.transport);
  visit("settings", request.request.options);
}

}  // namespace

RunRequest run_request(int argc, char** argv) {
  RunRequest request;
  std::string argument;
  bool shows_defaults = false;
  CommandLine line("A kernel of stretto: solves, times, verifies");
  line.add("--request", &argument, "what to run: a JSON file, or its text (docs/formats.md)");
  line.add("--defaults", &shows_defaults, "print the request without a kernel, and end");
  request.text = line.parse(argc, argv);
  if (shows_defaults) {
    DefaultsWriter writer;
    members(request, writer);
    request.text = writer.json.dump(1) + "\n";
  }
  if (!request.text.empty()) return request;
  if (argument.empty())
    throw std::invalid_argument("--request is required: a JSON file, such as --defaults prints");
  RequestReader reader(request_json(argument));
  reader.require("kernel");
  members(request, reader);
  reader.finish();
  return request;
}

}  // namespace stretto::tools
