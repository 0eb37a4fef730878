// SPDX-License-Identifier: Apache-2.0
// Lists of GPUs as users write them: "0,1,3".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace tw::device {

// The numbers of a list that is not empty; an error names `what` gave it. No number twice.
Result<std::vector<int32_t>> parse_gpus(std::string_view what, std::string_view text);

} // namespace tw::device
