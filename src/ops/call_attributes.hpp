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

// An item of a dictionary as it is written, the name without quotes.
struct DictionaryItem {
  std::string_view name, value; // the value is empty where there is none: a flag
};
std::vector<DictionaryItem> dictionary_items(std::string_view dictionary);
// Whether an attribute is one that custom_call has in StableHLO; others stand beside an op.
bool is_call_property(std::string_view name);
// Says of a call how many dimensions stand in front of those that the program wrote, since what it wrote is
// code of one device.
inline constexpr std::string_view kDimsInFront = "tw.dims_in_front";
// Whether a call with a side effect says that it is made once, and not by each device (`tw.once`).
bool is_made_once(const OpView &call);
// Which values of a call are tokens, which get no dimensions; those behind the last are none.
struct Tokens {
  std::vector<bool> operands, results;
};
// The dictionary of a call whose arrays get so many more dimensions in front, which layouts put outermost.
std::string with_dims_in_front(std::string_view dictionary, int64_t count, const Tokens &tokens = {});

struct CallAttribute {
  std::string name; // "byteir_attrs.epsilon" where it stands in a dictionary
  AttrKind kind;    // integer, real, string, ints or boolean
  graph::AttrValue value;
  std::string type; // of an element, as written: "ui64"; "" where it has none
};

// `{axis = [2], epsilon = 1.0e-05 : f64}`; text that is no such dictionary gives what can be read of it.
std::vector<CallAttribute> read_attributes(std::string_view dictionary);
// The attributes of a call: those of its dictionary, and its backend_config.
std::vector<CallAttribute> call_attributes(const OpView &call);
// The dictionary that read_attributes reads these from.
std::string attributes_text(std::span<const CallAttribute> attributes);

} // namespace tw::ops
