// SPDX-License-Identifier: BSD-3-Clause
// stretto-kernel-plans: NAS kernels as schedules, and their times on the network of a request. Each line of
// the standard input is a JSON document of requests, as stretto-model reads one; the answers are a line, too,
// which is there before the next line is read. It starts no MPI. The exit status is 0, 2 for wrong input, and
// 1 for a failure.
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "kernels/plans/plan_request.hpp"
#include "network/json_depth.hpp"

namespace {

using stretto::network::Json;

Json document(const std::string& line) {
  if (stretto::network::nests_too_deep(line)) throw std::invalid_argument("is nested too deeply");
  try {
    return Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(std::string("the line is no JSON document: ") + error.what());
  }
}

int fail(const std::exception& error, int status) {
  std::fprintf(stderr, "stretto-kernel-plans: %s\n", error.what());
  return status;
}

}  // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::puts(stretto::kernel::plans::answer_all(document(line)).dump().c_str());
      std::fflush(stdout);
    }
    return 0;
  } catch (const std::invalid_argument& error) {
    return fail(error, 2);
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
}
