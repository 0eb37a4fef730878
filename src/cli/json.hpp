// SPDX-License-Identifier: Apache-2.0
// JSON as the verbs read and print it: members keep their order.
#pragma once

#include <nlohmann/json.hpp>
#include <tilewright/tw_program.h>

namespace tw::cli {

using Json = nlohmann::ordered_json;

// What `tw plan --json` prints (session.cpp).
Json report_of(const tw_program_t *program);

} // namespace tw::cli
