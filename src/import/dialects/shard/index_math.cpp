// SPDX-License-Identifier: Apache-2.0
// Sums over coordinates: numbers where constants decide them, ops of the program where they do not.
#include <array>

#include <fmt/format.h>

#include "import/dialects/shard/ops.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

graph::TensorType index_type() { return {graph::DType::s64, {}}; }

// As the ops of the program compute: modulo 2^64, and a division by zero is the reader's to refuse.
int64_t sum_of(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}
int64_t difference_of(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}
int64_t product_of(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
}
int64_t quotient_of(int64_t x, int64_t y) { return y == 0 ? 0 : y == -1 ? difference_of(0, x) : x / y; }
int64_t remainder_of(int64_t x, int64_t y) { return y == 0 || y == -1 ? 0 : x % y; }

} // namespace

Index IndexMath::of(ValueId v) const {
  if (!r_.c.local.differs(v))
    if (const auto known = fold_integers(r_.c.builder.graph(), v); known && known->size() == 1)
      return of_number((*known)[0]);
  return {std::nullopt, v};
}

// Of other whole numbers than index they are converted first.
ValueId IndexMath::value(const Index &index) {
  if (index.number) {
    const std::array<int64_t, 1> one{*index.number};
    return implied_.integers(index_type(), one);
  }
  return implied_.convert(index.value, graph::DType::s64);
}

Index IndexMath::apply(const char *name, int64_t (*known)(int64_t, int64_t), const Index &a, const Index &b) {
  if (a.number && b.number)
    return of_number(known(*a.number, *b.number));
  return {std::nullopt, implied_.add(name, {value(a), value(b)})};
}

Index IndexMath::add(const Index &a, const Index &b) {
  if (a.number == 0)
    return b;
  if (b.number == 0)
    return a;
  return apply("stablehlo.add", sum_of, a, b);
}

Index IndexMath::subtract(const Index &a, const Index &b) {
  return apply("stablehlo.subtract", difference_of, a, b);
}

Index IndexMath::multiply(const Index &a, const Index &b) {
  if (a.number == 1)
    return b;
  if (b.number == 1)
    return a;
  return apply("stablehlo.multiply", product_of, a, b);
}

Index IndexMath::divide(const Index &a, const Index &b) {
  return apply("stablehlo.divide", quotient_of, a, b);
}

Index IndexMath::remainder(const Index &a, const Index &b) {
  return apply("stablehlo.remainder", remainder_of, a, b);
}

Index IndexMath::where_greater(const Index &a, const Index &b, const Index &yes, const Index &no) {
  if (a.number && b.number)
    return *a.number > *b.number ? yes : no;
  const ValueId greater =
      implied_.add("stablehlo.compare", {value(a), value(b)}, {{"comparison_direction", std::string("GT")}});
  return {std::nullopt, implied_.add("stablehlo.select", {greater, value(yes), value(no)})};
}

Index IndexMath::look_up(const std::vector<int64_t> &table, const Index &at) {
  if (at.number && *at.number >= 0 && *at.number < std::ssize(table))
    return of_number(table[static_cast<size_t>(*at.number)]);
  const ValueId all = implied_.integers({graph::DType::s64, {std::ssize(table)}}, table);
  const ValueId one =
      implied_.add("stablehlo.dynamic_slice", {all, value(at)}, {{"slice_sizes", std::vector<int64_t>{1}}});
  return {std::nullopt, implied_.add("stablehlo.reshape", {one}, {}, index_type())};
}

std::vector<Index> indices_of(const IndexMath &math, const Clauses::List &list) {
  std::vector<Index> indices;
  size_t next = 0;
  for (const int64_t number : list.numbers)
    indices.push_back(number == kOperand ? math.of(list.operands[next++]) : IndexMath::of_number(number));
  return indices;
}

bool read_device(Reader &r, const OpText &op, const IndexMath &math, const Grid &grid,
                 const Clauses::List &list, std::vector<Index> &at) {
  if (list.numbers.size() != grid.rank())
    return r.s.fail("TW-115", list.at,
                    fmt::format("{}: {} coordinates for the grid @{} of shape {}", op.name,
                                list.numbers.size(), grid.name, grid.text()));
  at = indices_of(math, list);
  for (size_t axis = 0; axis < grid.rank(); ++axis)
    if (at[axis].number && (*at[axis].number < 0 || *at[axis].number >= grid.size(axis)))
      return r.s.fail("TW-115", list.at,
                      fmt::format("{}: coordinate {} is {}, and axis {} of @{} has size {}", op.name, axis,
                                  *at[axis].number, axis, grid.name, grid.size(axis)));
  return true;
}

bool known_numbers(Reader &r, const OpText &op, const Clauses::List &list, std::vector<int64_t> &numbers) {
  const IndexMath math(r, op);
  const std::vector<Index> indices = indices_of(math, list);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].number)
      return r.s.fail(
          "TW-116", list.at,
          fmt::format("{}: number {} of {} is not known: constants must decide it", op.name, i, list.name));
    numbers.push_back(*indices[i].number);
  }
  return true;
}

} // namespace tw::import::shard
