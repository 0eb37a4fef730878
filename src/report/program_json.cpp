// SPDX-License-Identifier: Apache-2.0
// The JSON of `tw plan --json`, key by key.
#include "report/program_json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "report/conflicts.hpp"
#include "report/describe.hpp"
#include "report/expectations.hpp"
#include "report/notes.hpp"
#include "report/peak.hpp"
#include "report/tally.hpp"
#include "sharding/axis_names.hpp"

namespace tw::report {
namespace {

using Json = nlohmann::ordered_json;

Json mesh_json(const sharding::Mesh &mesh) {
  Json axes = Json::array();
  for (const auto &axis : mesh.axes()) {
    axes.push_back({axis.name, axis.size});
    if (axis.kind != sharding::AxisKind::device)
      axes.back().push_back(name(axis.kind));
  }
  return {{"axes", std::move(axes)}, {"devices", mesh.num_devices()}};
}

Json value_json(const Subject &s, const spmd::Instr &instr, std::string name, std::string cause) {
  const auto &p = *s.program;
  const auto shapes = local_shapes(p, instr);
  Json json = {{"index", instr.index},
               {"name", std::move(name)},
               {"type", graph::to_short_text(p.type(value_of(p, instr)))},
               {"sharding", sharding_text(p, instr)},
               {"local", shapes.first}};
  if (!shapes.distinct.empty())
    for (const auto &[shape, devices] : shapes.distinct)
      json["locals"].push_back({{"shape", shape}, {"devices", devices}});
  json["bytes"] = local_bytes(p, instr);
  json["cause"] = std::move(cause);
  return json;
}

Json collective_json(const Subject &s, size_t id, const spmd::Collective &c, int64_t times) {
  const auto &p = *s.program;
  const auto &graph = p.graph();
  const auto op = op_of(c);
  const bool reduces = c.summary.reduction != sharding::Reduction::raw;
  Json json = {{"id", id},
               {"kind", redistribute::name(c.summary.kind)},
               {"axes", sharding::axis_names(c.summary.axes, p.mesh())},
               {"reduction", reduces ? std::string(sharding::name(c.summary.reduction)) : std::string()},
               {"type", graph::to_short_text(graph.type(c.value))},
               {"local_type", local_type(p, c)},
               {"bytes_received", c.summary.bytes_received_max},
               {"times", times},
               {"value", graph.value_name(c.value)},
               {"op", op_name(graph, op)},
               {"location", op == graph::kNone ? std::string() : graph.location_text(op)},
               {"cause", cause_of_collective(s, c)}};
  if (const auto together = moved_values(p, c); together.size() > 1)
    json["values"] = together;
  if (c.is_planned()) {
    const CollectivePlan plan = plan_of(c);
    json["method"] = redistribute::name(plan.method);
    json["steps"] = plan.steps;
    json["bytes_by_level"] = plan.bytes_by_level;
  }
  if (!c.unplanned.empty())
    json["unplanned"] = c.unplanned;
  return json;
}

Json counts_json(const std::array<int64_t, redistribute::kNumKinds> &counts) {
  Json json;
  for (auto kind : kCountedKinds)
    json[std::string(redistribute::name(kind))] = counts[static_cast<size_t>(kind)];
  return json;
}

Json conflicts_json(const std::vector<ConflictReport> &reports) {
  Json json = Json::array();
  for (const ConflictReport &c : reports) {
    Json candidates = Json::array();
    const auto number = [](const std::optional<int64_t> &n) { return n ? Json(*n) : Json(); };
    for (const auto &r : c.candidates) {
      candidates.push_back(
          {{"factor", r.factor}, {"source", r.source}, {"bytes", number(r.bytes)}, {"more", number(r.more)}});
      if (!r.counted)
        candidates.back()["counted"] = false;
    }
    json.push_back({{"axis", c.axis},
                    {"kind", partition::name(c.kind)},
                    {"op", c.op.empty() ? c.value : c.value + " = " + c.op},
                    {"location", c.location},
                    {"candidates", std::move(candidates)}});
  }
  return json;
}

} // namespace

nlohmann::ordered_json program_json(const Subject &s) {
  const auto &p = *s.program;
  const auto &graph = p.graph();
  Json json;
  json["tilewright"] = TW_VERSION;
  json["module"] = graph.module_name();
  json["mesh"] = mesh_json(p.mesh());
  json["ops"] = p.num_planned_ops() - graph.arguments().size() - graph.results().size();

  json["arguments"] = Json::array();
  json["results"] = Json::array();
  for (const auto &instr : p.instrs()) {
    if (instr.kind == spmd::InstrKind::argument)
      json["arguments"].push_back(value_json(s, instr, graph.argument_name(instr.index),
                                             s.plan ? cause_of_node(*s.plan, instr.op) : std::string()));
    else if (instr.kind == spmd::InstrKind::result)
      json["results"].push_back(value_json(s, instr, graph.result_name(instr.index),
                                           s.plan ? cause_of_result(*s.plan, instr.index) : std::string()));
  }

  json["collectives"] = Json::array();
  const auto counted = counted_collectives(p);
  const auto statistics = spmd::find_statistics(p);
  for (size_t id = 0; id < counted.size(); ++id)
    json["collectives"].push_back(
        collective_json(s, id, p.collectives()[counted[id]], statistics.times[counted[id]]));
  json["counts"] = counts_json(statistics.counts);
  json["executed"] = counts_json(statistics.executed);
  if (statistics.uncombined != statistics.counts)
    json["uncombined"] = counts_json(statistics.uncombined);
  if (statistics.unknown_trips)
    json["unknown_trips"] = true;
  json["bytes_received"] = {{"max", statistics.bytes_received_max},
                            {"mean", std::llround(statistics.bytes_received_mean)}};
  json["peak_bytes"] = peak_bytes(s).value_or(-1);

  json["conflicts"] = conflicts_json(conflict_reports(s));
  json["disagreements"] = conflicts_json(disagreement_reports(s));
  json["expectations"] = Json::array();
  for (const auto &o : check_expectations(s))
    json["expectations"].push_back({{"line", o.line},
                                    {"text", o.text},
                                    {"found", o.found},
                                    {"found_text", o.found_text},
                                    {"holds", o.holds}});
  json["notes"] = notes_of(s);
  json["timing_ms"] = {
      {"import", s.timing.import_ms}, {"plan", s.timing.plan_ms}, {"lower", s.timing.lower_ms}};
  return json;
}

} // namespace tw::report
