// SPDX-License-Identifier: Apache-2.0
// arith: constants and elementwise ops on numbers and arrays. Single numbers are arrays without dimensions,
// index has 64 bits, and whole numbers are signed: what an op takes as unsigned is seen as such.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "import/implied.hpp"
#include "import/local_code.hpp"
#include "ops/registry.hpp"

namespace tw::import::arith_dialect {

using graph::DType;
using graph::ValueId;

namespace {

// fastmath<contract>, overflow<nsw>, exact: what may be assumed, and is not.
bool skip_assumptions(Reader &r) {
  std::string_view skipped;
  for (;;) {
    if (r.s.accept("exact") || r.s.accept("nneg"))
      continue;
    if (!r.s.accept("fastmath") && !r.s.accept("overflow") && !r.s.accept("to_nearest_even"))
      return true;
    if (r.s.peek() == '<' && !r.s.skip_term(skipped))
      return false;
  }
}

// %a, %b fastmath<..> : T, %a : T to U, slt, %a, %b : T, %c, %a, %b : T
bool form_arith(Reader &r, OpText &op) {
  if (is_word_start(r.s.peek())) { // the predicate of a comparison
    const std::string_view predicate = r.s.word();
    op.attrs.push_back({"predicate", predicate, nullptr});
    if (!r.s.expect(',', "after the predicate of a comparison"))
      return false;
  }
  if (!r.read_operands(op) || !skip_assumptions(r) || !r.read_attr_dict(op) ||
      !r.s.expect(':', "before the type of an op"))
    return false;
  std::vector<graph::TypeId> types;
  if (!r.c.types.parse_list(types))
    return false;
  if (r.s.accept("to")) {
    op.operand_types = std::move(types);
    return r.c.types.parse(op.result_types.emplace_back());
  }
  const size_t n = op.operands.size();
  op.operand_types.assign(n, types.back());
  if (op.name == "arith.select" && n == 3) // a mask has its own type where it is an array
    op.operand_types[0] = types.size() == 2 ? types[0] : r.c.builder.type({DType::i1, r.c.types.elements()});
  op.result_types = {types.back()};
  if (op.name == "arith.cmpi" || op.name == "arith.cmpf") {
    graph::TensorType mask = r.c.builder.graph().type_at(types.back());
    mask.dtype = DType::i1;
    op.result_types = {r.c.builder.type(mask)};
  }
  return true;
}

// 1 : index, 1.5 : f32, true, dense<..> : T
bool form_constant(Reader &r, OpText &op) {
  if (!r.read_attr_dict(op))
    return false;
  const char *start = r.s.here();
  std::string_view literal;
  const bool is_bool = r.s.looking_at("true") || r.s.looking_at("false");
  if (r.s.peek() == '-' || is_digit(r.s.peek()) ? !r.s.number(literal) : !r.s.skip_term(literal))
    return false;
  if (is_bool && r.s.peek() != ':')
    op.result_types = {r.c.builder.type({DType::i1, r.c.types.elements()})};
  else if (!r.s.expect(':', "between a constant and its type") ||
           !r.c.types.parse(op.result_types.emplace_back()))
    return false;
  op.attrs.push_back({"value", {start, static_cast<size_t>(r.s.cursor().at - start)}, nullptr});
  return true;
}

bool lower_constant(Reader &r, OpText &op) {
  const AttrText *value = op.find_attr("value");
  if (value == nullptr || value->raw.empty() || op.result_types.size() != 1)
    return r.s.fail("TW-105", op.at, "arith.constant has a value and one result");
  if (value->raw.starts_with("dense")) {
    op.name = "stablehlo.constant";
    op.code = *ops::find_op(op.name);
    return r.emit(op);
  }
  const graph::TensorType type = r.c.builder.graph().type_at(op.result_types[0]);
  Implied implied(r.c, op);
  ValueId made = graph::kNone;
  if (graph::is_int(type.dtype)) {
    int64_t number = 0;
    if (!r.c.attributes.read_int(value->raw, number))
      return false;
    const int64_t one[] = {number};
    made = implied.integers({type.dtype, {}}, one);
    if (!type.dims.empty())
      made = implied.broadcast(made, {}, type.dims);
  } else {
    graph::AttrValue number;
    const bool is_bool = type.dtype == DType::i1;
    if (!r.c.attributes.read(is_bool ? ops::AttrKind::boolean : ops::AttrKind::real, *value, number))
      return false;
    made = implied.number(type, is_bool ? static_cast<double>(std::get<int64_t>(number))
                                        : std::get<double>(number));
  }
  return implied.ok() && bind_local(r, op, {&made, 1});
}

// --- what ops become ---

std::optional<DType> unsigned_of(DType dtype) {
  switch (dtype) {
  case DType::s8: return DType::u8;
  case DType::s16: return DType::u16;
  case DType::s32: return DType::u32;
  case DType::s64: return DType::u64;
  default: return std::nullopt;
  }
}

class Lowering {
public:
  Lowering(Reader &r, const OpText &op) : implied_(r.c, op) {}

