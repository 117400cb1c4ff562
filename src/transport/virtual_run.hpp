// SPDX-License-Identifier: BSD-3-Clause
// Ordinary blocking rank code on a machine that exists only as numbers, in virtual time: the harness and
// the probes run over it unchanged, and what they find must be what went in.
//
// What the numbers do (LogGP: Alexandrov et al., J. Parallel Distrib. Comput. 44, 1997; injection queue:
// the architectural probes' paper, section 7.2 and eq. 5-6). W = (s-1) G; all at one idle machine:
//
//   send, s < break     start o_s; last byte leaves at o_s + W, arrives L later; the receiver's finish() o_r:
//                       one way o_s + L + W + o_r. The sender's finish() returns when the last byte has left.
//   send, s >= break    rendezvous: after o_s a request (L of the short messages, no processor), its answer as
//                       soon as the receiver expects (L again), then as above with the second range:
//                       one way max(o_s + 2 L, t_expect + L) + L2 + W2 + o_r2.
//   put                 the origin's finish() returns L after the last byte has arrived: o_s + 2 L + W. The
//                       target pays nothing.
//   get                 L for the request, then the bytes: o_s + 2 L + W, no o_r.
//   injection queue     start() first waits until it is free, g_queue after the begin of the start before: a
//                       row of starts takes max(o_s, g_queue) each, eq. 5-6.
//   network card        takes an outgoing message every g + W, and an incoming one, at once (full duplex):
//                       in the order of hand-over and of arrival of the last byte. A train of n takes
//                       (n-1) max(o_s, g_queue, g + W, o_r) longer than one message.
//   overlap phi         phi W passes by itself; the remaining (1 - phi) W waits until the rank that started the
//                       transfer is in finish(), or has called poll() since (poll() takes no time). With work
//                       T_w >= phi W at the origin between start and finish, T_t = T_w + T_c - phi W (phi < 1), so
//                       eta = phi W / min(T_c, T_w), which is phi for T_w = T_c but for the part
//                       of T_c that is not W; phi = 1 hides L, too: T_t = o_s + max(T_w, W + L + o_r) for a send. The
//                       other side may work as it likes. start() and expect() drive nothing.
//   steal sigma         while a message from or to a rank moves (from hand-over to arrival, or to the
//                       acknowledgement of a put; not while it waits for a call or for a receiver), its work
//                       proceeds at rate 1 - sigma. sigma = 1: T_t = T_c + T_w, eta = 0.
//   noise nu            each step, begun by wait_until(), draws two factors 1 + nu N(0,1) (at least 0.05): all
//                       times of communication are multiplied by one, of work by the other. Same on all ranks.
//   team                broadcast and gather synchronise, carry their bytes and take no time.
#pragma once

#include <functional>

#include "measure/team.hpp"
#include "measure/work.hpp"
#include "transport/transport.hpp"
#include "transport/virtual_machine.hpp"

namespace stretto::transport {

struct VirtualRank {
  measure::Team& team;
  measure::Worker& worker;
  Transport& transport;
};

/// Runs `body` once a rank, all in the calling thread, until all have returned. The same machine and
/// bodies give the same times, bit by bit. Throws std::invalid_argument for less than one rank, the first
/// exception of a body (the other bodies are unwound), or std::runtime_error, with what each rank waits
/// for, when all wait. A body must throw on what it catches with `catch (...)`.
void run_virtual(const VirtualMachine& machine, int ranks, const std::function<void(VirtualRank&)>& body);

}  // namespace stretto::transport
