// SPDX-License-Identifier: Apache-2.0
// Random redistribution problems: uneven tiles by all rules, partial values, orders of devices, one mesh or
// two; and the plans for them that need no search.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "redistribute/direct.hpp"
#include "redistribute/level.hpp"
#include "redistribute/step_builder.hpp"
#include "support/random_sharding.hpp"

namespace tw::test {

inline sharding::Mesh with_ids(const sharding::Mesh &mesh, std::vector<int64_t> ids) {
  return *sharding::Mesh::create({mesh.axes().begin(), mesh.axes().end()}, std::move(ids));
}

// Shapes of up to three axes, 0 to 97 each, and at most 97 or a few thousand elements.
inline graph::Shape random_uneven_shape(Random &random) {
  graph::Shape shape(static_cast<size_t>(draw(random, 0, 19) == 0 ? 0 : draw(random, 1, 3)));
  int64_t room = draw(random, 0, 4) == 0 ? 4000 : 500;
  for (auto &n : shape) {
    const int64_t most = std::min<int64_t>({97, room, draw(random, 0, 2) == 0 ? 97 : 20});
    n = draw(random, draw(random, 0, 9) == 0 ? 0 : std::min<int64_t>(most, 1), most);
    room /= std::max<int64_t>(n, 1);
  }
  std::ranges::shuffle(shape, random);
  return shape;
}

struct RandomProblem {
  int64_t max_devices = 24;
  bool partial = true;    // where the draw says so
  bool balanced = false;  // no other split rule
  bool two_meshes = true; // where the draw says so
};

inline std::shared_ptr<const redistribute::Problem> random_problem(Random &random,
                                                                   const RandomProblem &of = {}) {
  using namespace redistribute;
  const sharding::Mesh plain = random_mesh(random, of.max_devices);
  const auto devices = plain.num_devices();
  std::vector<int64_t> ids(static_cast<size_t>(devices));
  std::iota(ids.begin(), ids.end(), draw(random, 0, 2) == 0 ? 100 : 0);
  if (draw(random, 0, 2) == 0)
    std::ranges::shuffle(ids, random);
  Layout src{with_ids(plain, ids), {}}, dst = src;
  if (of.two_meshes)
    switch (draw(random, 0, 5)) {
    case 0: // another order of the same devices
      std::ranges::shuffle(ids, random);
      dst.mesh = with_ids(plain, ids);
      break;
    case 1: { // other axes, and devices that may be the same, others, or some of them
      const sharding::Mesh other = random_mesh(random, of.max_devices);
      std::vector<int64_t> from(static_cast<size_t>(2 * of.max_devices + devices));
      std::iota(from.begin(), from.end(),
                draw(random, 0, 1) == 0 ? ids.front() : 100 + draw(random, 0, devices));
      if (draw(random, 0, 1) == 0)
        std::ranges::shuffle(from, random);
      from.resize(static_cast<size_t>(other.num_devices()));
      dst.mesh = with_ids(other, std::move(from));
      break;
    }
    default: break;
    }
  const graph::TensorType type{draw(random, 0, 1) == 0 ? graph::DType::f32 : graph::DType::i1,
                               random_uneven_shape(random)};
  const bool partial = of.partial && draw(random, 0, 2) == 0;
  const auto kind = [&] { return static_cast<sharding::Reduction>(draw(random, 0, 8)); };
  src.sharding = random_sharding(random, type.dims, src.mesh, partial, kind());
  dst.sharding = random_sharding(random, type.dims, dst.mesh);
  if (src.mesh == dst.mesh)
    for (sharding::Partial &s : src.sharding.partial)
      if (!dst.sharding.uses(s.axis) && draw(random, 0, 2) == 0) { // what stays may be of any kind
        s.kind = kind();
        dst.sharding.partial.push_back(s);
      }
  for (auto *side : {&src, &dst})
    for (auto &dim : side->sharding.dims)
      if (of.balanced || draw(random, 0, 3) == 0)
        dim.rule = {};
  auto problem = Problem::create(type, std::move(src), std::move(dst));
  return problem ? std::make_shared<const Problem>(std::move(*problem)) : nullptr;
}

// Nested groups of random sizes.
inline redistribute::Topology random_topology(Random &random, size_t devices) {
  redistribute::Topology topology;
  const int64_t levels = draw(random, 1, 2);
  std::vector<int32_t> outer(devices, 0);
  for (int64_t level = 0; level < levels; ++level) {
    const int64_t count = draw(random, 1, 4);
    for (auto &group : outer)
      group = group * 4 + static_cast<int32_t>(draw(random, 0, count - 1));
    topology.groups.push_back(outer);
  }
  return topology;
}

// The most bytes that enter, or leave, one group of a level.
inline int64_t most_across(const redistribute::Plan &plan, std::span<const int32_t> group, bool entering) {
  std::map<int32_t, int64_t> bytes;
  const size_t rank = plan.problem->rank();
  for (const redistribute::Step &step : plan.steps)
    for (size_t d = 0; d < group.size(); ++d)
      for (uint32_t i = step.first_piece[d]; i < step.first_piece[d + 1]; ++i) {
        int64_t size = plan.problem->item_size();
        for (size_t dim = 0; dim < rank; ++dim)
          size *= step.bounds[(2 * i + 1) * rank + dim];
        for (const redistribute::Source &source : step.sources_of(i))
          if (const int32_t from = group[static_cast<size_t>(source.device)]; from != group[d])
            bytes[entering ? group[d] : from] += size;
      }
  int64_t most = 0;
  for (const auto &[g, size] : bytes)
    most = std::max(most, size);
  return most;
}

// A plan whose steps write target tiles, and sums within groups.
inline redistribute::Plan plan_in_place(std::shared_ptr<const redistribute::Problem> problem,
                                        redistribute::Method method, redistribute::LevelSteps made) {
  using namespace redistribute;
  Plan plan;
  plan.method = method;
  Placement src(problem->rank(), problem->num_devices()), dst = src;
  int64_t largest = 0, collectives = 0;
  for (Device d = 0; static_cast<size_t>(d) < problem->num_devices(); ++d) {
    src.set(d, problem->src_box(d));
    dst.set(d, problem->dst_box(d));
    largest = std::max(largest, dst.elements(d));
  }
  plan.buffers = {src};
  plan.buffers.insert(plan.buffers.end(), made.partial.begin(), made.partial.end());
  plan.buffers.push_back(dst);
  plan.steps = std::move(made.steps);
  for (const Step &step : plan.steps)
    collectives += step.kind != Kind::copy;
  plan.fig11_cost = collectives * largest;
  plan.exact = problem->combined().empty();
  plan.problem = std::move(problem);
  return plan;
}

inline redistribute::Plan direct_plan_of(std::shared_ptr<const redistribute::Problem> problem) {
  using namespace redistribute;
  LevelSteps steps{{direct_step(*problem)}, {}};
  return plan_in_place(std::move(problem), Method::direct, std::move(steps));
}

inline redistribute::Plan level_plan_of(std::shared_ptr<const redistribute::Problem> problem,
                                        const redistribute::Topology &topology) {
  using namespace redistribute;
  auto steps = level_steps(*problem, topology, SumOrder::by_level);
  return plan_in_place(std::move(problem), Method::level, std::move(steps));
}

inline redistribute::Plan relay_plan_of(std::shared_ptr<const redistribute::Problem> problem,
                                        const redistribute::Topology &topology, int64_t chunks) {
  using namespace redistribute;
  auto steps = relay_steps(*problem, topology, chunks);
  return plan_in_place(std::move(problem), Method::relay, std::move(steps));
}

inline redistribute::Plan combine_plan_of(std::shared_ptr<const redistribute::Problem> problem) {
  using namespace redistribute;
  auto steps = combine_steps(*problem);
  return plan_in_place(std::move(problem), Method::direct, std::move(steps));
}

} // namespace tw::test
