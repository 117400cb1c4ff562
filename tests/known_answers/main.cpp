// SPDX-License-Identifier: BSD-3-Clause
// stretto-virtual: the probes on a virtual machine with given parameters, to check that the probes return
// these parameters. No MPI. Exit status as everywhere.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "known_answers/channel_collectives.hpp"
#include "known_answers/run.hpp"
#include "probe/run.hpp"
#include "tools/probe_request.hpp"

namespace {

using namespace stretto;

int run(int argc, char** argv) {
  tools::ProbeCommandLine given = tools::probe_command_line(argc, argv, {"virtual"}, true);
  if (!given.text.empty()) {
    std::fputs(given.text.c_str(), stdout);
    return 0;
  }
  if (given.ranks < 2) throw std::invalid_argument("--ranks: give at least 2");
  tools::ProbeRequest& request = given.request;
  request.on = "virtual";
  request.network = given.machine;
  const auto ranks = static_cast<std::size_t>(given.ranks);
  const known_answers::VirtualMachine machine = known_answers::virtual_machine_from(given.machine);
  record::Header header = tools::header_of(argc, argv, request);
  header.hosts.assign(ranks, "virtual");
  header.locality = "remote";
  header.clock = {.name = "virtual", .offset_s = std::vector<double>(ranks)};

  std::int64_t wrong = 0;
  known_answers::run_virtual(machine, given.ranks, [&](known_answers::VirtualRank& rank) {
    exchange::Channel* const transports[] = {&rank.transport};
    known_answers::ChannelCollectives collectives(rank.team, rank.transport);
    wrong = probe::run_probes(request.settings, rank.team, rank.worker, transports,
                              {header, request.preamble, nullptr, &collectives}, request.output)
                .wrong;
  });
  if (wrong > 0)
    std::fprintf(stderr, "stretto-virtual: %lld transfers arrived with wrong data\n",
                 static_cast<long long>(wrong));
  return wrong > 0 ? 3 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "stretto-virtual: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto-virtual: %s\n", error.what());
    return 1;
  }
}
