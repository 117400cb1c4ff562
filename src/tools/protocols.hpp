// SPDX-License-Identifier: BSD-3-Clause
// The protocols of the one-sided runtime as a JSON document, for people who choose sizes and options.
#pragma once

#include <cstddef>
#include <string>

namespace stretto::tools {

/// `segment_bytes` (0: the runtime's default), and `protocols`: for each operation `where`, `progress`,
/// `operation`, `data`, `protocol` and `reason`.
[[nodiscard]] std::string protocols_document(std::size_t segment_bytes);

}  // namespace stretto::tools
