// SPDX-License-Identifier: Apache-2.0
// What goes wrong: a Failure, thrown inside the plug-in, and the Error that the caller gets and destroys.
#pragma once

#include <string>

#include "pjrt/abi.hpp"
#include <tilewright/tw_base.h>

namespace tw::pjrt {

struct Failure {
  abi::Code code;
  std::string message;
};

// The last failed call of the library in this thread: its message with the id, the position in the program
// and the notes, a line each.
Failure last_failure(tw_status_t status);

struct Error {
  const abi::ErrorTable *table; // read by the caller
  Failure failure;
};
// Owned by who gets it.
Error *make_error(Failure failure);

// Runs what may throw, and answers null or the error.
template <class Body> Error *guard(Body &&body) noexcept;
// The error of the exception that is being handled.
Error *current_error() noexcept;

// Of a callback that the library calls: runs what may throw, and answers what that was as a status with its
// text.
template <class Body> tw_status_t guard_callback(Body &&body) noexcept;
tw_status_t current_status() noexcept; // of the exception that is being handled

template <class Body> Error *guard(Body &&body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return current_error();
  }
}

template <class Body> tw_status_t guard_callback(Body &&body) noexcept {
  try {
    body();
    return TW_OK;
  } catch (...) {
    return current_status();
  }
}

} // namespace tw::pjrt
