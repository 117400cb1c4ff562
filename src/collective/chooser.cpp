// SPDX-License-Identifier: BSD-3-Clause
#include "collective/chooser.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "mpi/check.hpp"
#include "mpi/world.hpp"
#include "network/collective_choice.hpp"
#include "profile/document.hpp"

namespace stretto::collective {
namespace {

using mpi::check;
using network::RuntimeFunctions;

[[noreturn]] void refuse(std::string_view part) {
  throw std::invalid_argument("'" + std::string{part} +
                              "' is no form: write flat, P1xP2 or OPERATION=P1xP2,OPERATION=flat,...");
}

Grid grid_or_refuse(std::string_view text, std::string_view part) {
  const auto grid = grid_from(text);
  if (!grid) refuse(part);
  return *grid;
}

/// The profile's text as rank 0 reads it, or the error.
struct ProfileText {
  std::string text;
  bool failed = false;
};

/// Throws std::invalid_argument or network::ProfileError.
RuntimeFunctions functions_of(std::string_view profile) {
  return RuntimeFunctions::from_profile(profile::parse_document(profile));
}

ProfileText read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file.is_open() || !(text << file.rdbuf())) {
    return {.text = path + ": cannot be read; give the path of a profile", .failed = true};
  }
  try {
    (void)functions_of(text.str());
  } catch (const std::exception& error) {
    return {.text = path + ": " + error.what(), .failed = true};
  }
  return {.text = text.str()};
}

}  // namespace

Chooser& Chooser::instance() {
  static Chooser chooser;
  return chooser;
}

void Chooser::set_functions(RuntimeFunctions functions, MPI_Comm communicator) {
  if (functions.depends_on_nodes()) nodes_.learn(communicator);
  functions_ = std::move(functions);
  ++generation_;
}

void Chooser::set_algorithm(Algorithm algorithm) {
  algorithm_ = algorithm;
  ++generation_;
}

void Chooser::force(std::string_view text) {
  std::optional<Grid> for_all;
  std::map<Operation, Grid> by_operation;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      for_all = grid_or_refuse(part, part);
      continue;
    }
    const auto operation = operation_from(part.substr(0, equals));
    if (!operation) refuse(part);
    by_operation[*operation] = grid_or_refuse(part.substr(equals + 1), part);
  }
  forced_for_all_ = for_all;
  forced_ = std::move(by_operation);
  ++generation_;
}

const Decision& Chooser::decision(CommunicatorState& state, Operation operation,
                                  std::uint64_t size_bytes) const {
  const std::uint64_t decided = network::decided_size(functions_, size_bytes);
  const auto [entry, is_new] = state.decisions(generation_).try_emplace({operation, decided});
  if (!is_new) return entry->second;
  if (functions_.depends_on_nodes() && nodes_.is_known()) {
    const RuntimeFunctions placed = functions_.placed(nodes_.ranks_per_node(state.communicator()));
    entry->second = decide_for(placed, state.size(), operation, decided);
  } else {
    entry->second = decide_for(functions_, state.size(), operation, decided);
  }
  return entry->second;
}

Decision Chooser::decide_for(const RuntimeFunctions& functions, int ranks, Operation operation,
                             std::uint64_t size_bytes) const {
  const auto own = forced_.find(operation);
  const std::optional<Grid> forced = own != forced_.end() ? own->second : forced_for_all_;
  if (forced && (forced->is_flat() || forced->holds(ranks))) {
    return forced_decision(functions, *forced, ranks, operation, size_bytes);
  }
  const auto choice = network::choose(functions, operation, algorithm_, ranks, size_bytes);
  if (choice.verdict != network::Verdict::grid) {
    return {.predicted_s = choice.flat.time_s,
            .undecided = choice.gain && choice.verdict == network::Verdict::undecided};
  }
  return {.grid = choice.best->grid,
          .segments = choice.best->segments,
          .predicted_s = choice.best->total().time_s};
}

/// A ragged grid of the reference algorithms has no prediction.
Decision Chooser::forced_decision(const RuntimeFunctions& functions, const Grid& grid, int ranks,
                                  Operation operation, std::uint64_t size_bytes) const {
  network::CallTime predicted;
  if (grid.is_flat()) {
    predicted = functions.predict_flat(operation, algorithm_, ranks, size_bytes);
  } else if (grid.is_regular(ranks)) {
    predicted = network::predict_two_phase(functions, operation, algorithm_, grid, size_bytes).total();
  } else if (algorithm_ == Algorithm::library) {
    predicted = network::predict_ragged(functions, operation, algorithm_, grid, size_bytes).total();
  }
  return {.grid = grid, .predicted_s = predicted.time_s};
}

std::size_t load_profile(const std::string& path, MPI_Comm communicator) {
  int rank = 0;
  check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  ProfileText reading;
  if (rank == 0) reading = read(path);
  int failed = reading.failed ? 1 : 0;
  check(PMPI_Bcast(&failed, 1, MPI_INT, 0, communicator), "MPI_Bcast");
  check(mpi::broadcast_text(reading.text, communicator), "MPI_Bcast");
  if (failed != 0) throw std::runtime_error(reading.text);
  RuntimeFunctions functions = functions_of(reading.text);
  const std::size_t found = functions.size();
  Chooser::instance().set_functions(std::move(functions), communicator);
  return found;
}

void force_forms(std::string_view text) { Chooser::instance().force(text); }

void use_algorithm(Algorithm algorithm) { Chooser::instance().set_algorithm(algorithm); }

Form choose(Operation operation, std::uint64_t size_bytes, MPI_Comm communicator) {
  const Chooser& chooser = Chooser::instance();
  CommunicatorState& state = CommunicatorState::of(communicator);
  const bool is_flat = size_bytes == 0 || state.is_inter() || state.size() < 2;
  return chooser.form_of(is_flat ? Decision{} : chooser.decision(state, operation, size_bytes));
}

}  // namespace stretto::collective
