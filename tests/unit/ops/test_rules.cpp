// SPDX-License-Identifier: Apache-2.0
// Every factor rule is what it says: an op cut along any factor and put together equals the whole op, bit for bit.
#include <doctest/doctest.h>

#include <cstdlib>

#include "pieces.hpp"

using namespace tw;
using namespace tw::test;

namespace {

constexpr int kInstances = 50;

uint64_t seed_of(std::string_view op, int instance) {
  const char *extra = std::getenv("TW_SEED");
  uint64_t seed = extra ? std::strtoull(extra, nullptr, 10) : 0;
  for (const char c : op)
    seed = seed * 131 + static_cast<unsigned char>(c);
  return seed * 1000003 + static_cast<uint64_t>(instance);
}

Instance instance_of(const ops::OpDef &def, Random &random) {
  if (std::string_view(def.name) == "stablehlo.constant")
    return constant_instance(random);
  const drafts::Drafter drafter = drafts::drafter_of(def);
  const bool drawable = drafter != nullptr;
  REQUIRE_MESSAGE(drawable, def.name,
                  " has a kernel but no function in instances.hpp that draws instances of it");
  std::string why;
  for (int attempt = 0; attempt < 200; ++attempt)
    if (auto instance = build(def, drafter(def, random), random, why))
      return std::move(*instance);
  FAIL(def.name << ": no instance could be drawn: " << why);
  return {};
}

} // namespace

TEST_CASE("cut and put together equals the whole") {
  int ops_tested = 0;
  int64_t tried = 0;
  for (const ops::OpDef *def : ops::all_ops()) {
    if (!def->reference || def->num_results == 0) // nothing to put together: test_check.cpp
      continue;
    ++ops_tested;
    for (int i = 0; i < kInstances; ++i) {
      Random random(seed_of(def->name, i));
      const Instance instance = instance_of(*def, random);
      const Run whole(instance);
      const Rule rule = def->rule(whole.holder.view());
      const std::string wrong = check_rule(whole, rule, random, tried);
      std::string types;
      for (const TensorType *t : whole.holder.view().operands)
        types += " " + graph::to_short_text(*t);
      CHECK_MESSAGE(wrong.empty(), def->name, " instance ", i, types, " rule ", rule.text(), ": ", wrong);
    }
  }
  MESSAGE(ops_tested, " ops, ", ops_tested * kInstances, " instances, ", tried, " ways to cut");
  CHECK(tried > ops_tested * kInstances);
}

namespace {

// How many of 200 instances of an op notice when its rule is changed.
template <class Change> int caught(const char *name, Change change) {
  const ops::OpDef &def = ops::op_def(*ops::find_op(name));
  int caught = 0;
  for (int i = 0; i < 200; ++i) {
    Random random(seed_of(name, i));
    const Instance instance = instance_of(def, random);
    const Run whole(instance);
    Rule rule = def.rule(whole.holder.view());
    if (!change(rule))
      continue;
    int64_t tried = 0;
    caught += !check_rule(whole, rule, random, tried).empty();
  }
  return caught;
}

} // namespace

TEST_CASE("wrong rules are caught") {
  // A sum said to be a maximum.
  CHECK(caught("stablehlo.dot_general", [](Rule &rule) {
          bool changed = false;
          for (ops::Factor &f : rule.factors)
            if (f.kind == FactorKind::reduce && f.reduction == sharding::Reduction::sum) {
              f.reduction = sharding::Reduction::max;
              changed = true;
            }
          return changed;
        }) > 50);
  // A factor on the wrong dimension of an operand.
  CHECK(caught("stablehlo.subtract", [](Rule &rule) {
          auto &dims = rule.operands[1];
          for (size_t d = 1; d < dims.size(); ++d)
            if (rule.factors[dims[d][0]].size == rule.factors[dims[0][0]].size &&
                rule.factors[dims[0][0]].size > 1) {
              std::swap(dims[0], dims[d]);
              return true;
            }
          return false;
        }) > 10);
  // The initial value entering on every device.
  CHECK(caught("stablehlo.reduce", [](Rule &rule) { return std::exchange(rule.init_operands, 0) != 0; }) >
        20);
  CHECK(caught("stablehlo.scatter", [](Rule &rule) { return std::exchange(rule.init_operands, 0) != 0; }) >
        20);
  // Rows of a look-up combined by something else than picking.
  CHECK(caught("stablehlo.gather", [](Rule &rule) {
          bool changed = false;
          for (ops::Factor &f : rule.factors)
            if (f.kind == FactorKind::reduce) {
              f.reduction = sharding::Reduction::prod;
              changed = true;
            }
          return changed;
        }) > 20);
  // A dimension that must stay whole said to be free.
  CHECK(caught("stablehlo.reverse", [](Rule &rule) {
          bool changed = false;
          for (ops::Factor &f : rule.factors)
            if (f.kind == FactorKind::whole && f.size > 1) {
              f.kind = FactorKind::pass;
              changed = true;
            }
          return changed;
        }) > 50);
  // Windows that stand one element further, and a halo that forgets the taps: the gradient of a kernel without its offset.
  CHECK(caught("stablehlo.convolution", [](Rule &rule) {
          for (ops::Window &window : rule.windows)
            window.offset += window.dilation;
          return !rule.windows.empty();
        }) > 50);
  CHECK(caught("stablehlo.convolution", [](Rule &rule) {
          bool changed = false;
          for (ops::Window &window : rule.windows)
            for (ops::Window::Term &term : window.terms)
              if (rule.factors[term.factor].kind == FactorKind::reduce && rule.factors[term.factor].size > 1)
                term.step = 0, changed = true;
          return changed;
        }) > 50);
  // A gradient of pooling that sees only the windows that begin in its tile.
  CHECK(caught("stablehlo.select_and_scatter", [](Rule &rule) {
          bool changed = false;
          for (ops::Window &window : rule.windows)
            for (ops::Window::Term &term : window.terms)
              if (rule.factors[term.factor].kind == FactorKind::whole && rule.factors[term.factor].size > 1)
                term.step = 0, changed = true;
          return changed;
        }) > 20);
}
