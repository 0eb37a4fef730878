// SPDX-License-Identifier: Apache-2.0
// Random programs, arrays, meshes and actions.
#include "support/random_program.hpp"

#include <bit>
#include <cstring>
#include <map>

#include <fmt/ranges.h>

#include "support/program_generator.hpp"
#include "support/random_sharding.hpp"

namespace tw::test {
namespace {

void store(std::byte *at, DType t, int64_t value) {
  const auto put = [&](auto v) { std::memcpy(at, &v, sizeof v); };
  switch (t) {
  case DType::f64: put(static_cast<double>(value)); break;
  case DType::f32: put(static_cast<float>(value)); break;
  case DType::bf16:
    put(static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
    break;
  case DType::i1: put(static_cast<uint8_t>(value & 1)); break;
  case DType::s8:
  case DType::u8: put(static_cast<int8_t>(value)); break;
  case DType::s32:
  case DType::u32: put(static_cast<int32_t>(value)); break;
  case DType::s64:
  case DType::u64: put(value); break;
  default: throw std::logic_error("no stores of this type");
  }
}

} // namespace

double exact_limit(DType t) {
  switch (t) {
  case DType::f64: return 0x1p53;
  case DType::f32: return 0x1p24;
  case DType::bf16: return 256;
  case DType::f16: return 2048;
  default: return INFINITY; // integers wrap, in any order
  }
}

void Generator::results() {
  std::vector<bool> used(b_.graph().values().size(), false);
  for (graph::OpId op = 0; op < b_.graph().ops().size(); ++op)
    for (const ValueId v : b_.graph().operands(op))
      used[v] = true;
  for (graph::RegionId r = 0; r < b_.graph().num_regions(); ++r)
    for (const ValueId v : b_.graph().region(r).yields)
      used[v] = true;
  std::vector<ValueId> out;
  for (size_t i = values_.size(); i-- > 0 && out.size() < 6;)
    if (!used[values_[i].id])
      out.push_back(values_[i].id);
  if (out.empty() || random_.chance(4))
    out.push_back(any().id);
  for (size_t i = 0; i < out.size(); ++i)
    ops::add_result(b_, out[i], fmt::format("out{}", i));
}

kernels::ref::Array random_array(const TensorType &type, int64_t lo, int64_t hi, Dice &random) {
  kernels::ref::Array array{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))};
  const size_t size = byte_size(type.dtype);
  for (size_t at = 0; at < array.bytes.size(); at += size)
    store(array.bytes.data() + at, type.dtype, random.between(lo, hi));
  return array;
}

double sameness(const kernels::ref::Array &array) {
  const size_t size = byte_size(array.type.dtype);
  std::map<std::vector<std::byte>, int64_t> counts;
  int64_t most = 0;
  for (size_t at = 0; at < array.bytes.size(); at += size) {
    const auto *p = array.bytes.data() + at;
    most = std::max(most, ++counts[{p, p + size}]);
  }
  return static_cast<double>(most) / static_cast<double>(std::max<int64_t>(array.type.elements(), 1));
}

RandomProgram random_reshapes(Dice &random) { return Generator(random).run_reshapes(); }
RandomProgram random_products(Dice &random) { return Generator(random).run_products(); }
RandomProgram random_program(Dice &random) { return Generator(random).run(); }

sharding::Mesh random_mesh(Dice &random) {
  static const std::vector<int64_t> sizes = {1, 2, 2, 2, 3, 4, 4, 5, 7, 8};
  std::vector<sharding::Axis> axes;
  int64_t devices = 1;
  const int64_t most = random.chance(4) ? 64 : 12;
  for (int64_t n = random.between(1, 4); n > 0; --n) {
    const int64_t size = random.pick(sizes);
    if (devices * size > most)
      continue;
    devices *= size;
    const std::string name(1, static_cast<char>('a' + axes.size()));
    axes.push_back({name, size, name, 1});
  }
  if (axes.empty())
    axes.push_back({"a", 1, "a", 1});
  return *sharding::Mesh::create(std::move(axes));
}

