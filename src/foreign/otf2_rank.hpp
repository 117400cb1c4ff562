// SPDX-License-Identifier: BSD-3-Clause
// The calls of one rank of an OTF2 archive, put together from its events.
#pragma once

#include <cstdint>

#include "foreign/call_writer.hpp"
#include "foreign/otf2_archive.hpp"

namespace stretto::foreign {

/// Writes the rank's calls; `left_out` counts what is not understood. Throws Damaged.
void convert_otf2_rank(const Otf2Archive& archive, CallWriter& out, LeftOut& left_out);

}  // namespace stretto::foreign
