// SPDX-License-Identifier: BSD-3-Clause
// The document of stretto-analyse (docs/formats.md).
#pragma once

#include <string>

#include "analysis/team.hpp"

namespace stretto::tools {

/// The answer to a request. All processes of a team call it with the same request, and process 0 has the
/// answer. Throws std::invalid_argument for a wrong request or trace.
[[nodiscard]] std::string analysis_document(const std::string& request, analysis::Team& team);

}  // namespace stretto::tools
