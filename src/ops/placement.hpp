// SPDX-License-Identifier: Apache-2.0
// XLA's calls that say in which memory a value lies, and give the value. They stay calls, which are written
// as they were read, and everything else takes them for the identity.
#pragma once

#include "ops/op_def.hpp"

namespace tw::ops {

bool is_placement(const OpDef &def, const OpView &op);
bool is_placement(const graph::Graph &graph, graph::OpId op);

} // namespace tw::ops
