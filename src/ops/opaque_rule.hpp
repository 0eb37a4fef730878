// SPDX-License-Identifier: Apache-2.0
// What a user says of a custom_call that we know nothing of: which dimensions of its operands and results go together.
#pragma once

#include <string>
#include <string_view>

#include "ops/op_def.hpp"

namespace tw::ops {

struct OpaqueRule {
  std::string target; // call_target_name
  std::string text;   // "b s h, h -> b s h"
  bool operator==(const OpaqueRule &) const = default;
};

// Reads "b s h, h -> b s h" for a call: a word for each dimension, operands and results by commas. Dimensions of one word are split together
// where a result has the word, and stay whole where none has; so do those written `*`.
Result<Rule> parse_opaque_rule(std::string_view text, const OpView &call);

} // namespace tw::ops
