// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/boundary.hpp"

#include <stretto/stretto.h>

#include <new>
#include <stretto/error.hpp>
#include <string>

#include "mpi/check.hpp"

namespace stretto::bindings {
namespace {

thread_local std::string last_message;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

int recorded(int code, const char* message) noexcept {
  try {
    last_message = message;
  } catch (...) {
    last_message.clear();  // no memory for it
  }
  return code;
}

}  // namespace

int code_of_current() noexcept {
  try {
    throw;
  } catch (const ArgumentError& error) {
    return recorded(STRETTO_ERROR_ARGUMENT, error.what());
  } catch (const HandleError& error) {
    return recorded(STRETTO_ERROR_HANDLE, error.what());
  } catch (const RegionInUseError& error) {
    return recorded(STRETTO_ERROR_REGION_IN_USE, error.what());
  } catch (const FinalizedError& error) {
    return recorded(STRETTO_ERROR_FINALIZED, error.what());
  } catch (const InterruptedError& error) {
    return recorded(STRETTO_ERROR_INTERRUPTED, error.what());
  } catch (const TimeoutError& error) {
    return recorded(STRETTO_ERROR_TIMEOUT, error.what());
  } catch (const mpi::MpiError& error) {
    return recorded(STRETTO_ERROR_MPI, error.what());
  } catch (const MemoryError& error) {
    return recorded(STRETTO_ERROR_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return recorded(STRETTO_ERROR_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return recorded(STRETTO_ERROR_OTHER, error.what());
  } catch (...) {
    return recorded(STRETTO_ERROR_OTHER, "an exception of unknown type");
  }
}

void throw_null(const char* argument) { throw ArgumentError(argument, "is NULL"); }

void throw_no_constant(const char* argument, int number, const char* header) {
  throw ArgumentError(argument, std::to_string(number) + " is none of the constants of " + header);
}

}  // namespace stretto::bindings

extern "C" {

const char* stretto_error_name(int code) {
  switch (code) {
    case STRETTO_SUCCESS:
      return "success";
    case STRETTO_ERROR_ARGUMENT:
      return "argument";
    case STRETTO_ERROR_HANDLE:
      return "handle";
    case STRETTO_ERROR_REGION_IN_USE:
      return "region in use";
    case STRETTO_ERROR_FINALIZED:
      return "finalized";
    case STRETTO_ERROR_TIMEOUT:
      return "timeout";
    case STRETTO_ERROR_MPI:
      return "MPI";
    case STRETTO_ERROR_MEMORY:
      return "memory";
    case STRETTO_ERROR_OTHER:
      return "other";
    case STRETTO_ERROR_INTERRUPTED:
      return "interrupted";
    default:
      return "unknown";
  }
}

const char* stretto_error_message(void) { return stretto::bindings::last_message.c_str(); }

const char* stretto_version(void) { return STRETTO_VERSION; }
}
