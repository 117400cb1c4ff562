// SPDX-License-Identifier: BSD-3-Clause
// The form in which calls of one operation and class of sizes are carried out.
#pragma once

#include <stretto/collective_form.hpp>

namespace stretto::collective {

struct Decision {
  Grid grid;               ///< flat where nothing else is certainly faster
  int segments = 1;        ///< of a broadcast or reduce
  double predicted_s = 0;  ///< of this form; 0: not predicted
  bool undecided = false;  ///< the predictions of flat and of the best grid are within their uncertainty
};

}  // namespace stretto::collective
