// SPDX-License-Identifier: Apache-2.0
// Text from outside is UTF-8, or an error says where it is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw {

// "the spec: the byte 0xff is no UTF-8"; with a file at its line and column.
Status check_utf8(std::string_view text, std::string_view what, std::optional<std::string> file = {});

} // namespace tw
