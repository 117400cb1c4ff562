/* SPDX-License-Identifier: BSD-3-Clause
 * The one-sided runtime for C, and for languages that call C. It is the interface of C++ (stretto/runtime.hpp
 * and the other headers there) as functions; those headers say more about each. docs/bindings.md is the
 * guide.
 *
 * A function that returns int returns STRETTO_SUCCESS or the code of an error, unless its comment says
 * something else; after an error it has done nothing, and stretto_error_message() says what is wrong. Results
 * come through the last arguments. `target` is a rank of the region's team, `offset` counts bytes from the
 * beginning of its part. Sizes and strides are bytes, too. What a create function returns is freed by the
 * free function of its type, which also sets the caller's pointer to NULL.
 */
#ifndef STRETTO_STRETTO_H
#define STRETTO_STRETTO_H

#include <stretto/c/runtime.h>
#include <stretto/c/teams.h>
#include <stretto/c/transfers.h>
#include <stretto/c/updates.h>

#endif
