// SPDX-License-Identifier: Apache-2.0
// Functions that are read in place, and constraints on what goes into them and comes out.
#pragma once

#include "import/reader.hpp"
#include "import/signature.hpp"

namespace tw::import {

// Reads the callee, "@f" or "@module::@f", with its arguments bound to the operands of `op`.
bool inline_function(Reader &r, OpText &op, std::string_view callee, const char *at);

// The same with its arguments bound to `operands`; what it gives is in Reader::yields, and bound to no name.
bool read_callee(Reader &r, OpText &op, std::string_view callee, const char *at,
                 std::span<const graph::ValueId> operands, Signature &signature);

// A value of its own that stands for `v` and carries the sharding, or what attributes say of one.
bool constrain(Reader &r, graph::ValueId &v, annotation::ShardingAnnotation sharding, const OpText &op);
bool constrain(Reader &r, graph::ValueId &v, const std::vector<AttrText> &attrs, const OpText &op);
// What an op says of the sharding of its results.
bool constrain_results(Reader &r, const OpText &op, std::vector<graph::ValueId> &results);
// The results are the operands.
bool pass_through(Reader &r, OpText &op);

} // namespace tw::import