  ValueId add(std::string_view name, std::vector<ValueId> operands) {
    return implied_.add(name, std::move(operands));
  }
  ValueId compare(ValueId a, ValueId b, std::string_view direction) {
    return implied_.add("stablehlo.compare", {a, b}, {{"comparison_direction", std::string(direction)}});
  }
  ValueId convert(ValueId v, DType dtype) { return implied_.convert(v, dtype); }
  // The same bits. Between whole numbers of one width that is a conversion, which may be known while the text
  // is read.
  ValueId see_as(ValueId v, DType dtype) {
    const graph::TensorType from = implied_.type(v);
    if (from.dtype == dtype || (graph::is_int(from.dtype) && graph::is_int(dtype)))
      return implied_.convert(v, dtype);
    return implied_.add("stablehlo.bitcast_convert", {v}, {}, graph::TensorType{dtype, from.dims});
  }
  ValueId see_unsigned(ValueId v) {
    const auto dtype = unsigned_of(implied_.type(v).dtype);
    return dtype ? see_as(v, *dtype) : v;
  }
  // A single number beside arrays stands for all their elements.
  ValueId spread(ValueId v, const graph::Shape &dims) {
    return implied_.type(v).dims.empty() && !dims.empty() ? implied_.broadcast(v, {}, dims) : v;
  }
  const graph::TensorType &type(ValueId v) const { return implied_.type(v); }
  bool ok() { return implied_.ok(); }

