// SPDX-License-Identifier: Apache-2.0
// Makers of ops that work element by element, and of broadcasts, transposes and reshapes.
#include "support/program_generator.hpp"

#include <map>
#include <string>

namespace tw::test {

bool Generator::unary() {
  const Made a = any();
  const DType t = type(a).dtype;
  if (!is_number(t))
    return keep(value("not", {a.id}), 1);
  const std::string_view name = random_.pick(std::vector<std::string_view>{"negate", "abs", "sign"});
  return keep(value(name, {a.id}), a.bound);
}

bool Generator::binary() {
  const Made a = any();
  const DType t = type(a).dtype;
  const Made b = operand(type(a));
  if (t == DType::i1)
    return keep(value(random_.pick(std::vector<std::string_view>{"and", "or", "xor"}), {a.id, b.id}), 1);
  const auto name = random_.pick(
      std::vector<std::string_view>{"add", "add", "subtract", "multiply", "multiply", "maximum", "minimum"});
  const double bound = name == "multiply"                    ? a.bound * b.bound
                       : name == "add" || name == "subtract" ? a.bound + b.bound
                                                             : std::max(a.bound, b.bound);
  if (!fits(t, bound))
    return shrink(a);
  return keep(value(name, {a.id, b.id}), bound);
}

// Brings a value back to small numbers, so that the program can go on.
bool Generator::shrink(const Made &a) {
  const DType t = type(a).dtype;
  return keep(value("clamp", {scalar(t, -4), a.id, scalar(t, 5)}), 5);
}

bool Generator::compare() {
  const Made a = any();
  const Made b = operand(type(a));
  const std::string direction = random_.pick(std::vector<std::string>{"EQ", "NE", "LT", "LE", "GT", "GE"});
  return keep(value("compare", {a.id, b.id}, {{"comparison_direction", direction}}), 1);
}

bool Generator::select() {
  const Made a = any();
  const Made b = operand(type(a));
  const auto pred =
      find([&](const Made &m) { return type(m).dtype == DType::i1 && type(m).dims == type(a).dims; });
  const ValueId p =
      pred ? pred->id : constant({DType::i1, random_.chance(2) ? Shape{} : type(a).dims}, 0, 1, false);
  return keep(value("select", {p, a.id, b.id}), std::max(a.bound, b.bound));
}

bool Generator::convert() {
  const Made a = any();
  const DType to = random_dtype();
  if (to == DType::i1 || !fits(to, a.bound))
    return false;
  if (a.bound > 0x1p31 && (to == DType::s32 || to == DType::s64))
    return false;
  return keep(value("convert", {a.id}, {}, {{to, type(a).dims}}), a.bound);
}

bool Generator::broadcast() {
  const Made a = any();
  const Shape from = type(a).dims;
  Shape to = from;
  std::vector<int64_t> dims(from.size());
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d] = static_cast<int64_t>(d);
  for (int64_t more = random_.between(1, 2); more > 0 && to.size() < 5; --more) {
    const auto at = random_.below(static_cast<int64_t>(to.size()) + 1);
    to.insert(to.begin() + at, random_.chance(4) ? 1 : random_extent());
    for (int64_t &d : dims)
      d += d >= at ? 1 : 0;
  }
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] == 1 && random_.chance(2))
      to[static_cast<size_t>(dims[d])] = random_extent();
  const TensorType t{type(a).dtype, to};
  if (t.elements() > most_elements_)
    return false;
  return keep(value("broadcast_in_dim", {a.id}, {{"broadcast_dimensions", dims}}, {t}), a.bound);
}

bool Generator::transpose() {
  const auto a = find([&](const Made &m) { return type(m).rank() >= 2; });
  if (!a)
    return false;
  std::vector<int64_t> order(type(*a).rank());
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = static_cast<int64_t>(d);
  for (size_t d = order.size(); d-- > 1;)
    std::swap(order[d], order[static_cast<size_t>(random_.below(static_cast<int64_t>(d) + 1))]);
  return keep(value("transpose", {a->id}, {{"permutation", order}}), a->bound);
}

// Merges neighbours, splits dimensions, adds and drops 1s.
bool Generator::reshape() {
  const Made a = any();
  Shape to;
  for (const int64_t n : Shape(type(a).dims)) {
    if (!to.empty() && random_.chance(3)) {
      to.back() *= n;
      continue;
    }
    if (n == 1 && random_.chance(2))
      continue;
    to.push_back(n);
  }
  for (size_t d = 0; d < to.size() && to.size() < 5; ++d)
    for (const int64_t f : {2, 3, 4, 5})
      if (to[d] > f && to[d] % f == 0 && random_.chance(4) && to.size() < 5) {
        to[d] /= f;
        to.insert(to.begin() + static_cast<std::ptrdiff_t>(d + (random_.chance(2) ? 1 : 0)), f);
      }
  if (to.size() < 5 && random_.chance(4))
    to.insert(to.begin() + random_.below(static_cast<int64_t>(to.size()) + 1), 1);
  return keep(value("reshape", {a.id}, {}, {{type(a).dtype, to}}), a.bound);
}

// The same elements in any dimensions.
bool Generator::regroup() {
  const Made a = any();
  Shape to;
  int64_t rest = type(a).elements();
  while (rest > 1 && to.size() < 3) {
    const int64_t n = random_.pick(std::vector<int64_t>{2, 3, 4, 6, 8, 12, rest});
    if (rest % n != 0)
      continue;
    to.push_back(n);
    rest /= n;
  }
  to.push_back(rest);
  return keep(value("reshape", {a.id}, {}, {{type(a).dtype, to}}), a.bound);
}

bool Generator::iota() {
  const Shape shape = random_shape(4);
  if (shape.empty())
    return false;
  const DType t = random_.chance(2) ? DType::s32 : DType::f32;
  return keep(value("iota", {}, {{"iota_dimension", random_.below(static_cast<int64_t>(shape.size()))}},
                    {{t, shape}}),
              20);
}

bool Generator::reverse() {
  const auto a = find([&](const Made &m) { return type(m).rank() >= 1; });
  if (!a)
    return false;
  std::vector<int64_t> dims;
  for (size_t d = 0; d < type(*a).rank(); ++d)
    if (random_.chance(2))
      dims.push_back(static_cast<int64_t>(d));
  return keep(value("reverse", {a->id}, {{"dimensions", dims}}), a->bound);
}

// Small numbers from random bits, and the state after them.
bool Generator::random_bits() {
  const ValueId state = constant({DType::u64, {2}}, 0, 1000, false);
  const TensorType t{DType::s32, random_shape(4)};
  const std::string algorithm = random_.chance(2) ? "THREE_FRY" : "PHILOX";
  const graph::OpId op =
      add("rng_bit_generator", {state}, {{"rng_algorithm", algorithm}}, {{DType::u64, {2}}, t});
  return keep(value("clamp", {scalar(t.dtype, -4), b_.graph().result(op, 1), scalar(t.dtype, 5)}), 5);
}

} // namespace tw::test
