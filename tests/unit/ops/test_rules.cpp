// SPDX-License-Identifier: Apache-2.0
// Every factor rule is what it says: an op cut along any factor and put together equals the whole op, bit for
// bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/ref/references.hpp"
#include "pieces.hpp"
#include "support/number_of.hpp"

namespace tw::test_rules {

using namespace tw::test;

namespace {

const auto kInstances = static_cast<int>(slice_of(50, 15));

uint64_t seed_of(std::string_view op, int instance) {
  const char *extra = std::getenv("TW_SEED");
  uint64_t seed = extra ? std::strtoull(extra, nullptr, 10) : 0;
  for (const char c : op)
    seed = seed * 131 + static_cast<unsigned char>(c);
  return seed * 1000003 + static_cast<uint64_t>(instance);
}

Instance instance_of(const ops::OpDef &def, RandomChoices &random) {
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
    if (kernels::ref::reference_of(*def) == nullptr ||
        def->num_results == 0) // nothing to put together: test_check.cpp
      continue;
    ++ops_tested;
    for (int i = 0; i < kInstances; ++i) {
      RandomChoices random(seed_of(def->name, i));
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

// A way to make a rule wrong; answers whether the rule has anything to change.
using Mutation = bool (*)(Rule &);

struct Outcome {
  int changed = 0, caught = 0; // instances
};

Outcome mutate(const ops::OpDef &def, Mutation mutation) {
  Outcome outcome;
  for (int i = 0; i < 200; ++i) {
    RandomChoices random(seed_of(def.name, i));
    const Instance instance = instance_of(def, random);
    const Run whole(instance);
    Rule rule = def.rule(whole.holder.view());
    if (!mutation(rule))
      continue;
    ++outcome.changed;
    int64_t tried = 0;
    outcome.caught += !check_rule(whole, rule, random, tried).empty();
  }
  return outcome;
}

bool change_factors(Rule &rule, FactorKind kind, void (*change)(ops::Factor &)) {
  bool changed = false;
  for (ops::Factor &f : rule.factors)
    if (f.kind == kind && f.size > 1)
      change(f), changed = true;
  return changed;
}

// One or more for every kind of factor. Kernels trust the boxes that a rule gives them, so what leaves them
// with too little is tried on ops whose kernels then read something wrong, not something outside.
const struct {
  const char *what;
  Mutation mutation;
  std::vector<std::string_view> only; // these ops; empty: all
} mutations[] = {
    {"pass: a factor stands at another dimension of the second operand",
     [](Rule &rule) {
       auto &dims = rule.operands[1];
       for (size_t d = 1; d < dims.size(); ++d)
         if (rule.factors[dims[d][0]].size == rule.factors[dims[0][0]].size &&
             rule.factors[dims[0][0]].size > 1) {
           std::swap(dims[0], dims[d]);
           return true;
         }
       return false;
     },
     {"stablehlo.subtract", "stablehlo.compare", "stablehlo.complex"}},
    {"whole: the dimension may be split",
     [](Rule &rule) {
       return change_factors(rule, FactorKind::whole, [](ops::Factor &f) { f.kind = FactorKind::pass; });
     },
     {"stablehlo.sort"}},
    {"reduce: partial values are combined in another way",
     [](Rule &rule) {
       return change_factors(rule, FactorKind::reduce, [](ops::Factor &f) {
         using sharding::Reduction;
         f.reduction = f.reduction == Reduction::sum    ? Reduction::max
                       : f.reduction == Reduction::pick ? Reduction::prod
                                                        : Reduction::sum;
       });
     },
     {}},
    {"reduce: the initial value enters on every device",
     [](Rule &rule) { return std::exchange(rule.init_operands, 0) != 0; },
     {}},
    {"windows: they stand one element further",
     [](Rule &rule) {
       for (ops::Window &window : rule.windows)
         window.offset += window.dilation;
       return !rule.windows.empty();
     },
     {"stablehlo.concatenate", "stablehlo.convolution", "stablehlo.gather", "stablehlo.pad",
      "stablehlo.reduce_window", "stablehlo.scatter", "stablehlo.select_and_scatter"}},
    {"windows: no halo, as in the gradient of a kernel without its offset",
     [](Rule &rule) {
       bool changed = false;
       for (ops::Window &window : rule.windows)
         for (ops::Window::Term &term : window.terms)
           if (rule.operands[window.operand][window.dim] != ops::DimFactors{term.factor} &&
               rule.factors[term.factor].size > 1)
             term.step = 0, changed = true;
       return changed;
     },
     {}},
};

} // namespace

TEST_CASE("wrong rules are caught") {
  for (const auto &[what, mutation, only] : mutations) {
    const std::string kind(what); // clang 14 captures no binding
    int ops_changed = 0;
    for (const ops::OpDef *def : ops::all_ops()) {
      if (kernels::ref::reference_of(*def) == nullptr || def->num_results == 0 ||
          (!only.empty() && std::ranges::count(only, std::string_view(def->name)) == 0))
        continue;
      const Outcome outcome = mutate(*def, mutation);
      ops_changed += outcome.changed != 0;
      CHECK_MESSAGE(outcome.caught * 8 >= outcome.changed, def->name, ", ", kind, ": only ", outcome.caught,
                    " of ", outcome.changed, " instances notice");
    }
    CHECK_MESSAGE(ops_changed != 0, kind, ": no op has it");
  }
}

} // namespace tw::test_rules
