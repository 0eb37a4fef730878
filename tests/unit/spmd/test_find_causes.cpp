// SPDX-License-Identifier: Apache-2.0
// Every collective has a cause, and is another one, or none, without the actions that it names.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/spec.hpp"
#include "sharding/axis_names.hpp"
#include "support/random_program.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::test_find_causes {

using namespace tw::test;

namespace {

// Lines of a spec.
std::vector<std::string> random_lines(const graph::Graph &graph, const sharding::Mesh &mesh, Dice &random) {
  const auto axis = [&] {
    return mesh.axis(static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(mesh.num_axes())))).name;
  };
  std::vector<std::string> lines;
  for (int64_t n = random.between(1, 5); n > 0; --n) {
    std::string target;
    size_t rank = 0;
    if (random.chance(2) && !graph.arguments().empty()) {
      const auto i = static_cast<size_t>(random.below(static_cast<int64_t>(graph.arguments().size())));
      target = fmt::format("arg={}", i);
      rank = graph.type(graph.result(graph.arguments()[i])).rank();
    } else {
      const auto v = static_cast<graph::ValueId>(random.below(static_cast<int64_t>(graph.values().size())));
      target = fmt::format("value=\"{}\"", graph.value_name(v));
      rank = graph.type(v).rank();
    }
    if (rank != 0 && !random.chance(6))
      lines.push_back(
          fmt::format("tile({}, dim={}, axis={})", target, random.below(static_cast<int64_t>(rank)), axis()));
    else
      lines.push_back(fmt::format("atomic({}, axis={})", target, axis()));
    if (!random.chance(4))
      lines.push_back(random.chance(3) ? "propagate" : "infer-propagate");
  }
  if (random.chance(4) && !graph.results().empty())
    lines.push_back(fmt::format("tile(result=0, dim=0, axis={})", axis()));
  if (random.chance(4) && !graph.results().empty()) {
    const auto rank = graph.type(graph.operands(graph.results()[0])[0]).rank();
    std::vector<std::string> dims(rank, "{}");
    lines.push_back(fmt::format("shard(result=0, [{}])", fmt::join(dims, ", ")));
  }
  return lines;
}

// The plan of these lines but for some; those that are refused, or change nothing, are put into a list.
partition::Plan plan_of(const RandomProgram &program, const sharding::Mesh &mesh,
                        const std::vector<std::string> &lines, const std::vector<size_t> &without,
                        std::vector<size_t> *idle = nullptr) {
  partition::Plan plan(program.graph, mesh);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (std::ranges::count(without, i) != 0)
      continue;
    bool noted = false;
    const auto observe = [&](const partition::Statement &statement) { noted |= !statement.notes.empty(); };
    if ((!partition::apply_spec(plan, lines[i], fmt::format("{}", i), observe) || noted) && idle != nullptr)
      idle->push_back(i);
  }
  return plan;
}

// What moves and how, and of what its maker makes it: sums over other dimensions are others.
std::string signature(const spmd::Program &p, const spmd::Collective &c) {
  const auto &instr = p.instrs()[c.instr];
  const auto layout = [&](spmd::ValueRef v) {
    return sharding::to_text(p.sharding(p.values()[v].sharding), p.mesh());
  };
  std::string of;
  for (const spmd::ValueRef v : p.operands(p.instrs()[p.values()[p.operands(instr)[0]].def]))
    of += " " + layout(v);
  return fmt::format("{} over {} of {} from {} to {}, made of{}", redistribute::name(c.summary.kind),
                     fmt::join(sharding::axis_names(c.summary.axes, p.mesh()), ","),
                     p.graph().value_name(c.value), layout(p.operands(instr)[0]), layout(instr.first_result),
                     of);
}

std::map<std::string, int> signatures(const spmd::Program &p) {
  std::map<std::string, int> all;
  for (const spmd::Collective &c : p.collectives())
    if (c.summary.kind != redistribute::Kind::copy)
      ++all[signature(p, c)];
  return all;
}

} // namespace

TEST_CASE("every collective has a cause, without which it is another") {
  const char *count = std::getenv("TW_COUNT");
  const uint64_t plans = count != nullptr ? std::strtoull(count, nullptr, 10) : 60;
  size_t collectives = 0, same = 0;
  for (uint64_t seed = 1; seed <= plans; ++seed) {
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const sharding::Mesh mesh = *sharding::Mesh::parse(random.chance(2) ? "a=2,b=2" : "a=4");
    std::vector<std::string> lines = random_lines(*program.graph, mesh, random);
    std::vector<size_t> idle;
    plan_of(program, mesh, lines, {}, &idle);
    for (size_t i = idle.size(); i-- > 0;)
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(idle[i]));
    const auto whole = lowered(plan_of(program, mesh, lines, {}));
    const auto before = signatures(*whole);
    for (const spmd::Collective &c : whole->collectives()) {
      if (c.summary.kind == redistribute::Kind::copy)
        continue;
      ++collectives;
      CAPTURE(seed);
      CAPTURE(fmt::format("{}", fmt::join(lines, "; ")));
      CAPTURE(signature(*whole, c));
      REQUIRE(c.action != spmd::kNoAction);
      const auto line =
          static_cast<size_t>(std::strtoull(whole->actions()[c.action].pos.file.c_str(), nullptr, 10));
      CAPTURE(lines[line]);
      std::vector<size_t> named{line};
      for (const partition::ActionId a : c.also)
        named.push_back(
            static_cast<size_t>(std::strtoull(whole->actions()[a].pos.file.c_str(), nullptr, 10)));
      const auto without = signatures(*lowered(plan_of(program, mesh, lines, named)));
      const auto still = without.find(signature(*whole, c));
      same += still != without.end() && still->second == before.at(signature(*whole, c));
    }
  }
  CHECK(collectives >= plans);
  CHECK(same * 20 <= collectives); // what another action would do as well, by other ops
}

} // namespace tw::test_find_causes
