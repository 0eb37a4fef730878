// SPDX-License-Identifier: Apache-2.0
// Attributes in MLIR text: first as named slices, then as the values that an op's schema asks for.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "import/literals.hpp"
#include "import/scanner.hpp"
#include "ops/op_def.hpp"

namespace tw::import {

// One `name = value`; `raw` is the value's text, empty for a unit attribute. `ints` stands for a list that a
// pretty form spells in parts ([0:4, 1:8:2]); then raw is where it was.
struct AttrText {
  std::string_view name;
  std::string_view raw;
  const std::vector<int64_t> *ints = nullptr;
};

// In a list of numbers of an attribute: the next operand stands here.
constexpr int64_t kOperand = INT64_MIN;
// A number in a list where operands have names: never kOperand.
bool parse_static(Scanner &scanner, int64_t &value);

// {a = 1, b, "c d" = [2]} at the cursor.
bool parse_dict(Scanner &scanner, std::vector<AttrText> &attrs);
// The items of [a, b, c] at the cursor, as slices.
bool parse_items(Scanner &scanner, std::vector<std::string_view> &items);
// The `key = value` pairs of #dialect.name<key = value, ...>.
bool parse_struct(Scanner &scanner, std::string_view raw, std::vector<AttrText> &fields);

// "LT" of `LT`, `"LT"`, `#stablehlo<comparison_direction LT>`, `#stablehlo.comparison_direction<LT>`; name of
// `@name`; other text as it stands.
std::string plain_text(std::string_view raw);

class AttributeReader {
public:
  using Aliases = std::unordered_map<std::string_view, Cursor>;
  AttributeReader(Scanner &scanner, LiteralParser &literals, graph::GraphBuilder &builder,
                  const Aliases &aliases)
      : s_(scanner), literals_(literals), b_(builder), aliases_(aliases) {}

  bool read(ops::AttrKind kind, const AttrText &attr, graph::AttrValue &value);
  bool read_int(std::string_view raw, int64_t &value);
  bool read_ints(std::string_view raw, std::vector<int64_t> &values);
  // Follows `#alias` to what it stands for.
  bool resolve(std::string_view &raw);
  // Whether the exporter left out a literal read since the last call.
  bool take_elided() { return std::exchange(elided_, false); }

private:
  bool read_real(std::string_view raw, double &value);
  bool read_constant(std::string_view raw, graph::AttrValue &value);
  bool read_list(std::vector<int64_t> &values, uint32_t depth);
  bool read_scalar(int64_t &value);
  bool read_dense_ints(std::vector<int64_t> &values);
  template <class Read> bool inside(std::string_view raw, Read &&read);

  Scanner &s_;
  LiteralParser &literals_;
  graph::GraphBuilder &b_;
  const Aliases &aliases_;
  bool elided_ = false;
};

} // namespace tw::import