  ValueId is_number(ValueId v) { return compare(v, v, "EQ"); } // not NaN
  // olt, une, ...: ordered is false, unordered true where one is NaN.
  ValueId compare_floats(ValueId a, ValueId b, std::string_view predicate);
  ValueId compare_integers(ValueId a, ValueId b, std::string_view predicate);

private:
  Implied implied_;
};

constexpr std::pair<std::string_view, std::string_view> kDirections[] = {
    {"eq", "EQ"}, {"ge", "GE"}, {"gt", "GT"}, {"le", "LE"}, {"lt", "LT"}, {"ne", "NE"}};

std::string_view direction_of(std::string_view name) {
  const auto *at =
      std::ranges::find(kDirections, name, &std::pair<std::string_view, std::string_view>::first);
  return at == std::end(kDirections) ? std::string_view() : at->second;
}

ValueId Lowering::compare_floats(ValueId a, ValueId b, std::string_view predicate) {
  const ValueId numbers = add("stablehlo.and", {is_number(a), is_number(b)});
  if (predicate == "ord")
    return numbers;
  if (predicate == "uno")
    return add("stablehlo.not", {numbers});
  const bool ordered = predicate[0] == 'o';
  const std::string_view direction = direction_of(predicate.substr(1));
  const ValueId compared = compare(a, b, direction);
  if (direction == "NE") // true of NaN as it stands; all others are false
    return ordered ? add("stablehlo.and", {compared, numbers}) : compared;
  return ordered ? compared : add("stablehlo.or", {compared, add("stablehlo.not", {numbers})});
}

ValueId Lowering::compare_integers(ValueId a, ValueId b, std::string_view predicate) {
  const bool of_signs = predicate[0] == 's', equal = predicate == "eq" || predicate == "ne";
  if (type(a).dtype == DType::i1 && of_signs)
    std::swap(a, b); // true is -1
  if (!equal && !of_signs) {
    a = see_unsigned(a);
    b = see_unsigned(b);
  }
  return compare(a, b, direction_of(equal ? predicate : predicate.substr(1)));
}

// Predicates of the generic form, by their numbers.
constexpr std::string_view kIntegerPredicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                   "sge", "ult", "ule", "ugt", "uge"};
constexpr std::string_view kFloatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                                 "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

bool read_predicate(Reader &r, const OpText &op, std::span<const std::string_view> all,
                    std::string_view &name) {
  const AttrText *attr = op.find_attr("predicate");
  if (attr == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: the predicate is missing", op.name));
  int64_t number = -1;
  if (is_digit(attr->raw[0]) && !r.c.attributes.read_int(attr->raw, number))
    return false;
  if (number >= 0 && number < std::ssize(all))
    return name = all[static_cast<size_t>(number)], true;
  const auto at = std::ranges::find(all, attr->raw);
  return at != all.end() ? (name = *at, true)
                         : r.s.fail("TW-105", attr->raw.data(),
                                    fmt::format("{}: there is no predicate {}", op.name, attr->raw));
}

// Operands as the op takes them: of one shape, and as many as it wants.
bool prepare(Reader &r, OpText &op, Lowering &to, size_t operands) {
  if (op.operands.size() != operands || op.result_types.size() != 1)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands and one result are expected", op.name, operands));
  const graph::Shape dims = r.c.types.elements(); // where a body is read for all elements at once
  for (size_t i = 0; i < operands && !dims.empty(); ++i)
    op.operands[i] = to.spread(op.operands[i], dims);
  return to.ok() && r.emitter.check_operand_types(op);
}

bool bind_made(Reader &r, OpText &op, Lowering &to, ValueId made) {
  return to.ok() && bind_local(r, op, {&made, 1});
}

// --- ops of two operands that an op of ours does ---

struct Binary {
  std::string_view name, op;
  std::string_view of_bits = {}; // on i1, where it is another one
  bool is_unsigned = false;
};
constexpr Binary kBinary[] = {
    {"arith.addf", "stablehlo.add"},
    {"arith.addi", "stablehlo.add", "stablehlo.xor"},
    {"arith.andi", "stablehlo.and"},
    {"arith.divf", "stablehlo.divide"},
    {"arith.divsi", "stablehlo.divide"},
    {"arith.divui", "stablehlo.divide", {}, true},
    {"arith.maximumf", "stablehlo.maximum"},
    {"arith.maxsi", "stablehlo.maximum", "stablehlo.and"},
    {"arith.maxui", "stablehlo.maximum", "stablehlo.or", true},
    {"arith.minimumf", "stablehlo.minimum"},
    {"arith.minsi", "stablehlo.minimum", "stablehlo.or"},
    {"arith.minui", "stablehlo.minimum", "stablehlo.and", true},
    {"arith.mulf", "stablehlo.multiply"},
    {"arith.muli", "stablehlo.multiply", "stablehlo.and"},
    {"arith.ori", "stablehlo.or"},
    {"arith.remf", "stablehlo.remainder"},
    {"arith.remsi", "stablehlo.remainder"},
    {"arith.remui", "stablehlo.remainder", {}, true},
    {"arith.shli", "stablehlo.shift_left"},
    {"arith.shrsi", "stablehlo.shift_right_arithmetic"},
    {"arith.shrui", "stablehlo.shift_right_logical"},
    {"arith.subf", "stablehlo.subtract"},
    {"arith.subi", "stablehlo.subtract", "stablehlo.xor"},
    {"arith.xori", "stablehlo.xor"},
};

bool lower_binary(Reader &r, OpText &op) {
  const Binary &row = *std::ranges::find(kBinary, op.name, &Binary::name);
  Lowering to(r, op);
  if (!prepare(r, op, to, 2))
    return false;
  ValueId a = op.operands[0], b = op.operands[1];
  const DType dtype = to.type(a).dtype;
  if (dtype == DType::i1 && !row.of_bits.empty())
    return bind_made(r, op, to, to.add(row.of_bits, {a, b}));
  if (!row.is_unsigned)
    return bind_made(r, op, to, to.add(row.op, {a, b}));
  a = to.see_unsigned(a);
  b = to.see_unsigned(b);
  const ValueId made = to.add(row.op, {a, b});
  return bind_made(r, op, to, to.ok() ? to.see_as(made, dtype) : made);
}

// maxnumf, minnumf: NaN only where both are.
bool lower_number_bound(Reader &r, OpText &op) {
  Lowering to(r, op);
  if (!prepare(r, op, to, 2))
    return false;
  const ValueId a = op.operands[0], b = op.operands[1];
  const ValueId bound =
      to.add(op.name == "arith.maxnumf" ? "stablehlo.maximum" : "stablehlo.minimum", {a, b});
  const ValueId a_or_bound = to.add("stablehlo.select", {to.is_number(b), bound, a});
  return bind_made(r, op, to, to.add("stablehlo.select", {to.is_number(a), a_or_bound, b}));
}

bool lower_negf(Reader &r, OpText &op) {
  Lowering to(r, op);
  return prepare(r, op, to, 1) && bind_made(r, op, to, to.add("stablehlo.negate", {op.operands[0]}));
}

bool lower_select(Reader &r, OpText &op) {
  Lowering to(r, op);
  return prepare(r, op, to, 3) && bind_made(r, op, to, to.add("stablehlo.select", op.operands));
}

bool lower_cmpi(Reader &r, OpText &op) {
  Lowering to(r, op);
  std::string_view predicate;
  return read_predicate(r, op, kIntegerPredicates, predicate) && prepare(r, op, to, 2) &&
         bind_made(r, op, to, to.compare_integers(op.operands[0], op.operands[1], predicate));
}

bool lower_cmpf(Reader &r, OpText &op) {
  Lowering to(r, op);
  std::string_view predicate;
  if (!read_predicate(r, op, kFloatPredicates, predicate) || !prepare(r, op, to, 2))
    return false;
  if (predicate != "true" && predicate != "false")
    return bind_made(r, op, to, to.compare_floats(op.operands[0], op.operands[1], predicate));
  Implied implied(r.c, op);
  const ValueId made = implied.number(r.c.builder.graph().type_at(op.result_types[0]), predicate == "true");
  return implied.ok() && bind_made(r, op, to, made);
}

// Conversions to the type of the result.
bool lower_convert(Reader &r, OpText &op) {
  Lowering to(r, op);
  if (!prepare(r, op, to, 1))
    return false;
  ValueId v = op.operands[0];
  const DType from = to.type(v).dtype, dtype = r.c.builder.graph().type_at(op.result_types[0]).dtype;
  const std::string_view name = op.name.substr(op.name.find('.') + 1);
  if (name == "bitcast")
    return bind_made(r, op, to, to.see_as(v, dtype));
  if (name == "extui" || name == "uitofp" || name == "index_castui")
    v = to.see_unsigned(v);
  const bool negates = from == DType::i1 && (name == "extsi" || name == "sitofp" || name == "index_cast");
  if (name == "fptoui" && unsigned_of(dtype)) {
    v = to.convert(v, *unsigned_of(dtype));
    return bind_made(r, op, to, to.ok() ? to.see_as(v, dtype) : v);
  }
  v = to.ok() ? to.convert(v, dtype) : v;
  if (negates) // true is -1
    v = to.add("stablehlo.negate", {v});
  return bind_made(r, op, to, v);
}

constexpr Syntax kOwn[] = {
    {"arith.bitcast", form_arith, lower_convert},
    {"arith.cmpf", form_arith, lower_cmpf},
    {"arith.cmpi", form_arith, lower_cmpi},
    {"arith.constant", form_constant, lower_constant},
    {"arith.extf", form_arith, lower_convert},
    {"arith.extsi", form_arith, lower_convert},
    {"arith.extui", form_arith, lower_convert},
    {"arith.fptosi", form_arith, lower_convert},
    {"arith.fptoui", form_arith, lower_convert},
    {"arith.index_cast", form_arith, lower_convert},
    {"arith.index_castui", form_arith, lower_convert},
    {"arith.maxnumf", form_arith, lower_number_bound},
    {"arith.minnumf", form_arith, lower_number_bound},
    {"arith.negf", form_arith, lower_negf},
    {"arith.select", form_arith, lower_select},
    {"arith.sitofp", form_arith, lower_convert},
    {"arith.truncf", form_arith, lower_convert},
    {"arith.trunci", form_arith, lower_convert},
    {"arith.uitofp", form_arith, lower_convert},
};

// Those of the table above, which share a form.
const Syntax *find_binary(std::string_view name) {
  static constexpr Syntax kShared = {{}, form_arith, lower_binary};
  return std::ranges::find(kBinary, name, &Binary::name) != std::end(kBinary) ? &kShared : nullptr;
}

} // namespace

Dialect dialect() { return {.syntax = kOwn, .find_family = find_binary}; }

} // namespace tw::import::arith_dialect
