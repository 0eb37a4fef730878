// SPDX-License-Identifier: Apache-2.0
// What a user says of ops: which dimensions of their operands and results go together. Of a custom_call that
// we know nothing of it is the rule; of other ops it says which loops must stay whole.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ops/call_attributes.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

struct OpaqueRule {
  std::string target;            // call_target_name; "": of a single op, in Shardy's notation
  std::string text;              // "b s h, h -> b s h"
  graph::OpId op = graph::kNone; // where it is about a single op
  bool operator==(const OpaqueRule &) const = default;
};

// Whether a call has results other than tokens. One that has none is for its effect, made of each part.
bool makes_arrays(const OpView &call);

// Reads "b s h, h -> b s h" for a call: a word for each dimension, operands and results by commas. Dimensions
// of one word are split together where a result has the word, and stay whole where none has; so do those
// written `*`. Of a call that makes no arrays the operands have the words. `...` stands for leading
// dimensions, equally many wherever it stands.
Result<Rule> parse_opaque_rule(std::string_view text, const OpView &call);

// Reads "([i, k], [k, j])->([i, j]) {i=8, j=8, k=4} reduction={k}, custom" for an op: the rule of a call that
// we know nothing of (`own` is null), else the op's own rule, in which those loops stay whole that the text
// does not have, or has among need_replication, permutation or blocked_propagation.
Result<Rule> parse_sharding_rule(std::string_view text, const OpView &op, const Rule *own);
// A rule of an op, of which the tiles of a device have these shapes: the same with the sizes that its loops
// have there. Nothing where dimensions of one loop have tiles of several sizes, or an array is empty.
std::optional<std::string> sharding_rule_of_tiles(std::string_view text, const OpView &op,
                                                  std::span<const graph::Shape> operands,
                                                  std::span<const graph::Shape> results);
// A rule whose arrays get these dimensions in front, which go together.
std::string sharding_rule_with_dims(std::string_view text, std::span<const int64_t> in_front,
                                    const Tokens &tokens = {});

} // namespace tw::ops
