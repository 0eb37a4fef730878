// SPDX-License-Identifier: Apache-2.0
// What it takes to try an action: apply, propagate, price and undo, on training steps of a transformer. Each
// kind of parameter of one layer is tiled, and then those of all layers at once.
//   ./dev bench price [--ops N,N] [--json FILE]
#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/need.hpp"
#include "bench/training_step.hpp"
#include "cost/price.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"

namespace {

using namespace tw;
using bench::need;
using Clock = std::chrono::steady_clock;

double micros(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

struct Times {
  std::vector<double> act, price, undo, all;
  size_t nodes = 0; // whose nests changed

  static double at(std::vector<double> &times, double part) {
    if (times.empty())
      return 0;
    std::ranges::sort(times);
    return times[static_cast<size_t>(part * static_cast<double>(times.size() - 1))];
  }
};

// Tiles these arguments over an axis, as one action.
void try_action(partition::Plan &plan, cost::PlanPrice &price, std::span<const size_t> arguments,
                ops::FactorId dim, sharding::AxisId axis, Times &times) {
  const auto begin = Clock::now();
  const partition::Plan::Stamp before = plan.stamp();
  plan.begin_action({"tile", {}});
  for (const size_t a : arguments)
    if (!plan.set(plan.graph().arguments()[a], axis, dim)) {
      plan.undo_to(before);
      return;
    }
  plan.propagate(partition::Mode::infer_propagate);
  const auto changed = plan.changed_since(before);
  const auto acted = Clock::now();
  if (changed)
    need(price.update(*changed));
  const auto priced = Clock::now();
  plan.undo_to(before);
  if (changed)
    price.undo();
  const auto end = Clock::now();
  if (!changed)
    return;
  times.act.push_back(micros(begin, acted));
  times.price.push_back(micros(acted, priced));
  times.undo.push_back(micros(priced, end));
  times.all.push_back(micros(begin, end));
  times.nodes += changed->size();
}

} // namespace

int main(int argc, char **argv) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const auto system = need(system::load("a100-40g"));
  fmt::print(
      "one try: apply, propagate, price, undo; microseconds\n{:>8} {:>8} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9} "
      "{:>9} {:>9}\n",
      "ops", "tiles", "tries", "nodes", "act", "price", "undo", "median", "p99", "a second");
  for (const int64_t size : bench::sizes(argc, argv)) {
    const auto imported = need(import::import_text(bench::training_step(size)));
    const graph::Graph &graph = *imported.graph;
    partition::Plan plan(imported.graph, need(sharding::Mesh::parse("data=2,model=4")));
    auto price = need(cost::PlanPrice::create(plan, system));
    // Arguments of equal type stand for the layers of one parameter.
    std::map<graph::TypeId, std::vector<size_t>> alike;
    for (size_t a = 0; a < graph.arguments().size(); ++a)
      alike[graph.value(graph.result(graph.arguments()[a])).type].push_back(a);
    for (const bool together : {false, true}) {
      Times times;
      for (const auto &[type, arguments] : alike)
        for (uint8_t dim = 0; dim < graph.type_at(type).rank(); ++dim)
          for (sharding::AxisId axis = 0; axis < 2; ++axis)
            if (together)
              try_action(plan, *price, arguments, dim, axis, times);
            else
              for (size_t i = 0; i < std::min<size_t>(arguments.size(), 8); ++i)
                try_action(plan, *price, std::span(arguments).subspan(i, 1), dim, axis, times);
      const double median = Times::at(times.all, 0.5);
      fmt::print("{:>8} {:>8} {:>7} {:>8} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f}\n",
                 graph.ops().size(), together ? "alike" : "one", times.all.size(),
                 times.nodes / std::max<size_t>(times.all.size(), 1), Times::at(times.act, 0.5),
                 Times::at(times.price, 0.5), Times::at(times.undo, 0.5), median, Times::at(times.all, 0.99),
                 1e6 / median);
      json.push_back({{"ops", graph.ops().size()},
                      {"together", together},
                      {"median_us", median},
                      {"p99_us", Times::at(times.all, 0.99)}});
    }
  }
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
