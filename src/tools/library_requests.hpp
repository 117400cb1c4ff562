// SPDX-License-Identifier: BSD-3-Clause
// Requests to `stretto-model` for the rules by which stretto's libraries and probes act, so that the commands
// need not know them.
#pragma once

#include <span>

#include "network/requests.hpp"

namespace stretto::tools {

[[nodiscard]] std::span<const network::RequestKind> library_kinds();

}  // namespace stretto::tools
