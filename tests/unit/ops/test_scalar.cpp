// SPDX-License-Identifier: Apache-2.0
// Every elementwise op against its expression, for every element type that it takes: special values and drawn
// ones, bit for bit.
#include <doctest/doctest.h>

#include <random>

#include "ops/attributes.hpp"
#include "kernels/ref/references.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"
#include "support/scalar_interpreter.hpp"

namespace tw::test_scalar {

namespace {

using graph::DType;

constexpr size_t kDrawn = 300, kPairs = 1500;

std::vector<DType> all_types() {
  std::vector<DType> types;
  for (int t = 0; t < static_cast<int>(DType::count_); ++t)
    if (ops::kAll.has(static_cast<DType>(t)))
      types.push_back(static_cast<DType>(t));
  return types;
}

std::string hex(DType dtype, const std::byte *at) {
  std::string text = std::string(graph::name(dtype)) + " 0x";
  for (size_t b = graph::byte_size(dtype); b-- > 0;)
    for (const int digit : {std::to_integer<int>(at[b]) >> 4, std::to_integer<int>(at[b]) & 15})
      text += "0123456789abcdef"[digit];
  return text;
}

// One column of elements for each operand, of equal length: all special values of one operand, and drawn
// combinations of several.
std::vector<std::vector<std::byte>> columns(std::span<const DType> types) {
  std::vector<std::vector<std::byte>> specials, out(types.size());
  size_t rows = types.size() > 1 ? kPairs : 0;
  for (size_t v = 0; v < types.size(); ++v) {
    specials.push_back(special_elements(types[v], 7 * v + 1, kDrawn));
    if (types.size() == 1)
      rows = specials[0].size() / graph::byte_size(types[0]);
  }
  std::mt19937_64 random(11);
  for (size_t row = 0; row < rows; ++row)
    for (size_t v = 0; v < types.size(); ++v) {
      const size_t size = graph::byte_size(types[v]), count = specials[v].size() / size;
      const size_t pick = types.size() == 1 ? row : random() % count;
      out[v].insert(out[v].end(), specials[v].begin() + static_cast<ptrdiff_t>(pick * size),
                    specials[v].begin() + static_cast<ptrdiff_t>((pick + 1) * size));
    }
  return out;
}

// Counts what differs and reports the first.
void check(const ops::OpDef &def, std::span<const DType> operands, DType result, const graph::Attrs &attrs) {
  const ElementTypes types(operands, result);
  const ops::OpView view = types.view(attrs);
  const kernels::BlockFn block = kernels::ref::block_of(def, view);
  REQUIRE(static_cast<bool>(block));
  const ops::Expression expression = def.scalar(view);
  REQUIRE(expression.dtype() == result);
  const auto in = columns(operands);
  const size_t n = in[0].size() / graph::byte_size(operands[0]), size = graph::byte_size(result);
  std::vector<std::byte> have(n * size), want(size);
  std::vector<const void *> pointers;
  for (const auto &column : in)
    pointers.push_back(column.data());
  block(pointers.data(), have.data(), static_cast<int64_t>(n));
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i < n; ++i) {
    std::vector<const std::byte *> at;
    for (size_t v = 0; v < in.size(); ++v)
      at.push_back(in[v].data() + i * graph::byte_size(operands[v]));
    interpret(expression, at, want.data());
    if (same_element(result, have.data() + i * size, want.data()))
      continue;
    if (wrong++ == 0) {
      first = std::string(def.name) + ":";
      for (size_t v = 0; v < in.size(); ++v)
        first += " " + hex(operands[v], at[v]);
      first += " block " + hex(result, have.data() + i * size) + " expression " + hex(result, want.data());
    }
  }
  INFO(first);
  CHECK(wrong == 0);
}

// What the op says its result is; invalid where it does not take the operands.
DType result_of(const ops::OpDef &def, std::span<const DType> operands, const graph::Attrs &attrs) {
  const ElementTypes types(operands, DType::f32);
  const auto results = def.infer(types.view(attrs));
  return results ? (*results)[0].dtype : DType::invalid;
}

} // namespace

TEST_CASE("every elementwise op has an expression that gives its bits") {
  size_t ops_checked = 0, checked = 0;
  for (const ops::OpDef *def : ops::all_ops()) {
    if ((def->flags & ops::kElementwise) == 0 || def->kind == ops::OpKind::compare)
      continue;
    REQUIRE_MESSAGE(static_cast<bool>(def->scalar), def->name);
    ++ops_checked;
    if (std::string_view(def->name) == "stablehlo.convert")
      continue;
    const graph::Attrs attrs(def->attrs.size());
    for (const DType t : all_types()) {
      std::vector<DType> operands(static_cast<size_t>(def->min_operands), t);
      if (std::string_view(def->name) == "stablehlo.select")
        operands[0] = DType::i1;
      const DType result = result_of(*def, operands, attrs);
      if (result == DType::invalid)
        continue;
      check(*def, operands, result, attrs);
      ++checked;
    }
  }
  CHECK(ops_checked > 50);
  CHECK(checked > 900);
}

TEST_CASE("comparisons in every direction, by value and by total order") {
  const ops::OpDef &def = ops::op_def(ops::code_of(ops::OpKind::compare));
  for (const char *direction : {"EQ", "NE", "GE", "GT", "LE", "LT"})
    for (const char *type : {"FLOAT", "TOTALORDER"})
      for (const DType t : all_types()) {
        graph::Attrs attrs(def.attrs.size());
        attrs[ops::slot::compare::comparison_direction] = std::string(direction);
        attrs[ops::slot::compare::compare_type] = std::string(type);
        const DType operands[] = {t, t};
        if (result_of(def, operands, attrs) != DType::invalid)
          check(def, operands, DType::i1, attrs);
      }
}

TEST_CASE("conversions between all pairs of types") {
  const ops::OpDef &def = ops::op_def(*ops::find_op("stablehlo.convert"));
  for (const DType from : all_types())
    for (const DType to : all_types())
      check(def, std::span(&from, 1), to, {});
}

} // namespace tw::test_scalar
