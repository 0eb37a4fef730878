// SPDX-License-Identifier: Apache-2.0
// What people try first: nothing is tiled, the batch is, and so is what an optimizer keeps.
#include <fmt/format.h>

#include "search/strategy.hpp"

namespace tw::search::templates_strategy {

namespace {

void run(Driver &driver) {
  const Space &space = driver.space();
  std::vector<sharding::AxisId> axes;
  for (const Decision &d : space.decisions)
    if (axes.empty() || axes.back() != d.axis)
      axes.push_back(d.axis);
  // The first dimension of all that is neither weight nor state, over an axis.
  const auto add_data = [&](Sequence &to, sharding::AxisId axis) {
    for (uint32_t i = 0; i < space.decisions.size(); ++i)
      if (const Decision &d = space.decisions[i]; d.kind == Decision::Kind::tile && d.axis == axis &&
                                                  d.dim == 0 &&
                                                  space.groups[d.index].purpose == Purpose::other)
        to.push_back(i);
  };
  const auto add_all = [&](Sequence &to, sharding::AxisId axis, Decision::Kind kind) {
    for (uint32_t i = 0; i < space.decisions.size(); ++i)
      if (space.decisions[i].kind == kind && space.decisions[i].axis == axis)
        to.push_back(i);
  };
  std::vector<Sequence> tried;
  std::vector<std::string> names;
  std::vector<std::vector<sharding::AxisId>> over; // each axis, and all
  for (const sharding::AxisId axis : axes)
    over.push_back({axis});
  if (axes.size() > 1)
    over.push_back(axes);
  for (const auto &some : over) {
    Sequence data;
    std::string text;
    for (const sharding::AxisId axis : some) {
      add_data(data, axis);
      text += fmt::format("{}{}", text.empty() ? "" : ",", space.plan->mesh().axis(axis).name);
    }
    tried.push_back(data);
    names.push_back(fmt::format("batch over {}", text));
    for (const auto &[kind, name] :
         {std::pair(Decision::Kind::state, "ZeRO 2"), {Decision::Kind::storage, "ZeRO 3"}}) {
      Sequence more = data;
      for (const sharding::AxisId axis : some)
        add_all(more, axis, kind);
      if (more == data)
        continue;
      tried.push_back(more);
      names.push_back(fmt::format("{} over {}", name, text));
    }
  }
  driver.note("replicated", driver.root());
  const auto made = driver.evaluate(tried);
  for (size_t i = 0; i < made.size(); ++i)
    if (!made[i].empty())
      driver.note(names[i], made[i].back().price);
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{
      "templates", "What people try first: data parallelism, with ZeRO's storage or without.", run};
  return strategy;
}

} // namespace tw::search::templates_strategy
