// SPDX-License-Identifier: BSD-3-Clause
// stretto-kernel-plans: NAS kernels as schedules, and their times on the network of a request. It reads one
// JSON document of requests from the standard input, as stretto-model does, and writes one of answers. It
// starts no MPI. The exit status is 0, 2 for wrong input, and 1 for a failure.
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "kernels/plans/plan_request.hpp"
#include "network/json_depth.hpp"

namespace {

using stretto::network::Json;

Json document() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (stretto::network::nests_too_deep(text)) throw std::invalid_argument("is nested too deeply");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(std::string("the standard input is no JSON document: ") + error.what());
  }
}

int fail(const std::exception& error, int status) {
  std::fprintf(stderr, "stretto-kernel-plans: %s\n", error.what());
  return status;
}

}  // namespace

int main() {
  try {
    std::puts(stretto::kernel::plans::answer_all(document()).dump().c_str());
    return 0;
  } catch (const std::invalid_argument& error) {
    return fail(error, 2);
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
}
