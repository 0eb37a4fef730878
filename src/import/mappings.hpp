// SPDX-License-Identifier: Apache-2.0
// What the PartIR slides register of an op: `{tile_mappings = [{1 -> (none, 1), 0 -> (0, none)}],
// sum_mappings = [(1, 0)]}`. A tile of dimension 1 of the result takes all of operand 0 and a tile of
// dimension 1 of operand 1.
#pragma once

#include <string>

#include "import/reader.hpp"

namespace tw::import {

// Takes both attributes off a call. `rule` says the same in Shardy's notation; empty where neither is there.
bool take_mappings(Reader &r, OpText &op, std::string &rule);
// Has it hold for the call that was added last.
bool state_mappings(Reader &r, const OpText &op, std::string rule);

} // namespace tw::import
