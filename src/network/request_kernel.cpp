// SPDX-License-Identifier: BSD-3-Clause
// `kernel`: the variants of a kernel of `stretto run`, and the time of one of them. Members: `kernel` (`ft`,
// `mg`, `cg`, `spmv`), `ranks`, and its sizes: `nx`, `ny`, `nz` and `iterations` of ft, `points` and
// `iterations` of mg, `rows`, `nonzeros` and `iterations` of cg, the members of ProductNeeds of spmv. A NAS
// class by its name, `class`, may stand for the sizes of the first three; `iterations` replaces its own.
//
// Without `variant` the answer has `variants`, the simplest first, and `sizes` of a class. Each has
// `variant`, `transport`, `settings`, `overlapped`, `operation` (of its messages: put, get or send) and
// `phases` (`name`, `times`, `flops`, `messages`, those with data, and `sizes_bytes`). With `variant`,
// `transport` and optionally `settings` it has only that one. With `path` and `seconds_per_flop`, too, the
// answer is `total_s`, the time of a run in each draw. Flags and credits replace barriers, except over MPI's
// window.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "network/draws.hpp"
#include "network/kernel_variants.hpp"
#include "network/nas_sizes.hpp"
#include "network/probe_schedules.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

std::unique_ptr<KernelModel> kernel_of(const RequestMembers& request, const std::string& name) {
  if (name == "ft") return ft_kernel(request);
  if (name == "mg") return mg_kernel(request);
  if (name == "cg") return cg_kernel(request);
  if (name == "spmv") return spmv_kernel(request);
  request.refuse("kernel", "choose from ft, mg, cg, spmv");
}

/// The sizes of a kernel's class; null where it has no such class.
Json class_sizes(const std::string& kernel, const std::string& name) {
  const auto named = [&](const auto& sizes) {
    return std::ranges::find(sizes, name, [](const auto& one) { return one.name; });
  };
  if (const auto* one = named(nas_ft_sizes); kernel == "ft" && one != nas_ft_sizes.end()) {
    return {{"nx", one->nx}, {"ny", one->ny}, {"nz", one->nz}, {"iterations", one->iterations}};
  }
  if (const auto* one = named(nas_mg_sizes); kernel == "mg" && one != nas_mg_sizes.end()) {
    return {{"points", one->points}, {"iterations", one->iterations}};
  }
  if (const auto* one = named(nas_cg_sizes); kernel == "cg" && one != nas_cg_sizes.end()) {
    return {{"rows", one->rows}, {"nonzeros", one->nonzeros}, {"iterations", one->iterations}};
  }
  return nullptr;
}

/// The sizes of the requested class; null where the request names none.
Json sizes_of(const RequestMembers& request) {
  if (!request.has("class")) return nullptr;
  Json sizes = class_sizes(request.text("kernel"), request.text("class"));
  if (sizes.is_null()) request.refuse("class", "choose from S, W, A, B, C, D, of ft, mg or cg");
  if (request.has("iterations")) sizes["iterations"] = request.at("iterations");
  return sizes;
}

std::unique_ptr<KernelModel> kernel_of(const RequestMembers& request, const Json& sizes) {
  const std::string name = request.text("kernel");
  if (sizes.is_null()) return kernel_of(request, name);
  Json members = sizes;
  members["ranks"] = request.at("ranks");
  return kernel_of(RequestMembers(members, request.path()), name);
}

VariantName variant_of(const RequestMembers& request, const KernelModel& kernel) {
  VariantName name{
      .variant = request.text("variant"), .transport = request.text("transport"), .settings = {}};
  name.overlapped = kernel.overlaps(name.variant);
  if (!request.has("settings")) return name;
  const Json& settings = request.at("settings");
  if (!settings.is_array()) request.refuse("settings", "give an array of texts");
  for (const Json& one : settings) {
    if (!one.is_string()) request.refuse("settings", "give an array of texts");
    name.settings.push_back(one);
  }
  return name;
}

Json phase_json(const KernelPhase& phase) {
  std::uint64_t messages = 0;
  std::set<std::uint64_t> sizes;
  for (const GraphStep& step : phase.schedule.steps) {
    if (step.kind != GraphStep::Kind::start) continue;
    if (step.size_bytes > 0) ++messages;
    sizes.insert(step.size_bytes);
  }
  return {{"name", phase.schedule.name},
          {"times", phase.times},
          {"flops", phase.flops},
          {"messages", messages},
          {"sizes_bytes", sizes}};
}

/// The operation of the messages of a variant: get, or the one that the profile has for its transport.
std::string_view operation_of(const VariantName& name, const std::vector<KernelPhase>& phases) {
  for (const KernelPhase& phase : phases) {
    const GraphStep* const first = phase.schedule.first_start();
    if (first != nullptr && first->operation == TransferOperation::get) return "get";
  }
  return name.transport == "mpi-two-sided" ? "send" : "put";
}

Json variant_json(const VariantName& name, const std::vector<KernelPhase>& phases) {
  Json json = {{"variant", name.variant},
               {"transport", name.transport},
               {"settings", name.settings},
               {"overlapped", name.overlapped},
               {"operation", operation_of(name, phases)},
               {"phases", Json::array()}};
  for (const KernelPhase& phase : phases) json["phases"].push_back(phase_json(phase));
  return json;
}

double run_s(const std::vector<KernelPhase>& phases, const VariantName& name, const PathCosts& costs,
             double seconds_per_flop) {
  const auto barrier_s = name.transport == "mpi-rma" ? std::nullopt : std::optional(0.0);
  double total_s = 0;
  for (const KernelPhase& phase : phases) {
    const double work_s = phase.flops * seconds_per_flop;
    const bool silent = phase.schedule.messages == 0;
    total_s += static_cast<double>(phase.times) *
               (silent ? work_s : evaluate(phase.schedule, costs, work_s, barrier_s).total_s);
  }
  return total_s;
}

Json answer_checked(const RequestMembers& request) {
  const Json sizes = sizes_of(request);
  const auto kernel = kernel_of(request, sizes);
  if (!request.has("variant")) {
    Json json = {{"variants", Json::array()}};
    if (!sizes.is_null()) json["sizes"] = sizes;
    for (const VariantName& name : kernel->variants()) {
      json["variants"].push_back(variant_json(name, kernel->phases(name)));
    }
    return json;
  }
  const VariantName name = variant_of(request, *kernel);
  const std::vector<KernelPhase> phases = kernel->phases(name);
  if (!request.has("path")) return {{"variants", Json::array({variant_json(name, phases)})}};
  const DrawnPath path(request.object("path"));
  const Draws rate(request.numbers("seconds_per_flop"));
  Json totals = Json::array();
  const std::size_t draws = common_count(request, {path.count(), rate.count()});
  for (std::size_t draw = 0; draw < draws; ++draw) {
    totals.push_back(run_s(phases, name, path.at(draw), rate.at(draw)));
  }
  return {{"total_s", totals}};
}

}  // namespace

Json answer_kernel(const RequestMembers& request) {
  try {
    return answer_checked(request);
  } catch (const InvalidParameter& wrong) {
    request.refuse(wrong.parameter().c_str(), wrong.what());
  }
}

}  // namespace stretto::network
