// SPDX-License-Identifier: Apache-2.0
// Calls of the host's functions.
#pragma once

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capi/guard.hpp"

namespace tw::capi {

// Runs a callback that answers a status, as "its kernel". What this thread failed at before stays its last
// failure unless the callback fails. `id`: of a failure of which the callback gives no text.
template <class Callback> Status ask_host(const char *id, const char *what, Callback &&callback) {
  auto before = exchange_last_error({});
  const tw_status_t status = callback();
  auto said = exchange_last_error(std::move(before));
  if (status == TW_OK)
    return {};
  if (said)
    return fail(std::move(*said));
  const Code code = status > TW_OK && status <= TW_DEVICE_LOST ? static_cast<Code>(status) : Code::internal;
  return fail(code, id, fmt::format("{} failed: {}", what, tw_status_name(status)));
}

} // namespace tw::capi
