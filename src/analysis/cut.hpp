// SPDX-License-Identifier: BSD-3-Clause
// Cuts an ordinary trace out of files of which only the newest blocks were kept. It begins at one time for
// all ranks: the earliest from which on none of them lacks a call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace stretto::analysis {

/// Replaces the files of a trace's directory, one after the other. Begun again where it was interrupted.
/// Returns a JSON object (docs/formats.md). Throws TraceError where the limit was too small or a file is
/// damaged, and std::runtime_error where the messages cannot be matched.
[[nodiscard]] std::string cut_trace(const std::filesystem::path& directory);

}  // namespace stretto::analysis
