// SPDX-License-Identifier: Apache-2.0
// The boundary of the C ABI: turns a Status into a code plus this thread's last error, and lets nothing throw
// past it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "base/status.hpp"
#include <tilewright/tw_base.h>

namespace tw::capi {

// Keeps the error as this thread's last one and returns its code.
tw_status_t remember(Error error) noexcept;

// The same for what was thrown; an error for which there is no memory is one without details, and
// TW_RESOURCE_EXHAUSTED.
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
// The same of a text, which is UTF-8.
Status require_text(const char *text, const char *argument);
// The same of an element of an array: "inputs[3] is NULL".
Status require_at(const void *pointer, const char *array, size_t i);

// The struct_size that a caller gave: it must have been set.
Status check_struct_size(size_t struct_size, const char *argument);
// Bytes that this version of a struct gives no meaning must be zero, so that a later one can.
Status check_unknown(const void *bytes, size_t size, const char *argument);
Status check_reserved(std::span<const uint64_t> reserved, const char *array, size_t i);

// An option struct; NULL: all defaults.
template <class Options> Status check_options(const Options *options, const char *argument = "options") {
  if (!options)
    return {};
  if (auto status = check_struct_size(options->struct_size, argument); !status)
    return status;
  return options->struct_size <= sizeof(Options)
             ? Status()
             : check_unknown(options + 1, options->struct_size - sizeof(Options), argument);
}

// "options->cap_bytes is -1: at least 0"
Status check_at_least_0(int64_t value, const char *field);
Status check_at_least_0(double value, const char *field);

// A number of threads that a caller may ask for.
Status check_workers(int32_t workers, const char *name = "workers");

} // namespace tw::capi
