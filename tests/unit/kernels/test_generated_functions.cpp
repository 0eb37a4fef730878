// SPDX-License-Identifier: Apache-2.0
// The functions that devices have of their own, compiled over the C library: near to the host's blocks,
// within the bounds that are stated beside the ops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>
#include <string>
#include <string_view>

#include "kernels/generated/group.hpp"
#include "kernels/generated/host_functions.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"

namespace tw::test_generated_functions {

namespace {

using graph::DType;

constexpr int64_t kElements = 512;
// What the host's own functions may be off, in units in the last place; of complex ones C's are not bounded
// in each part, so these are of the magnitude.
constexpr double kHostReal = 4, kComplex = 40;

struct Case {
  const ops::OpDef *def;
  const ops::ScalarFunction *function;
  DType dtype, result;
  std::vector<Bytes> operands;
};

// Numbers of moderate size, where no function of the table is ill-conditioned.
Bytes moderate(DType dtype, std::mt19937_64 &random, bool positive) {
  std::uniform_real_distribution<double> number(positive ? 0.05 : -3, 3);
  Bytes out;
  for (int64_t i = 0; i < kElements; ++i)
    for (int part = graph::is_complex(dtype) ? 0 : 1; part < 2; ++part) {
      const Bytes one = ops::element_bytes(ops::part_type(dtype), number(random));
      out.insert(out.end(), one.begin(), one.end());
    }
  return out;
}

std::complex<double> value_at(DType dtype, const Bytes &data, int64_t i) {
  return ops::visit_dtype(dtype, [&]<class E>(E) -> std::complex<double> {
    typename E::Storage stored;
    std::memcpy(&stored, data.data() + static_cast<size_t>(i) * sizeof stored, sizeof stored);
    if constexpr (ops::is_complex_value<typename E::Value>)
      return {static_cast<double>(stored.real()), static_cast<double>(stored.imag())};
    else
      return static_cast<double>(E::load(stored));
  });
}

} // namespace

TEST_CASE("functions of devices keep their bounds") {
  std::mt19937_64 random(9);
  std::vector<Case> cases;
  std::vector<kernels::generated::Source> sources;
  for (const ops::OpDef *def : ops::all_ops())
    for (const DType t : {DType::f32, DType::f64, DType::c64, DType::c128}) {
      if (def->scalar == nullptr || std::string_view(def->name) == "chlo.erf_inv") // which C has not
        continue;
      const std::vector<DType> operands(static_cast<size_t>(def->min_operands), t);
      const graph::Attrs attrs(def->attrs.size());
      const ElementTypes asked(operands, t);
      const auto results = def->infer(asked.view(attrs));
      if (!results || def->min_operands > 2)
        continue;
      const ElementTypes types(operands, (*results)[0].dtype);
      kernels::generated::Group group{{kElements}, {}, {{def->scalar(types.view(attrs)), {}}}, {0}};
      const auto &nodes = group.nodes[0].value.nodes();
      const auto call = std::ranges::find(nodes, ops::ScalarOp::call, &ops::ScalarNode::op);
      if (call == nodes.end())
        continue;
      Case c{def, call->function, t, (*results)[0].dtype, {}};
      for (uint32_t v = 0; v < operands.size(); ++v) {
        group.inputs.push_back({t, {1}});
        group.nodes[0].args.push_back(v);
        c.operands.push_back(moderate(t, random, std::string_view(def->name) == "stablehlo.power"));
      }
      if (auto source = group_source(group, "function_" + std::to_string(cases.size()))) {
        sources.push_back(std::move(*source));
        cases.push_back(std::move(c));
      }
    }
  CHECK(cases.size() > 50);
  const HostModule module = HostModule::compile(sources, true);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    const bool wide = ops::part_type(c.dtype) == DType::f64;
    Bytes have(static_cast<size_t>(kElements) * graph::byte_size(c.result)), want(have.size());
    std::vector<const void *> operands;
    for (const Bytes &operand : c.operands)
      operands.push_back(operand.data());
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    host_block(c.def->name, std::vector(operands.size(), c.dtype), c.result)(operands.data(), want.data(),
                                                                             kElements);
    double worst = 0;
    for (int64_t e = 0; e < kElements; ++e) {
      const auto x = value_at(c.result, have, e), y = value_at(c.result, want, e);
      if (std::isnan(std::abs(y)) || std::isnan(std::abs(x))) {
        CHECK(std::isnan(std::abs(x)) == std::isnan(std::abs(y)));
        continue;
      }
      if (x != y)
        worst = std::max(worst, std::abs(x - y) / std::abs(y) * (wide ? 0x1p53 : 0x1p24));
    }
    INFO(c.def->name << " of " << std::string(graph::name(c.dtype)) << ": " << worst);
    const double bound = wide ? c.function->f64_bound : c.function->f32_bound;
    CHECK(worst <= (graph::is_complex(c.dtype) ? kComplex : bound + kHostReal) * 2);
  }
}

