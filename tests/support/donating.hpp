// SPDX-License-Identifier: Apache-2.0
// Programs of which some arguments are donated.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "support/random_program.hpp"
#include "support/renumber.hpp"

namespace tw::test {

// The same program, some arguments of which are donated, to results of their type or to nobody.
inline std::shared_ptr<const graph::Graph> donating(const graph::Graph &g, Dice &random) {
  std::vector<int32_t> aliases(g.arguments().size(), -1);
  for (int32_t &alias : aliases) {
    const graph::TensorType &type =
        g.type(g.result(g.arguments()[static_cast<size_t>(&alias - aliases.data())]));
    std::vector<int32_t> fitting{-2};
    for (size_t i = 0; i < g.results().size(); ++i)
      if (g.type(g.operands(g.results()[i])[0]) == type &&
          std::ranges::find(aliases, static_cast<int32_t>(i)) == aliases.end())
        fitting.push_back(static_cast<int32_t>(i));
    if (random.chance(2))
      alias = random.pick(fitting);
  }
  return Renumber(g, random.bits(), aliases).run().graph;
}

} // namespace tw::test
