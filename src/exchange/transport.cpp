// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <stretto/error.hpp>
#include <stretto/transport.hpp>
#include <string>
#include <utility>

namespace stretto {
namespace {

constexpr std::array<std::pair<Transport, std::string_view>, 4> names{
    {{Transport::one_sided, "stretto"},
     {Transport::mpi_rma, "mpi-rma"},
     {Transport::two_sided, "mpi-two-sided"},
     {Transport::alltoall, "mpi-alltoall"}}};

}  // namespace

std::string_view to_string(Transport transport) { return names[static_cast<std::size_t>(transport)].second; }

Transport transport_from(std::string_view name) {
  std::string choices;
  for (const auto& [transport, known] : names) {
    if (known == name) return transport;
    choices += (choices.empty() ? "" : ", ") + std::string(known);
  }
  throw ArgumentError("transport", "unknown '" + std::string(name) + "'; choose from " + choices);
}

}  // namespace stretto