// Their own text over the C library, as a device has it.
TEST_CASE("functions that are asked for the bits of the host have them, and others are refused") {
  std::mt19937_64 random(10);
  struct Same {
    const char *op;
    std::vector<DType> operands;
    std::vector<Bytes> arguments;
  };
  std::vector<Same> cases;
  std::vector<kernels::generated::Source> sources;
  std::set<std::string> refused;
  for (const ops::OpDef *def : ops::all_ops())
    for (int t = 0; t < static_cast<int>(DType::count_); ++t) {
      const auto dtype = static_cast<DType>(t);
      if (def->scalar == nullptr || def->min_operands > 2 || !ops::kAll.has(dtype))
        continue;
      const std::vector<DType> operands(static_cast<size_t>(def->min_operands), dtype);
      const graph::Attrs attrs(def->attrs.size());
      const ElementTypes asked(operands, dtype);
      const auto results = def->infer(asked.view(attrs));
      if (!results || (*results)[0].dtype != dtype)
        continue;
      const ElementTypes types(operands, dtype);
      kernels::generated::Group group{{0}, {}, {{def->scalar(types.view(attrs)), {}}}, {0}};
      const auto &nodes = group.nodes[0].value.nodes();
      if (std::ranges::find(nodes, ops::ScalarOp::call, &ops::ScalarNode::op) == nodes.end())
        continue;
      if (const Status taken = take_host_bits(group.nodes); !taken) {
        CHECK(std::string(taken.error().info().id) == "TW-260");
        refused.insert(std::string(def->name) + " " + std::string(graph::name(dtype)));
        continue;
      }
      Same c{def->name, operands, {}};
      for (uint32_t v = 0; v < operands.size(); ++v) {
        group.inputs.push_back({dtype, {1}});
        group.nodes[0].args.push_back(v);
        c.arguments.push_back(special_elements(dtype, random(), 20'000));
      }
      group.extent = {std::ssize(c.arguments[0]) / static_cast<int64_t>(graph::byte_size(dtype))};
      sources.push_back(*group_source(group, "same_" + std::to_string(cases.size())));
      cases.push_back(std::move(c));
    }
  // Six functions of one number and the power, of f32 and of all narrower floats.
  CHECK(cases.size() % 7 == 0);
  CHECK(cases.size() >= 7 * 10);
  CHECK(refused.contains("stablehlo.exponential f64"));
  CHECK(refused.contains("stablehlo.sine f32"));
  CHECK(refused.contains("stablehlo.log complex<f32>"));
  CHECK(!refused.contains("stablehlo.tanh bf16"));
  const HostModule module = HostModule::compile(sources, true);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Same &c = cases[i];
    const DType dtype = c.operands[0];
    Bytes have(c.arguments[0].size()), want(have.size());
    std::vector<const void *> operands;
    for (const Bytes &argument : c.arguments)
      operands.push_back(argument.data());
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    host_block(c.op, c.operands, dtype)(operands.data(), want.data(),
                                        std::ssize(have) / static_cast<int64_t>(graph::byte_size(dtype)));
    INFO(c.op << " of " << std::string(graph::name(dtype)));
    CHECK(count_wrong(dtype, have, want) == 0);
  }
}

} // namespace tw::test_generated_functions
