// SPDX-License-Identifier: Apache-2.0
// Generated source of random fused groups, compiled by the host's compiler and run, against the host's blocks
// bit for bit. TW_GENERATED says how many, TW_SEED where they begin.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/small_float.hpp"
#include "kernels/generated/group.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"
#include "support/number_of.hpp"
#include "support/random_groups.hpp"

namespace tw::test_generated_groups {

namespace {

constexpr size_t kInOneFile = 60;

void check(const HostModule &module, const kernels::generated::Source &source, RandomGroup &made) {
  const auto in_front = [&](graph::DType dtype) { return made.shifted ? graph::byte_size(dtype) : 0; };
  std::vector<const void *> operands;
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    auto &input = made.inputs[i];
    const size_t front = in_front(made.group.inputs[i].dtype);
    input.insert(input.begin(), front, std::byte{0});
    operands.push_back(input.data() + front);
  }
  std::vector<std::vector<std::byte>> have(made.outputs.size());
  std::vector<void *> results;
  for (size_t o = 0; o < have.size(); ++o) {
    const int place = made.in_place[o];
    const size_t front = in_front(made.group.nodes[made.group.outputs[o]].value.dtype());
    have[o].assign(made.outputs[o].size() + front, std::byte{0xa5});
    results.push_back(place < 0 ? have[o].data() + front
                                : const_cast<void *>(operands[static_cast<size_t>(place)]));
  }
  module.run(source, operands, results);
  for (size_t o = 0; o < have.size(); ++o) {
    const auto &node = made.nodes[made.group.outputs[o]];
    const graph::DType dtype = made.group.nodes[made.group.outputs[o]].value.dtype();
    const size_t size = graph::byte_size(dtype);
    size_t wrong = 0;
    for (size_t at = 0; at < made.outputs[o].size(); at += size)
      wrong +=
          same_element(dtype, static_cast<const std::byte *>(results[o]) + at, made.outputs[o].data() + at)
              ? 0
              : 1;
    INFO("output " << o << ", made by " << node.def->name << " to " << std::string(graph::name(dtype)));
    CHECK(wrong == 0);
  }
}

} // namespace

TEST_CASE("groups give the bits of the host's blocks") {
  const size_t wanted = test::number_of("TW_GENERATED", kInOneFile), seed = test::number_of("TW_SEED", 1);
  for (size_t first = 0; first < wanted; first += kInOneFile) {
    std::vector<RandomGroup> groups;
    std::vector<kernels::generated::Source> sources;
    for (size_t i = 0; i < kInOneFile; ++i) {
      RandomGroup made = random_group(seed + first + i);
      auto source = kernels::generated::group_source(made.group, "group_" + std::to_string(i));
      if (!source) { // a function that devices lack
        CHECK(std::string(source.error().info().id) == "TW-260");
        continue;
      }
      groups.push_back(std::move(made));
      sources.push_back(std::move(*source));
    }
    CHECK(groups.size() > kInOneFile / 2);
    const HostModule module = HostModule::compile(sources);
    for (size_t i = 0; i < groups.size(); ++i) {
      INFO("seed " << seed + first << " + " << sources[i].launches[0].entry);
      check(module, sources[i], groups[i]);
    }
  }
}

TEST_CASE("what devices hold is combined in the order of their ranks, rounded after each") {
  using sharding::Reduction;
  struct Case {
    graph::DType dtype;
    Reduction kind;
    size_t parts;
    bool from_zero;
  };
  std::vector<Case> cases;
  std::vector<kernels::generated::Source> sources;
  constexpr int64_t kElements = 333;
  for (int t = 0; t < static_cast<int>(graph::DType::count_); ++t)
    for (const Reduction kind :
         {Reduction::sum, Reduction::prod, Reduction::max, Reduction::lxor, Reduction::pick}) {
      const Case c{static_cast<graph::DType>(t), kind, 2 + cases.size() % 7,
                   kind == Reduction::sum && t % 2 == 0};
      const bool exists = ops::kAll.has(c.dtype) && kernels::ref::combine_block(kind, c.dtype) != nullptr;
      if (!exists || (kind == Reduction::pick && !graph::is_unsigned_int(c.dtype)))
        continue;
      kernels::generated::Group group{{kElements}, {}, {}, {0}};
      group.inputs.assign(c.parts, {c.dtype, {1}});
      group.nodes.push_back({kernels::generated::combination(kind, c.dtype, c.parts, c.from_zero), {}});
      for (uint32_t p = 0; p < c.parts; ++p)
        group.nodes[0].args.push_back(p);
      sources.push_back(*group_source(group, "sum_" + std::to_string(cases.size())));
      cases.push_back(c);
    }
  const HostModule module = HostModule::compile(sources);
  std::mt19937_64 random(8);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    std::vector<Bytes> parts;
    std::vector<const void *> operands;
    for (size_t p = 0; p < c.parts; ++p)
      parts.push_back(drawn_elements(c.dtype, kElements, random));
    for (const Bytes &part : parts)
      operands.push_back(part.data());
    Bytes have(parts[0].size()), want = parts[0];
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    const void *first[] = {want.data()};
    if (c.from_zero)
      kernels::ref::combiner(c.kind, c.dtype).add_zero(first, want.data(), kElements);
    for (size_t p = 1; p < c.parts; ++p) {
      const void *two[] = {want.data(), parts[p].data()};
      kernels::ref::combine_block(c.kind, c.dtype)(two, want.data(), kElements);
    }
    INFO(c.parts << " parts of " << std::string(graph::name(c.dtype)) << ", kind "
                 << static_cast<int>(c.kind));
    CHECK(count_wrong(c.dtype, have, want) == 0);
  }
}

