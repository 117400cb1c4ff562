// SPDX-License-Identifier: BSD-3-Clause
// The decision for one operation and size class: the form in which its calls are executed.
#pragma once

#include <stretto/collective_form.hpp>

namespace stretto::collective {

struct Decision {
  Grid grid;               ///< flat unless another form is certainly faster
  int segments = 1;        ///< number of segments of a broadcast or reduce
  double predicted_s = 0;  ///< predicted time of this form; 0: not predicted
  bool undecided = false;  ///< the predictions of flat and of the best grid are within their uncertainty
};

}  // namespace stretto::collective
