// SPDX-License-Identifier: Apache-2.0
// Random plans with donated arguments, stated results, values that stay whole, and axes of steps, in each
// form that is read again: what a reader plans moves the same and hands its results out alike.
#include <doctest/doctest.h>

#include "emit/printer.hpp"
#include "support/donating.hpp"
#include "support/number_of.hpp"
#include "unit/emit/plans_read_back.hpp"

namespace tw::test_read_again {

using namespace tw::test;
using partition::Plan;

namespace {

// Actions on arguments, values and results by their names; those that do not hold are left out.
std::string random_statements(Plan &plan, Dice &random) {
  const graph::Graph &g = plan.graph();
  std::string done;
  for (int64_t n = random.below(4); n > 0; --n) {
    std::string target;
    size_t rank = 0;
    if (const int64_t kind = random.below(3); kind == 0 && !g.results().empty()) {
      const auto i = static_cast<size_t>(random.below(static_cast<int64_t>(g.results().size())));
      target = fmt::format("result={}", i);
      rank = g.type(g.operands(g.results()[i])[0]).rank();
    } else if (kind == 1 && !g.arguments().empty()) {
      const auto i = static_cast<size_t>(random.below(static_cast<int64_t>(g.arguments().size())));
      target = fmt::format("arg={}", i);
      rank = g.type(g.result(g.arguments()[i])).rank();
    } else {
      const auto v = static_cast<graph::ValueId>(random.below(static_cast<int64_t>(g.values().size())));
      target = fmt::format("value=\"{}\"", g.value_name(v));
      rank = g.type(v).rank();
    }
    const std::string axis =
        plan.mesh()
            .axis(static_cast<sharding::AxisId>(random.below(static_cast<int64_t>(plan.mesh().num_axes()))))
            .name;
    const std::string action = rank == 0 || random.chance(2)
                                   ? fmt::format("atomic({}, axis={})", target, axis)
                                   : fmt::format("tile({}, dim={}, axis={})", target,
                                                 random.below(static_cast<int64_t>(rank)), axis);
    const Plan::Stamp stamp = plan.stamp();
    if (partition::apply_spec(plan, action, "spec.txt"))
      done += action + "; ";
    else
      plan.undo_to(stamp);
  }
  return done;
}

// The values that a program hands out.
std::vector<spmd::ValueRef> handed_out_by(const spmd::Program &program) {
  std::vector<spmd::ValueRef> all(program.graph().results().size());
  for (const spmd::Instr &instr : program.instrs())
    if (instr.kind == spmd::InstrKind::result)
      all[instr.index] = program.operands(instr)[0];
  return all;
}
void check_results(const spmd::Program &program, const spmd::Program &other) {
  const std::vector<spmd::ValueRef> ours = handed_out_by(program), theirs = handed_out_by(other);
  REQUIRE(ours.size() == theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    CAPTURE(i);
    const auto text = [](const spmd::Program &p, spmd::ValueRef v) {
      return sharding::to_text(p.sharding(p.values()[v].sharding), p.mesh());
    };
    // Loops count axes of steps behind those of devices; grids have names of their own for theirs.
    CHECK((text(program, ours[i]) == text(other, theirs[i]) ||
           test::same_values(program, ours[i], other, theirs[i])));
  }
}

struct Counts {
  size_t written = 0, unsaid = 0, reordered = 0;
};

struct Read {
  import::Imported imported;
  Plan plan;
};
Read read(const std::string &text) {
  import::Imported imported = load_text(text);
  Plan plan = plan_of(imported, nullptr, true);
  if (imported.loops)
    REQUIRE(loops::apply(plan, *imported.loops).has_value());
  return {std::move(imported), std::move(plan)};
}
std::shared_ptr<const spmd::Program> lowered(const Plan &plan) {
  auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  return *std::move(program);
}
auto moves_of(const spmd::Program &program) {
  return test::moves_of(program, spmd::find_statistics(program));
}

// Loops may order ops otherwise, and what moves first may serve what moves later: then the text of what was
// read moves as that does.
void check_moves(const Plan &plan, const Read &again, std::string_view form, Counts &counts) {
  const auto ours = lowered(plan), theirs = lowered(again.plan);
  INFO(spmd::to_text(*ours) << spmd::to_text(*theirs));
  check_results(*ours, *theirs);
  if (moves_of(*ours) == moves_of(*theirs))
    return;
  ++counts.reordered;
  const std::string second = text_of(emit::print(again.plan, form));
  INFO(second);
  CHECK(form.starts_with("loops"));
  CHECK(moves_of(*lowered(read(second).plan)) == moves_of(*theirs));
}

void check_read_again(const Plan &plan, std::string_view form, Counts &counts) {
  const auto text = emit::print(plan, form);
  // A text says by itself where it cannot say all.
  if (!text || text->find("// A reader's program moves other") != std::string::npos) {
    ++counts.unsaid;
    return;
  }
  ++counts.written;
  INFO(*text);
  check_moves(plan, read(*text), form, counts);
}

} // namespace

// TW_PLANS says how many, from the seed TW_SEED.
TEST_CASE("what a reader plans moves the same and hands out the same") {
  const uint64_t first = number_of("TW_SEED", 1), count = number_of("TW_PLANS", slice_of(250, 80));
  std::map<std::string, Counts> counts;
  size_t donations = 0, serial = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const auto graph = donating(*program.graph, random);
    for (size_t i = 0; i < graph->arguments().size(); ++i)
      donations += graph->alias_of_argument(i) >= 0;
    sharding::Mesh mesh = random_mesh(random);
    const bool loops = random.chance(3);
    Plan plan(graph, loops ? with_random_loops(mesh, random) : mesh);
    serial += loops;
    const std::string before = random_statements(plan, random);
    CAPTURE(before);
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    const std::string after = random_statements(plan, random);
    CAPTURE(after);
    for (const char *form : {"loops", "loops-extents", "shard"}) {
      CAPTURE(form);
      check_read_again(plan, form, counts[form]);
    }
  }
  for (const auto &[form, of_form] : counts)
    MESSAGE(form << ": " << of_form.written << " written, " << of_form.unsaid << " not, " << of_form.reordered
                 << " of them move other for the order of their ops");
  CHECK(counts["loops"].unsaid == 0);
  CHECK(counts["loops"].reordered * 50 < count + 50);
  CHECK(counts["shard"].written * 10 > count);
  CHECK(donations * 5 > count);
  CHECK(serial * 10 > count);
}

} // namespace tw::test_read_again