sharding::Mesh with_random_loops(const sharding::Mesh &mesh, Dice &random) {
  std::vector<sharding::Axis> axes(mesh.axes().begin(), mesh.axes().end());
  for (sharding::Axis &axis : axes)
    axis.kind = random.pick(std::vector{sharding::AxisKind::device, sharding::AxisKind::serial,
                                        sharding::AxisKind::serial, sharding::AxisKind::threads});
  return *sharding::Mesh::create(std::move(axes));
}

std::string random_parts(partition::Plan &plan, Dice &random) {
  std::string done;
  for (size_t a = 0; a < plan.mesh().num_axes(); ++a) {
    const auto axis = static_cast<sharding::AxisId>(a);
    std::vector<int64_t> majors;
    for (int64_t n = 2; n < plan.mesh().size(axis); ++n)
      if (plan.mesh().size(axis) % n == 0)
        majors.push_back(n);
    if (majors.empty() || random.chance(2))
      continue;
    const int64_t major = random.pick(majors);
    done += fmt::format(" refine({},{})", plan.mesh().axis(axis).name, major);
    if (!plan.refine(axis, major))
      done += "?";
  }
  return done + random_actions(plan, random);
}

std::string random_actions(partition::Plan &plan, Dice &random) {
  std::string done;
  const auto nodes = static_cast<int64_t>(plan.num_nodes()); // ops and variables
  for (int64_t actions = random.between(1, 4); actions > 0; --actions) {
    plan.begin_action({"random", {}});
    for (int64_t tries = random.between(1, 6); tries > 0; --tries) {
      const auto node = static_cast<partition::NodeId>(random.below(nodes));
      const auto axis =
          static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes())));
      const auto &factors = plan.rule(node).factors;
      if (factors.empty() || !plan.takes_part(node))
        continue;
      const auto factor = static_cast<ops::FactorId>(random.below(static_cast<int64_t>(factors.size())));
      sharding::SplitRule split;
      std::string rule;
      if (random.chance(4)) {
        split.kind = sharding::SplitRule::Kind::ceil;
        rule = ":ceil";
      } else if (random.chance(6)) {
        int64_t tiles = plan.mesh().size(axis); // the cuts are those of all of the factor's axes
        for (const partition::NestEntry &entry : plan.nest(node))
          tiles *= entry.factor == factor ? plan.mesh().size(entry.axis) : 1;
        std::vector<int64_t> cuts{0};
        for (int64_t t = 1; t < tiles; ++t)
          cuts.push_back(random.between(cuts.back(), factors[factor].size));
        cuts.push_back(factors[factor].size);
        rule = fmt::format(":cuts{}", cuts);
        split.kind = sharding::SplitRule::Kind::cuts;
        split.cuts = std::make_shared<const std::vector<int64_t>>(std::move(cuts));
      }
      const ops::FactorId chosen = random.chance(12) ? partition::kAny : factor;
      if (plan.set(node, axis, chosen, chosen == partition::kAny || rule.empty() ? nullptr : &split))
        done += fmt::format(" set({},{},{}{})", node, plan.mesh().axis(axis).name, chosen, rule);
    }
    if (random.chance(5))
      continue;
    const bool infer = random.chance(2);
    plan.propagate(infer ? partition::Mode::infer_propagate : partition::Mode::propagate);
    done += infer ? " infer-propagate" : " propagate";
  }
  for (size_t r = 0; r < plan.graph().results().size(); ++r)
    if (random.chance(6)) {
      const auto &dims = plan.graph().type(plan.graph().operands(plan.graph().results()[r])[0]).dims;
      sharding::Sharding layout = random_sharding(random.engine(), dims, plan.mesh());
      done += fmt::format(" result{}={}", r, sharding::to_text(layout, plan.mesh()));
      plan.pin_result_layout(r, std::move(layout));
    }
  return done;
}

} // namespace tw::test
