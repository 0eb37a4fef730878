// SPDX-License-Identifier: Apache-2.0
// Where an array of the program lies: in memory of the host, or in that of a unit of a kind, such as GPU 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw::device {

class QueueKind;

struct Where {
  const QueueKind *kind = nullptr; // null: the host
  int32_t unit = 0;
  bool is_host() const { return kind == nullptr; }
  bool operator==(const Where &) const = default;
};

std::string to_text(const Where &where); // "the host", "cuda:1"

// What a caller names: a kind of kind_list.inc, and a unit, which of the host is 0. An error where there is
// none.
Result<Where> find_where(std::string_view kind, int64_t unit);

} // namespace tw::device
