// SPDX-License-Identifier: Apache-2.0
// A plan and its program as the JSON object that `tw plan --json` prints. Keys in a fixed order, no time
// stamps outside timing_ms.
#pragma once

#include <nlohmann/json.hpp>

#include "report/subject.hpp"

namespace tw::report {

nlohmann::ordered_json program_json(const Subject &subject);

} // namespace tw::report
