// SPDX-License-Identifier: Apache-2.0
// Random programs over a few shapes, and random actions on them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "program.hpp"

namespace tw::test {

struct RandomValues {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<ValueId> values; // without constants
};

inline RandomValues random_values(uint64_t seed, size_t ops) {
  std::mt19937_64 random(seed);
  ProgramBuilder p;
  const auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::vector<graph::Shape> shapes = {{6, 4}, {4, 6}, {6, 6}, {4, 4},   {2, 3, 4},
                                            {24},   {3, 8}, {12},   {2, 2, 6}};
  std::vector<std::vector<ValueId>> by_shape(shapes.size());
  std::vector<ValueId> all;
  const auto keep = [&](size_t shape, ValueId v) {
    by_shape[shape].push_back(v);
    all.push_back(v);
  };
  for (size_t s = 0; s < shapes.size(); ++s)
    for (size_t i = 0; i < 2; ++i)
      keep(s, p.arg("a" + std::to_string(s) + "_" + std::to_string(i), shapes[s]));
  const auto any = [&](size_t s) { return by_shape[s][pick(by_shape[s].size())]; };
  for (size_t i = 0; i < ops; ++i) {
    const size_t s = pick(shapes.size());
    switch (pick(7)) {
    case 0: keep(s, p.tanh(any(s))); break;
    case 1:
    case 2: keep(s, p.add(any(s), any(s))); break;
    case 3: keep(s, p.add(any(s), p.zeros(shapes[s]))); break;
    case 4: { // a product of two 2-d shapes, where there is one
      const size_t a = pick(4), b = pick(4);
      if (shapes[a][1] != shapes[b][0])
        break;
      const graph::Shape to{shapes[a][0], shapes[b][1]};
      keep(static_cast<size_t>(std::find(shapes.begin(), shapes.end(), to) - shapes.begin()),
           p.matmul(any(a), any(b)));
      break;
    }
    case 5:
      if (s < 4)
        keep(static_cast<size_t>(
                 std::find(shapes.begin(), shapes.end(), graph::Shape{shapes[s][1], shapes[s][0]}) -
                 shapes.begin()),
             p.transpose(any(s), {1, 0}));
      break;
    case 6: { // 24 elements in any shape
      const std::vector<size_t> same = {0, 1, 4, 5, 6, 8};
      const size_t from = same[pick(same.size())], to = same[pick(same.size())];
      keep(to, p.reshape(any(from), shapes[to]));
      break;
    }
    }
  }
  for (size_t i = 0; i < 4; ++i)
    p.result(all[all.size() - 1 - i], "out" + std::to_string(i));
  return {p.finish(), std::move(all)};
}

// An action without names, so that it can be carried to a renumbered program.
struct RandomAction {
  enum { tile, whole, propagate, infer } what;
  size_t value; // into RandomValues::values
  int64_t dim;
  sharding::AxisId axis;
  bool ceil;
};

inline std::vector<RandomAction> random_actions(std::mt19937_64 &random, const RandomValues &program,
                                                size_t axes, size_t count) {
  std::vector<RandomAction> actions;
  for (size_t i = 0; i < count; ++i) {
    const size_t v = random() % program.values.size();
    const auto rank = program.graph->type(program.values[v]).rank();
    const uint64_t what = random() % 10;
    actions.push_back({what < 5   ? RandomAction::tile
                       : what < 6 ? RandomAction::whole
                       : what < 8 ? RandomAction::propagate
                                  : RandomAction::infer,
                       v, static_cast<int64_t>(random() % rank),
                       static_cast<sharding::AxisId>(random() % axes), random() % 4 == 0});
  }
  actions.push_back({RandomAction::infer, 0, 0, 0, false});
  return actions;
}

// Whether the action was legal.
inline bool act(partition::Plan &plan, const RandomAction &action, ValueId v) {
  if (action.what == RandomAction::propagate || action.what == RandomAction::infer) {
    plan.propagate(action.what == RandomAction::infer ? partition::Mode::infer_propagate
                                                      : partition::Mode::propagate);
    return true;
  }
  plan.begin_action({"random", {}});
  const auto &arguments = plan.graph().arguments();
  const auto found = std::find(arguments.begin(), arguments.end(), plan.graph().value(v).def);
  const partition::Target target{found != arguments.end() ? partition::Target::Kind::argument
                                                          : partition::Target::Kind::value,
                                 static_cast<uint32_t>(found - arguments.begin()), v};
  if (action.what == RandomAction::whole)
    return partition::keep_whole(plan, target, {action.axis}).has_value();
  const sharding::SplitRule ceil{sharding::SplitRule::Kind::ceil, 1, nullptr};
  return partition::tile(plan, target, action.dim, {action.axis}, action.ceil ? &ceil : nullptr).has_value();
}

} // namespace tw::test
