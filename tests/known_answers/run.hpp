// SPDX-License-Identifier: BSD-3-Clause
// Runs ordinary blocking rank code on a virtual machine, in virtual time. The harness and the probes run over
// it unchanged, so their results must equal the machine's parameters.
//
// The meaning of the parameters (LogGP: Alexandrov et al., J. Parallel Distrib. Comput. 44, 1997; injection
// queue: the architectural probes' paper, section 7.2 and eq. 5-6). W = (s-1) G. On an idle machine:
//
// - send, s < break: start() takes o_s. The last byte leaves W later and arrives after L more. The receiver's
//   finish() takes o_r: one way o_s + W + L + o_r. The sender's finish() returns when the last byte has left.
// - send, s >= break, by rendezvous: after o_s a request travels. The reply follows as soon as the receiver
//   expects the message (L of the short messages each, no processor time). Then as above with the parameters
//   beyond the break: one way max(o_s2 + 2 L, t_expect + L) + W2 + L2 + o_r2.
// - put: the origin's finish() returns L after the last byte has arrived: o_s + W + 2 L. The target pays
//   nothing.
// - get: L for the request, then the bytes: o_s + W + 2 L, no o_r.
// - injection queue: start() first waits until the queue is free, g_queue after the previous start began.
//   Consecutive starts take max(o_s, g_queue) each (eq. 5-6).
// - network card: accepts an outgoing message every g + W, in the order of hand-over. Concurrently it accepts
//   incoming messages at the same rate, in the order of arrival of the last byte. A train of n takes (n-1)
//   max(o_s, g_queue, g + W, o_r) longer than one message.
// - overlap phi: phi W progresses without calls. The remaining (1 - phi) W waits until the rank that started
//   the transfer is in finish(), or has called poll() since. poll() takes no time, start() and expect() cause
//   no progress, and the other side may compute at the same time. For computation T_w >= phi W at that rank
//   and phi < 1, T_t = T_w + T_c - phi W. A get hides its request, too: less L. So eta = phi W / min(T_c,
//   T_w): for T_w = T_c this is phi, except for the part of T_c that is not W. phi = 1 hides L as well: T_t =
//   o_s + max(T_w, T_c - o_s).
// - steal sigma: while a message from or to a rank moves, the rank computes at rate 1 - sigma. A message
//   moves from hand-over to arrival, or to the acknowledgement of a put. It does not move while it waits for
//   a call or for its receiver. sigma = 1: T_t = T_c + T_w, eta = 0.
// - noise nu: each step, begun by wait_until(), draws two factors 1 + nu N(0,1), at least 0.05: one for all
//   times of communication, one for computation. They are equal on all ranks that agree on the deadline.
// - bursts: in a burst, a rank and another program have its core in turns of 3 ms, the other program first.
//   What a rank does itself stands still then: computation, o_s, o_r, and coming back from a call.
//   Messages travel. With burst_seen the account of the rank's thread tells how long it stood still.
// - team: broadcast and gather synchronise, carry their bytes and take no time.
#pragma once

#include <functional>

#include "exchange/channel.hpp"
#include "known_answers/machine.hpp"
#include "measure/team.hpp"
#include "measure/work.hpp"

namespace stretto::known_answers {

using exchange::all_operations;
using exchange::ChannelOperation;
using exchange::Transfer;

struct VirtualRank {
  measure::Team& team;
  measure::Worker& worker;
  exchange::Channel& transport;
};

/// Runs `body` once per rank, all in the calling thread, until all have returned. The same machine and bodies
/// give bitwise identical times.
/// Throws std::invalid_argument for less than one rank, or the first exception of a body after unwinding the
/// other bodies. Throws std::runtime_error, with what each rank waits for, on a deadlock.
/// A body that uses `catch (...)` must rethrow.
void run_virtual(const VirtualMachine& machine, int ranks, const std::function<void(VirtualRank&)>& body);

}  // namespace stretto::known_answers
