// SPDX-License-Identifier: Apache-2.0
// What a custom_call says besides its target: attributes with names that no schema knows, kept as the text of
// one dictionary.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

struct CallAttribute {
  std::string name; // "byteir_attrs.epsilon" where it stands in a dictionary
  AttrKind kind;    // integer, real, string, ints or boolean
  graph::AttrValue value;
};

// `{axis = [2], epsilon = 1.0e-05 : f64}`; text that is no such dictionary gives what can be read of it.
std::vector<CallAttribute> read_attributes(std::string_view dictionary);
// The attributes of a call: those of its dictionary, and its backend_config.
std::vector<CallAttribute> call_attributes(const OpView &call);
// The dictionary that read_attributes reads these from.
std::string attributes_text(std::span<const CallAttribute> attributes);

} // namespace tw::ops
