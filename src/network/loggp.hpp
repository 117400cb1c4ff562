// SPDX-License-Identifier: BSD-3-Clause
// The LogGP parameters of one range of message sizes, and the clock of a resource that serves one at a
// time. LogGP: Alexandrov, Ionescu, Schauser, Scheiman, J. Parallel Distrib. Comput. 44 (1997) 71-79;
// the injection queue is the architectural probes' paper's, section 7.2.
#pragma once

#include <algorithm>
#include <cstddef>

namespace stretto::network {

struct LogGp {
  double latency_s = 0;           ///< L: from leaving one network card to reaching the other
  double overhead_send_s = 0;     ///< o_s: processor time to start a message
  double overhead_receive_s = 0;  ///< o_r: processor time to complete a received one
  double gap_s = 0;               ///< g: time of the network card per message, apart from its bytes
  double gap_queue_s = 0;         ///< g_queue: time that an injection keeps the injection queue busy
  double gap_s_per_byte = 0;      ///< G: time of the network card per byte after the first

  /// (s - 1) G: the time that the bytes of a message are on the wire.
  [[nodiscard]] double wire_s(std::size_t size_bytes) const {
    return size_bytes > 1 ? static_cast<double>(size_bytes - 1) * gap_s_per_byte : 0;
  }
};

/// The clock of a resource: the time until which it is busy.
struct Resource {
  double free_at_s = 0;

  /// Takes the resource for `busy_s` as soon as it is free, not before `ready_s`; returns when that is.
  double take(double ready_s, double busy_s) {
    const double begin_s = std::max(ready_s, free_at_s);
    free_at_s = begin_s + busy_s;
    return begin_s;
  }
};

/// A network card: one message out and one in at a time, both at once (full duplex).
struct NetworkCard {
  Resource out;
  Resource in;
  double out_since_s = 0;  ///< since when messages leave without a pause

  /// Takes the outgoing side for `busy_s` as soon as it is free, not before `ready_s`; returns when that is.
  double take_out(double ready_s, double busy_s) {
    if (ready_s > out.free_at_s) out_since_s = ready_s;
    return out.take(ready_s, busy_s);
  }
};

}  // namespace stretto::network
