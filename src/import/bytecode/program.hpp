// SPDX-License-Identifier: Apache-2.0
// The ops of an artifact as records, with the names that MLIR's printer gives to their values. What their
// attributes say is text (values.hpp), so that from here on an op of an artifact is read as one of a text.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/id_table.hpp"
#include "import/attributes.hpp"
#include "import/bytecode/values.hpp"

namespace tw::import::bytecode {

// What an op is called, and how its attributes are encoded.
struct OpName {
  std::string name; // as texts have it: "stablehlo.add"
  bool vhlo = false, registered = false, cast = false, function = false;
  bool constant = false, top_k = false, loop = false; // whose values have other names (value_numbers.cpp)
  std::string_view properties;                        // names in order; ends with ? where one may be missing
  bool known = true;                                  // else the first use is an error
};

constexpr uint32_t kNoIndex = UINT32_MAX;

struct OpRecord {
  const char *at; // its first byte
  uint32_t name, location, attributes;
  uint32_t first_result, num_results;
  uint32_t first_operand, num_operands;
  uint32_t first_region, num_regions;
  uint32_t next; // the op behind it and what stands in its regions
};

// As many as an op that has a result and an operand takes at least: so many ops are expected.
constexpr size_t kBytesOfOp = 8;

struct RegionRecord {
  uint32_t first_argument, num_arguments;
  uint32_t first_op, end;
  bool empty;
};

// What `func.func` states of its arguments and results, which may be thousands: attributes that are read by
// their parts, and of which no text is made. kNoIndex where one is missing.
struct FunctionRecord {
  uint32_t arg_attrs, function_type, res_attrs;
};

struct ArgumentRecord {
  uint32_t value, location; // kNoIndex: unknown
  const char *at;
};

struct ValueRecord {
  uint32_t type;
  uint32_t first; // the result of its op whose name it shares, as %0#1 that of %0
  std::string_view name;
};

// An attribute of an op, by the name that its text has.
struct Given {
  std::string_view name;
  uint32_t value;
};

class Program {
public:
  // Reads the ops of an artifact. Views are of its bytes.
  Program(const Artifact &artifact, Values &values) : artifact_(artifact), values_(values) {}
  bool read();

  const OpName &name(const OpRecord &op) const { return names[op.name]; }
  std::span<const AttrText> attributes(const OpRecord &op) const {
    return std::span<const AttrText>(attrs_).subspan(lists_[op.attributes].first, lists_[op.attributes].size);
  }
  // Of a `func.func`, whose `attributes` are the others.
  const FunctionRecord &function(const OpRecord &op) const {
    return functions_[lists_[op.attributes].function];
  }
  const Artifact &artifact() const { return artifact_; }
  Values &values() const { return values_; }
  // Where an op stands.
  std::string place_of(const OpRecord &op) const;

  std::vector<OpName> names;
  std::vector<OpRecord> ops;
  std::vector<RegionRecord> regions;
  std::vector<ArgumentRecord> arguments;
  std::vector<ValueRecord> all_values;
  std::vector<uint32_t> operands;

private:
  struct Scope { // of values: from the innermost region that takes nothing from outside on
    std::vector<uint32_t> values;
    size_t next = 0, end = 0; // of the region at hand
  };
  bool read_names();
  bool read_block(Bytes &from, Scope &scope, RegionRecord &region, uint32_t depth);
  bool read_op(Bytes &from, Scope &scope, uint32_t depth);
  bool read_parts(Bytes &from, Scope &scope, OpRecord &op, uint8_t mask);
  bool read_regions(Bytes &from, Scope &scope, uint32_t op, uint32_t depth);
  bool read_region(Bytes &from, Scope &scope, RegionRecord &region, uint32_t depth);
  bool read_arguments(Bytes &from, Scope &scope, RegionRecord &region);
  bool skip_use_lists(Bytes &from, size_t values);
  bool define(Bytes &from, Scope &scope, uint32_t value);
  bool define_cast(Bytes &from, Scope &scope, const OpRecord &op);
  bool find_attributes(Bytes &from, OpRecord &op, uint32_t dictionary, uint32_t properties);
  void take_signature(std::vector<Given> &given);
  bool list_attributes(Bytes &from, const OpName &name, uint32_t dictionary, uint32_t properties);

  const Artifact &artifact_;
  Values &values_;
  // Attributes of ops: each combination of name, dictionary and properties once.
  struct List {
    uint32_t name, dictionary, properties, first, size;
    uint32_t function; // of those of a `func.func`
  };
  std::vector<AttrText> attrs_;
  std::vector<List> lists_;
  std::vector<FunctionRecord> functions_;
  graph::IdTable table_;
  std::vector<uint32_t> types_; // of the results of the op at hand
};

// What StableHLO's text says of an op, of what VHLO says: attributes that have their default are left out,
// as its dialect leaves them out, and some have another name or form.
bool vhlo_attributes(Values &values, const OpName &name, std::vector<Given> &given,
                     std::vector<AttrText> &attrs);
// The attribute as it stands behind `name =`; nothing behind a name alone.
std::string_view attribute_text(Values &values, uint32_t index);

// The names of properties of a registered op that is none of VHLO's, for `count` of them; false: not known.
bool find_properties(std::string_view op, size_t count, std::string_view &names);

// Names all values as MLIR's printer does.
class ValueNames {
public:
  void name_all(Program &program);

private:
  std::deque<std::string> texts_;
  std::string_view keep(std::string_view before, uint32_t number);
  std::string_view unique(std::string_view name, bool &taken, uint32_t &conflict);
};

} // namespace tw::import::bytecode
