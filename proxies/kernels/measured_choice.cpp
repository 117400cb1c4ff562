// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/measured_choice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/kernels.hpp"

namespace stretto::kernel {

Request with(Request request, const Alternative& alternative) {
  request.variant = alternative.variant;
  request.transport = alternative.transport;
  for (const auto& [name, value] : alternative.options) request.options[name] = value;
  return request;
}

Choice measured_choice(const Kernel& kernel, const Request& request, MPI_Comm communicator) {
  Request any = request;
  if (kernel.alternatives != nullptr) any.variant.clear();
  any = checked(kernel, std::move(any));
  std::vector<Trial> trials;
  double fastest_s = std::numeric_limits<double>::infinity();
  for (const Alternative& one : kernel.alternatives(any, communicator)) {
    if (!request.transport.empty() && one.transport != request.transport) continue;
    const double time_s = kernel.trial_s(checked(kernel, with(any, one)), communicator, fastest_s);
    trials.push_back({one, time_s});
    fastest_s = std::min(fastest_s, time_s);
  }
  return choice_of(std::move(trials));
}

}  // namespace stretto::kernel
