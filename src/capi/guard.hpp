// SPDX-License-Identifier: Apache-2.0
// The boundary of the C ABI: turns a Status into a code plus this thread's last error, and lets nothing throw
// past it.
#pragma once

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "base/status.hpp"
#include <tilewright/tw_base.h>

namespace tw::capi {

// Keeps the error as this thread's last one and returns its code.
tw_status_t remember(Error error) noexcept;

// The same for what was thrown; an error for which there is no memory is one without details, and TW_RESOURCE_EXHAUSTED.
tw_status_t remember_no_memory() noexcept;
tw_status_t remember_unknown(const std::exception &thrown) noexcept;

// Puts another error in the place of this thread's last one, which it returns.
std::optional<Error> exchange_last_error(std::optional<Error> error) noexcept;

// Runs the body of one C function: `return guard([&]() -> Status { ... });`
template <class Body> tw_status_t guard(Body &&body) noexcept {
  try {
    Status status = std::forward<Body>(body)();
    return status ? static_cast<tw_status_t>(TW_OK) : remember(std::move(status.error()));
  } catch (const std::bad_alloc &) {
    return remember_no_memory();
  } catch (const std::exception &e) {
    return remember_unknown(e);
  }
}

// For functions that answer a value: what they return when something throws (out of memory).
template <class T, class Body> T guard_value(T fallback, Body &&body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (const std::exception &) {
    return fallback;
  }
}

// "argument 'mesh' is NULL"
Status require(const void *pointer, const char *argument);

// A number of threads that a caller may ask for.
Status check_workers(int32_t workers);

} // namespace tw::capi
