// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions from the text of a profile, for tests.
#pragma once

#include <string>
#include <string_view>

#include "network/runtime_functions.hpp"
#include "profile/document.hpp"

namespace stretto::network {

/// A profile with these entries of `collectives`, and further members after them.
inline std::string profile_with(const std::string& collectives, const std::string& more = "") {
  return R"({"schema": "stretto.profile/1.0", "loggp": [], "collectives": [)" + collectives + "]" + more +
         "}";
}

/// Tables 2 and 3 of the two-phase paper.
inline const std::string broadcast_clic = R"(
{"operation": "broadcast", "members_min": 2, "members_max": 4, "size_min_bytes": 1, "size_max_bytes": 1000000,
 "terms": [{"of_p": "1", "of_b": "b", "coefficient": -0.085e-6}, {"of_p": "p", "of_b": "b", "coefficient": 0.092e-6}]},
{"operation": "broadcast", "members_min": 5, "members_max": 128, "size_min_bytes": 1, "size_max_bytes": 1000000,
 "terms": [{"of_p": "1", "of_b": "b", "coefficient": 0.0383e-6},
           {"of_p": "log2-p", "of_b": "b", "coefficient": {"value": 0.474e-6}}]})";

inline const std::string gather_clic = R"(
{"operation": "gather", "members_min": 2, "members_max": 128, "size_min_bytes": 1, "size_max_bytes": 100000000,
 "terms": [{"of_p": "1", "of_b": "1", "coefficient": 0.009},
           {"of_p": "1", "of_b": "b", "coefficient": -0.0825e-6}, {"of_p": "p", "of_b": "b", "coefficient": 0.0929e-6}]})";

inline RuntimeFunctions functions_from(std::string_view profile) {
  return RuntimeFunctions::from_profile(profile::parse_document(profile));
}

}  // namespace stretto::network