// Divided zeros of either sign, and what lies at, or beside, the middle of two codes.
TEST_CASE("special numbers, and floats between two codes of a narrower type") {
  using graph::DType;
  struct Case {
    std::string op;
    std::vector<DType> operands;
    DType result;
    std::vector<Bytes> arguments;
  };
  std::vector<Case> cases;
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16})
    for (const char *op : {"divide", "sqrt", "maximum", "minimum"}) {
      const size_t operands = std::string_view(op) == "sqrt" ? 1 : 2;
      Case c{fmt::format("stablehlo.{}", op), std::vector(operands, dtype), dtype, {}};
      for (size_t o = 0; o < operands; ++o)
        c.arguments.push_back(special_elements(dtype, 11 + o, 20'000));
      const size_t size = graph::byte_size(dtype), n = c.arguments[0].size() / size;
      for (size_t at = 0; operands == 2 && at < n; at += 3) {
        std::byte *const element = c.arguments[0].data() + at * size;
        std::memset(element, 0, size);
        element[size - 1] = at % 2 == 0 ? std::byte{0} : std::byte{0x80};
      }
      cases.push_back(std::move(c));
    }
  for (int t = 0; t < static_cast<int>(DType::count_); ++t)
    ops::visit_dtype(static_cast<DType>(t), [&]<class E>(E) {
      if constexpr (requires { E::format; }) {
        Case c{"stablehlo.convert", {DType::f32}, E::dtype, {{}}};
        std::vector<float> numbers;
        for (uint32_t code = 0; code < E::format.max_code; ++code) {
          const auto middle = static_cast<float>((decode(E::format, code) + decode(E::format, code + 1)) / 2);
          for (const float x : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, INFINITY)})
            numbers.insert(numbers.end(), {x, -x});
        }
        for (int32_t bits = 0; bits >= 0 && bits < 0x7f800000; bits += 54321) // of all sizes
          numbers.push_back(std::bit_cast<float>(bits));
        c.arguments[0].resize(numbers.size() * sizeof(float));
        std::memcpy(c.arguments[0].data(), numbers.data(), c.arguments[0].size());
        cases.push_back(std::move(c));
      }
    });
  std::vector<kernels::generated::Source> sources;
  for (const Case &c : cases) {
    const ElementTypes types(c.operands, c.result);
    const ops::OpDef &def = ops::op_def(*ops::find_op(c.op));
    const graph::Attrs attrs(def.attrs.size());
    kernels::generated::Group group{{0}, {}, {{def.scalar(types.view(attrs)), {}}}, {0}};
    for (uint32_t v = 0; v < c.operands.size(); ++v) {
      group.inputs.push_back({c.operands[v], {1}});
      group.nodes[0].args.push_back(v);
    }
    group.extent = {std::ssize(c.arguments[0]) / static_cast<int64_t>(graph::byte_size(c.operands[0]))};
    sources.push_back(*group_source(group, "special_" + std::to_string(sources.size())));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    const size_t n = c.arguments[0].size() / graph::byte_size(c.operands[0]);
    Bytes have(n * graph::byte_size(c.result)), want(have.size());
    std::vector<const void *> operands;
    for (const Bytes &argument : c.arguments)
      operands.push_back(argument.data());
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    host_block(c.op.c_str(), c.operands, c.result)(operands.data(), want.data(), static_cast<int64_t>(n));
    INFO(c.op << " to " << std::string(graph::name(c.result)));
    CHECK(count_wrong(c.result, have, want) == 0);
  }
}

} // namespace tw::test_generated_groups
