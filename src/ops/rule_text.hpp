// SPDX-License-Identifier: Apache-2.0
// What can be said of a rule's text ("b s h, h -> b s h", see opaque_rule.hpp) before there is a call that it
// is about.
#pragma once

#include <string_view>

#include "base/status.hpp"

namespace tw::ops {

// Operands and results, a word no more than once in each, `...` neither.
Status check_rule_text(std::string_view text);

} // namespace tw::ops
