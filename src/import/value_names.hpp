// SPDX-License-Identifier: Apache-2.0
// Every value has a name of its own, and those in regions begin with that of the op that owns the region.
#pragma once

#include "graph/graph.hpp"

namespace tw::import {

constexpr size_t kMaxNameLength = 256; // of a value's name; those with a longer one are called by numbers

// `may_repeat`: the text may give a name again, as it may in another loop. Where it gives none, the number by
// which the value is called is that of no other.
void settle_value_names(graph::GraphBuilder &builder, bool may_repeat);

} // namespace tw::import
