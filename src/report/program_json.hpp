// SPDX-License-Identifier: Apache-2.0
// A plan and its program as the JSON object that `tw plan --json` prints. Keys in a fixed order, no time
// stamps outside timing_ms.
#pragma once

#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/expectations.hpp"
#include "report/subject.hpp"

namespace tw::report {

nlohmann::ordered_json program_json(const Subject &subject);
// Parts of it.
nlohmann::ordered_json mesh_json(const sharding::Mesh &mesh);
nlohmann::ordered_json counts_json(const std::array<int64_t, redistribute::kNumKinds> &counts);
nlohmann::ordered_json timing_json(const Subject &subject);
nlohmann::ordered_json expectations_json(const std::vector<Outcome> &outcomes);

} // namespace tw::report
