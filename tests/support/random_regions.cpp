// SPDX-License-Identifier: Apache-2.0
// Makers of barriers, loops and branches.
#include "support/program_generator.hpp"

#include <map>
#include <string>

namespace tw::test {

bool Generator::barrier() {
  if (!random_.chance(3))
    return false;
  std::vector<Made> in;
  std::vector<ValueId> values;
  for (int64_t n = random_.between(1, 4); n > 0; --n) {
    in.push_back(any());
    values.push_back(in.back().id);
  }
  const graph::OpId op = add("optimization_barrier", values);
  for (uint32_t i = 0; i < in.size(); ++i)
    keep(b_.graph().result(op, i), in[i].bound);
  return true;
}

// A value of a type that may be handed on again and again: no larger than `bound`, which is 5 at least.
ValueId Generator::handed_on(const TensorType &t, double bound) {
  const Made a = operand(t);
  if (a.bound <= bound || !is_number(t.dtype))
    return a.id;
  return value("clamp", {scalar(t.dtype, -4), a.id, scalar(t.dtype, 5)});
}

// A question about the data, which may be tiled: whether the sum of a value is small.
std::optional<ValueId> Generator::is_small(const Made &a) {
  const TensorType t = type(a);
  if (!is_number(t.dtype) || !fits(t.dtype, a.bound * static_cast<double>(t.elements())))
    return std::nullopt;
  std::vector<int64_t> dims(t.rank());
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d] = static_cast<int64_t>(d);
  const ValueId zero = scalar(t.dtype, 0);
  const graph::RegionId region = combiner("add", t.dtype);
  const ValueId sum = value("reduce", {a.id, zero}, {{"dimensions", dims}}, {}, {region});
  return value("compare", {sum, scalar(t.dtype, random_.between(-5, 20))},
               {{"comparison_direction", std::string("LE")}});
}

// while with a counter, some carried values, and a condition that may look at them.
bool Generator::loop() {
  if (depth_ >= 2 || !random_.chance(2))
    return false;
  std::vector<Made> carried{{scalar(DType::s32, 0), 6}};
  for (int64_t n = random_.between(0, 3); n > 0; --n) {
    carried.push_back(any());
    carried.back().bound = std::max(carried.back().bound, 5.0);
    if (random_.chance(3)) // a partner of the same type, to swap with
      carried.push_back({handed_on(type(carried.back()), carried.back().bound), carried.back().bound});
  }
  std::vector<ValueId> inits;
  std::vector<graph::TypeId> types;
  for (const Made &m : carried) {
    inits.push_back(m.id);
    types.push_back(b_.type(type(m)));
  }
  const size_t mark = values_.size();
  ++depth_;
  const auto open = [&] {
    const graph::RegionId region = b_.open_region(types);
    const std::vector<ValueId> args = b_.graph().region(region).args;
    for (size_t i = 0; i < args.size(); ++i)
      values_.push_back({args[i], carried[i].bound});
    return region;
  };
  const graph::RegionId condition = open();
  const ValueId counter = values_[mark].id;
  ValueId go_on =
      value("compare", {counter, scalar(DType::s32, random_.pick(std::vector<int64_t>{0, 1, 2, 3, 5}))},
            {{"comparison_direction", std::string("LT")}});
  if (carried.size() > 1 && random_.chance(2))
    if (const auto small = is_small(values_[mark + 1]))
      go_on = value("and", {go_on, *small});
  b_.close_region({go_on});
  values_.resize(mark);

  const graph::RegionId body = open();
  some_ops(random_.between(1, 6));
  std::vector<ValueId> yields{value("add", {values_[mark].id, scalar(DType::s32, 1)})};
  for (size_t i = 1; i < carried.size(); ++i)
    yields.push_back(handed_on(type(carried[i]), carried[i].bound));
  b_.close_region(std::move(yields));
  values_.resize(mark);
  --depth_;
  const graph::OpId op = add("while", inits, {}, {}, {condition, body});
  for (size_t i = 0; i < carried.size(); ++i)
    keep(b_.graph().result(op, static_cast<uint32_t>(i)), carried[i].bound);
  return true;
}

// if or case on a number of the program, or on what its data say.
bool Generator::branches() {
  if (depth_ >= 2 || !random_.chance(2))
    return false;
  std::vector<TensorType> types;
  for (int64_t n = random_.between(0, 2); n >= 0; --n)
    types.push_back(type(any()));
  std::optional<ValueId> selector;
  const bool two = random_.chance(2);
  if (two)
    selector = is_small(any());
  else if (const auto found = find([&](const Made &m) { return type(m) == TensorType{DType::s32, {}}; }))
    selector = found->id;
  if (!selector)
    return false;
  const size_t mark = values_.size();
  ++depth_;
  std::vector<graph::RegionId> regions;
  std::vector<double> bounds(types.size(), 5);
  for (int64_t n = two ? 2 : random_.between(1, 3); n > 0; --n) {
    regions.push_back(b_.open_region({}));
    some_ops(random_.between(0, 4));
    std::vector<ValueId> yields;
    for (size_t i = 0; i < types.size(); ++i)
      yields.push_back(handed_on(types[i], bounds[i]));
    b_.close_region(std::move(yields));
    values_.resize(mark);
  }
  --depth_;
  const graph::OpId op = add(two ? "if" : "case", {*selector}, {}, {}, regions);
  for (size_t i = 0; i < types.size(); ++i)
    keep(b_.graph().result(op, static_cast<uint32_t>(i)), bounds[i]);
  return true;
}

} // namespace tw::test
