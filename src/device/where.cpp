// SPDX-License-Identifier: Apache-2.0
// Finds units by their names.
#include "device/where.hpp"

#include <fmt/format.h>

#include "device/kind.hpp"

namespace tw::device {

std::string to_text(const Where &where) {
  return where.is_host() ? "the host" : fmt::format("{}:{}", where.kind->name(), where.unit);
}

Result<Where> find_where(std::string_view kind, int64_t unit) {
  TW_ASSIGN(const Kind *found, find_kind(kind));
  const QueueKind *queues = found->as_queues();
  int64_t units = 1;
  if (queues != nullptr) {
    TW_ASSIGN(units, queues->num_units());
  }
  if (unit < 0 || unit >= units)
    return fail(Code::not_found, "TW-683",
                fmt::format("there is no device {} of kind {}: {}", unit, kind,
                            units == 0   ? "this machine has none"
                            : units == 1 ? "device 0 is the only one"
                                         : fmt::format("there are devices 0 to {}", units - 1)));
  return Where{queues, static_cast<int32_t>(unit)};
}

} // namespace tw::device
