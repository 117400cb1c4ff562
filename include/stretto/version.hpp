// SPDX-License-Identifier: BSD-3-Clause
// Which stretto this is. The build writes the source file that defines it (cmake/WriteVersion.cmake).
#pragma once

#include <string_view>

namespace stretto {

/// The release, `MAJOR.MINOR.PATCH`.
extern const std::string_view version;

/// What `git describe` said of the sources when the library was built, with `-dirty` behind it for
/// uncommitted changes; `unknown` outside a git work tree.
extern const std::string_view revision;

}  // namespace stretto
