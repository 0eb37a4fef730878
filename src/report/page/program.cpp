// SPDX-License-Identifier: Apache-2.0
// What every device runs: instructions, the values that they read and make, and the layers that repeat. The
// page makes a tree of it, and draws no more than the neighbourhood of one instruction.
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "report/describe.hpp"
#include "report/page/section.hpp"
#include "search/layers.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/spans_text.hpp"

namespace tw::report::section_program {
namespace {

using spmd::Instr;
using spmd::InstrKind;

std::string what_of(const spmd::Program &p, const Instr &in) {
  switch (in.kind) {
  case InstrKind::argument: return "argument";
  case InstrKind::result: return "result";
  case InstrKind::loop: return "loop over " + p.mesh().axis(static_cast<sharding::AxisId>(in.index)).name;
  case InstrKind::end_loop: return "end of the loop";
  case InstrKind::collective: {
    const spmd::Collective &c = p.collectives()[in.index];
    return c.summary.kind == redistribute::Kind::copy
               ? std::string("slice")
               : fmt::format("{} over {}", redistribute::name(c.summary.kind),
                             fmt::join(sharding::axis_names(c.summary.axes, p.mesh()), ","));
  }
  case InstrKind::accumulate: return "accumulate";
  case InstrKind::region: {
    const std::string name(ops::short_name(op_name(p.graph(), in.op)));
    return in.index == 0                                 ? name
           : in.index == p.graph().op(in.op).num_regions ? "end of " + name
                                                         : name + ", next region";
  }
  case InstrKind::compute: break;
  }
  return std::string(ops::short_name(op_name(p.graph(), in.op)));
}

std::string kind_of(const spmd::Program &p, const Instr &in) {
  switch (in.kind) {
  case InstrKind::argument: return "argument";
  case InstrKind::result: return "result";
  case InstrKind::compute: return "compute";
  case InstrKind::collective:
    return p.collectives()[in.index].summary.kind == redistribute::Kind::copy ? "slice" : "collective";
  default: return "control";
  }
}

// The layer of each op that a repeated part of the program has: which stack, which layer of it.
struct Layer {
  uint32_t stack, layer;
};

Result<Json> facts(const PageOf &of, Texts &texts) {
  const spmd::Program &p = *of.subject.program;
  const graph::Graph &graph = p.graph();
  const graph::Graph &planned =
      of.subject.plan ? of.subject.plan->graph() : graph; // without what lowering added
  std::map<graph::OpId, Layer> layer_of;
  Json stacks = Json::array();
  for (const search::Stack &stack : search::find_stacks(planned)) {
    for (const search::Role &role : stack.roles)
      for (uint32_t layer = 0; layer < role.size(); ++layer)
        layer_of.emplace(role[layer], Layer{static_cast<uint32_t>(stacks.size()), layer});
    stacks.push_back(stack.num_layers);
  }
  const auto of_layer = [&](auto member) {
    return column(p.instrs(), [&](const Instr &in) {
      const auto found = in.op == graph::kNone ? layer_of.end() : layer_of.find(in.op);
      return found == layer_of.end() ? Json(-1) : Json(found->second.*member);
    });
  };
  std::map<std::pair<spmd::ShardingId, graph::TypeId>, uint32_t> layouts;
  const auto layout = [&](spmd::ValueRef v) {
    const spmd::Value &value = p.values()[v];
    const auto [at, fresh] = layouts.try_emplace({value.sharding, graph.value(value.origin).type}, 0);
    if (fresh)
      at->second = texts.id(to_text(p.sharding(value.sharding), p.type(v).dims, p.mesh()));
    return at->second;
  };
  Json refs = Json::array(), names = Json::array(), types = Json::array(), shardings = Json::array();
  for (spmd::ValueRef v = 0; v < p.values().size(); ++v) {
    names.push_back(texts.id(graph.value_name(p.values()[v].origin)));
    types.push_back(texts.id(graph::to_short_text(p.type(v))));
    shardings.push_back(layout(v));
  }
  for (const Instr &in : p.instrs())
    for (const spmd::ValueRef v : p.operands(in))
      refs.push_back(v);
  return Json{
      {"what", column(p.instrs(), [&](const Instr &in) { return texts.id(what_of(p, in)); })},
      {"kind", column(p.instrs(), [&](const Instr &in) { return texts.id(kind_of(p, in)); })},
      {"location", column(p.instrs(),
                          [&](const Instr &in) {
                            return texts.id(in.op == graph::kNone ? std::string()
                                                                  : graph.location_text(in.op));
                          })},
      {"cause", column(p.instrs(),
                       [&](const Instr &in) {
                         const bool known = of.subject.plan && in.op != graph::kNone && !p.is_added(in.op);
                         return texts.id(known ? cause_of_node(*of.subject.plan, in.op) : std::string());
                       })},
      {"num_operands", column(p.instrs(), [](const Instr &in) { return in.num_operands; })},
      {"operands", std::move(refs)}, // one instruction's after the other's
      {"first_result", column(p.instrs(), [](const Instr &in) { return in.first_result; })},
      {"num_results", column(p.instrs(), [](const Instr &in) { return in.num_results; })},
      {"index", column(p.instrs(), [](const Instr &in) { return in.index; })},
      {"collective", column(facts_of(of.subject)->collective_of,
                            [](uint32_t id) { return id == graph::kNone ? Json(-1) : Json(id); })},
      {"stack", of_layer(&Layer::stack)},
      {"layer", of_layer(&Layer::layer)},
      {"stacks", std::move(stacks)}, // how many layers each has
      {"values",
       {{"name", std::move(names)}, {"type", std::move(types)}, {"sharding", std::move(shardings)}}}};
}

} // namespace

const Section section = {"program", facts};

} // namespace tw::report::section_program
