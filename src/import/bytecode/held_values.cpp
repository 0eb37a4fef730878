// SPDX-License-Identifier: Apache-2.0
// What arrays, dictionaries and types of functions hold, where their text would only be taken apart again.
#include <fmt/format.h>

#include "import/bytecode/codes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

// Behind the code of an entry that is encoded so by MLIR itself or by VHLO; else a failure.
template <class Builtin, class Vhlo>
Bytes Values::open(const Artifact::Entry &entry, Builtin builtin, Vhlo vhlo, std::string_view what) {
  Bytes from = artifact_.reader(entry.part, "an attribute", fault_);
  const std::string_view dialect = artifact_.dialects[entry.dialect].name;
  const uint64_t code = entry.encoded ? from.number() : 0;
  if (!entry.encoded || !((dialect == "builtin" && code == static_cast<uint64_t>(builtin)) ||
                          (dialect == "vhlo" && code == static_cast<uint64_t>(vhlo))))
    from.fail(fmt::format("expected {}", what));
  return from;
}

bool Values::dictionary(uint32_t index, std::vector<Named> &entries) {
  Bytes from = open(artifact_.attributes[index], BuiltinAttribute::kDictionary, VhloAttribute::kDictionary,
                    "a dictionary of attributes");
  const size_t count = from.count("attributes", 2);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t name = attribute_index(from), value = attribute_index(from);
    if (fault_.failed())
      return false;
    entries.push_back({string(name), value});
  }
  return !fault_.failed();
}

bool Values::elements(uint32_t index, std::vector<uint32_t> &held) {
  Bytes from = open(artifact_.attributes[index], BuiltinAttribute::kArray, VhloAttribute::kArray,
                    "a list of attributes");
  const size_t count = from.count("attributes");
  for (size_t i = 0; i < count; ++i)
    held.push_back(attribute_index(from));
  return !fault_.failed();
}

bool Values::function_type(uint32_t index, std::vector<uint32_t> &inputs, std::vector<uint32_t> &results) {
  Bytes stated = open(artifact_.attributes[index], BuiltinAttribute::kType, VhloAttribute::kType,
                      "the type of a function");
  const uint32_t type = type_index(stated);
  if (fault_.failed())
    return false;
  Bytes from =
      open(artifact_.types[type], BuiltinType::kFunction, VhloType::kFunction, "the type of a function");
  for (std::vector<uint32_t> *types : {&inputs, &results}) {
    const size_t count = from.count("types");
    for (size_t i = 0; i < count; ++i)
      types->push_back(type_index(from));
  }
  return !fault_.failed();
}

} // namespace tw::import::bytecode
