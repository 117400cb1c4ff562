// SPDX-License-Identifier: BSD-3-Clause
// stretto-kernel-plans: NAS kernels as schedules, and their times on the network of a request. Each line of
// the standard input is a JSON document of requests, as stretto-model reads one; the answers are a line, too,
// which is there before the next line is read. It starts no MPI. The exit status is 0, 2 for wrong input, and
// 1 for a failure.
#include "kernels/plans/plan_request.hpp"
#include "network/requests.hpp"
#include "tools/program.hpp"

int main() {
  return stretto::tools::run_program("stretto-kernel-plans", [] {
    stretto::network::answer_lines(&stretto::kernel::plans::answer);
    return 0;
  });
}
