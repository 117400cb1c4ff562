// SPDX-License-Identifier: BSD-3-Clause
// The protocol of an operation, and why.
#include <stretto/protocol.hpp>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::OperationClass;
using stretto::Protocol;

static_assert(static_cast<int>(Protocol::direct) == STRETTO_PROTOCOL_DIRECT &&
              static_cast<int>(Protocol::rma) == STRETTO_PROTOCOL_RMA &&
              static_cast<int>(Protocol::eager) == STRETTO_PROTOCOL_EAGER &&
              static_cast<int>(Protocol::rendezvous) == STRETTO_PROTOCOL_RENDEZVOUS);
static_assert(static_cast<int>(OperationClass::put) == STRETTO_OPERATION_PUT &&
              static_cast<int>(OperationClass::get) == STRETTO_OPERATION_GET &&
              static_cast<int>(OperationClass::put_signal) == STRETTO_OPERATION_PUT_SIGNAL &&
              static_cast<int>(OperationClass::update) == STRETTO_OPERATION_UPDATE);

int stretto_protocol_of(const stretto_region* region, int operation, int target, size_t size_bytes,
                        size_t row_bytes, int* protocol, const char** reason) {
  return guarded([&] {
    const auto kind = enumerator<OperationClass>(operation, STRETTO_OPERATION_UPDATE, "operation");
    int& number = given(protocol, "protocol");
    const char*& sentence = given(reason, "reason");
    const stretto::ProtocolChoice choice = stretto::protocol_of(
        region_of(region),
        {.operation = kind, .target = target, .size_bytes = size_bytes, .row_bytes = row_bytes});
    number = static_cast<int>(choice.protocol);
    sentence = choice.reason.data();  // a literal, and so ended by a zero
  });
}
