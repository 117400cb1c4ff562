// SPDX-License-Identifier: BSD-3-Clause
// Build ids of the loaded program and libraries, from their notes in memory: a file that was built again
// since then has another one.
#pragma once

#include <string>

namespace stretto::trace {

/// The bytes of the GNU build id of the loaded module with this absolute path; empty: it has none.
std::string build_id_of(const std::string& path);

}  // namespace stretto::trace
