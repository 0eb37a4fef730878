// SPDX-License-Identifier: Apache-2.0
// What ops say of partial operands, executed: run on each part and combined equals run on the combined parts.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "kernels/ref/combiner.hpp"
#include "kernels/ref/references.hpp"
#include "ops/reduction.hpp"
#include "pieces.hpp"

namespace tw::test_linear {

using namespace tw::test;
using sharding::Reduction;

namespace {

constexpr Reduction kKinds[] = {Reduction::sum,  Reduction::max, Reduction::min,  Reduction::prod,
                                Reduction::land, Reduction::lor, Reduction::lxor, Reduction::pick};
constexpr int kParts = 3;

using Bytes = std::vector<std::byte>;

Bytes combine(Reduction kind, DType dtype, int64_t elements, const Bytes &a, const Bytes &b) {
  Bytes out(a.size());
  const void *in[2] = {a.data(), b.data()};
  kernels::ref::combine_block(kind, dtype)(in, out.data(), elements);
  return out;
}

// Floats of 8 bits round nearly every sum.
bool is_coarse(const TensorType &type) {
  return graph::is_float(type.dtype) && graph::byte_size(type.dtype) == 1;
}

// One operand as every device has it: parts that combine to it, or the same everywhere.
std::vector<Bytes> split(const TensorType &type, const Bytes &whole, bool partial, Reduction kind,
                         RandomChoices &random) {
  std::vector<Bytes> parts(kParts, whole);
  if (!partial)
    return parts;
  for (Bytes &part : parts)
    if (kind == Reduction::pick)
      std::fill(part.begin(), part.end(), std::byte{0});
    else
      part = random_values(type, {kind == Reduction::prod ? 1 : -3, kind == Reduction::prod ? 2 : 3}, random);
  if (kind == Reduction::pick)
    parts[static_cast<size_t>(random.range(0, kParts - 1))] = whole;
  return parts;
}

bool close(const TensorType &type, const Bytes &a, const Bytes &b) {
  bool same = true;
  ops::visit_dtype(type.dtype, [&]<class E>(E) {
    const auto *x = reinterpret_cast<const typename E::Storage *>(a.data());
    const auto *y = reinterpret_cast<const typename E::Storage *>(b.data());
    for (int64_t i = 0; i < type.elements(); ++i) {
      const auto p = E::load(x[i]), q = E::load(y[i]);
      if constexpr (std::is_floating_point_v<decltype(p)> || ops::is_complex_value<decltype(p)>)
        same &= p == q || std::abs(p - q) <= 1e-2 * (1 + std::abs(q)) ||
                (!(std::abs(p) < INFINITY) && !(std::abs(q) < INFINITY));
      else
        same &= p == q;
    }
  });
  return same;
}

// "" or what differs. Operands that are not partial stay what the instance has.
std::string check(const Instance &instance, uint64_t partial, Reduction kind, RandomChoices &random) {
  const ops::OpDef &def = ops::op_def(instance.graph->op(instance.op).code);
  const ops::OpViewHolder holder(*instance.graph, instance.op);
  const ops::OpView &op = holder.view();
  std::vector<std::vector<Bytes>> parts; // [operand][part]
  std::vector<Bytes> whole;
  for (size_t v = 0; v < op.operands.size(); ++v) {
    parts.push_back(split(*op.operands[v], instance.operands[v], (partial >> v & 1) != 0, kind, random));
    whole.push_back(parts[v][0]);
    for (int k = 1; k < kParts && (partial >> v & 1) != 0; ++k)
      whole[v] = combine(kind, op.operands[v]->dtype, op.operands[v]->elements(), whole[v],
                         parts[v][static_cast<size_t>(k)]);
  }
  const auto run = [&](auto operand, bool use_init) {
    const TensorType &type = *op.results[0];
    Bytes out(static_cast<size_t>(type.bytes()));
    std::vector<sharding::Box> boxes;
    std::vector<kernels::Buffer> in;
    for (const TensorType *t : op.operands)
      boxes.push_back(sharding::Box::whole(t->dims));
    boxes.push_back(sharding::Box::whole(type.dims));
    for (size_t v = 0; v < op.operands.size(); ++v)
      in.push_back(
          {operand(v).data(), op.operands[v]->dtype, op.operands[v]->dims, boxes[v].offset, boxes[v].extent});
    const kernels::Buffer result{out.data(), type.dtype, type.dims, boxes.back().offset, boxes.back().extent};
    REQUIRE((*kernels::ref::reference_of(def))({op, in, {&result, 1}, use_init}));
    return out;
  };
  const Bytes expected = run([&](size_t v) -> Bytes & { return whole[v]; }, true);
  Bytes got;
  for (size_t k = 0; k < kParts; ++k) {
    const Bytes made = run([&](size_t v) -> Bytes & { return parts[v][k]; }, k == 0);
    got = k == 0 ? made : combine(kind, op.results[0]->dtype, op.results[0]->elements(), got, made);
  }
  return close(*op.results[0], got, expected)
             ? ""
             : fmt::format("the combined results, {}, differ", graph::to_short_text(*op.results[0]));
}

// Runs what is declared, or claimed in its place; answers how many runs differ and how many there were.
std::pair<int, int> differing(const ops::OpDef &def, bool (*claim)(const ops::OpView &, uint64_t, Reduction),
                              int instances) {
  const drafts::Drafter drafter = drafts::drafter_of(def);
  const bool drawable = drafter != nullptr;
  REQUIRE(drawable);
  int wrong = 0, runs = 0;
  for (int i = 0; i < instances; ++i) {
    RandomChoices random(static_cast<uint64_t>(i) * 7919 + std::string_view(def.name).size());
    std::string why;
    std::optional<Instance> instance;
    while (!instance) {
      Draft draft = drafter(def, random);
      draft.values.assign(draft.operands.size(),
                          {}); // no infinities: what is lost between them and their sum is lost
      instance = build(def, draft, random, why);
    }
    const ops::OpViewHolder holder(*instance->graph, instance->op);
    const size_t operands = std::min<size_t>(holder.view().operands.size(), 4);
    for (uint64_t partial = 1; partial < uint64_t{1} << operands; ++partial)
      for (const Reduction kind : kKinds) {
        if (!claim(holder.view(), partial, kind) ||
            !kernels::ref::combine_block(kind, holder.view().results[0]->dtype))
          continue;
        bool meaningful = !is_coarse(*holder.view().operands[0]) && !is_coarse(*holder.view().results[0]);
        for (size_t v = 0; v < operands; ++v)
          meaningful &= (partial >> v & 1) == 0 ||
                        kernels::ref::combine_block(kind, holder.view().operands[v]->dtype) != nullptr;
        if (!meaningful)
          continue;
        ++runs;
        const std::string what = check(*instance, partial, kind, random);
        wrong += !what.empty();
        if (claim == def.linear)
          CHECK_MESSAGE(what.empty(), std::string_view(def.name), " instance ", i, ", operands ", partial,
                        ", ", name(kind), ": ", what);
      }
  }
  return {wrong, runs};
}

} // namespace

TEST_CASE("partial values pass through linear ops") {
  int declared = 0, runs = 0;
  for (const ops::OpDef *def : ops::all_ops())
    if (def->linear && def->kind != ops::OpKind::custom_call) { // no instances are drawn of foreign code
      ++declared;
      const int here = differing(*def, def->linear, 500).second;
      CHECK_MESSAGE(here != 0, std::string_view(def->name), " is never linear");
      runs += here;
    }
  MESSAGE(declared, " ops, ", runs, " runs");
}

TEST_CASE("false claims are caught") {
  const auto claimed = [](const char *op, bool (*claim)(const ops::OpView &, uint64_t, Reduction)) {
    return differing(ops::op_def(*ops::find_op(op)), claim, 50).first;
  };
  const auto sum_of_both = [](const ops::OpView &op, uint64_t partial, Reduction kind) {
    return partial == 3 && kind == Reduction::sum && graph::is_float(op.operands[0]->dtype);
  };
  const auto sum_of_first = [](const ops::OpView &op, uint64_t partial, Reduction kind) {
    return partial == 1 && kind == Reduction::sum && graph::is_float(op.operands[0]->dtype);
  };
  CHECK(claimed("stablehlo.multiply", sum_of_both) > 0);
  CHECK(claimed("stablehlo.add", sum_of_first) > 0); // the other summand would enter on every device
  CHECK(claimed("stablehlo.maximum", sum_of_both) > 0);
  CHECK(claimed("stablehlo.dot_general", sum_of_both) > 0);
  CHECK(claimed("stablehlo.abs", sum_of_first) > 0);
}

} // namespace tw::test_linear
