// SPDX-License-Identifier: BSD-3-Clause
// Which stretto this is. The build writes the source file that defines it (cmake/WriteVersion.cmake).
#pragma once

#include <string_view>

namespace stretto {

/// The release, `MAJOR.MINOR.PATCH`.
extern const std::string_view version;

/// The output of `git describe` when the library was built, ending with `-dirty` for
/// uncommitted changes; `unknown` outside a git work tree.
extern const std::string_view revision;

}  // namespace stretto
