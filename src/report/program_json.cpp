// SPDX-License-Identifier: Apache-2.0
// The JSON of `tw plan --json`, key by key.
#include "report/program_json.hpp"

#include <cmath>

#include "report/conflicts.hpp"
#include "report/facts.hpp"
#include "report/notes.hpp"

namespace tw::report {

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

Json counts_json(const std::array<int64_t, redistribute::kNumKinds> &counts) {
  Json json;
  for (auto kind : kCountedKinds)
    json[std::string(redistribute::name(kind))] = counts[static_cast<size_t>(kind)];
  return json;
}

Json timing_json(const Subject &s) {
  return {{"import", s.timing.import_ms}, {"plan", s.timing.plan_ms}, {"lower", s.timing.lower_ms}};
}

Json expectations_json(const std::vector<Outcome> &outcomes) {
  Json json = Json::array();
  for (const Outcome &o : outcomes)
    json.push_back({{"line", o.line},
                    {"text", o.text},
                    {"found", o.found},
                    {"found_text", o.found_text},
                    {"holds", o.holds}});
  return json;
}

namespace {

Json values_json(const std::vector<ValueFacts> &values) {
  Json all = Json::array();
  for (const ValueFacts &value : values) {
    Json json = {{"index", value.index},
                 {"name", value.name},
                 {"type", value.type},
                 {"sharding", value.sharding},
                 {"local", value.local.first}};
    for (const auto &[shape, devices] : value.local.distinct)
      json["locals"].push_back({{"shape", shape}, {"devices", devices}});
    json["bytes"] = value.bytes;
    json["cause"] = value.cause;
    all.push_back(std::move(json));
  }
  return all;
}

Json collective_json(size_t id, const CollectiveFacts &c) {
  Json json = {{"id", id},
               {"kind", redistribute::name(c.kind)},
               {"axes", c.axes},
               {"reduction", c.reduction ? std::string(sharding::name(*c.reduction)) : std::string()},
               {"type", c.type},
               {"local_type", c.local_type},
               {"bytes_received", c.bytes_received},
               {"times", c.times},
               {"value", c.value},
               {"op", c.op},
               {"location", c.location},
               {"cause", c.cause}};
  if (c.values.size() > 1)
    json["values"] = c.values;
  if (c.plan) {
    json["method"] = redistribute::name(c.plan->method);
    json["steps"] = c.plan->steps;
    json["bytes_by_level"] = c.plan->bytes_by_level;
  }
  if (!c.unplanned.empty())
    json["unplanned"] = c.unplanned;
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
  const auto facts = facts_of(s);
  const spmd::Statistics &statistics = *facts->statistics;
  Json json;
  json["tilewright"] = TW_VERSION;
  json["module"] = p.graph().module_name();
  json["mesh"] = mesh_json(p.mesh());
  json["ops"] = facts->ops;
  json["arguments"] = values_json(facts->arguments);
  json["results"] = values_json(facts->results);
  json["collectives"] = Json::array();
  for (size_t id = 0; id < facts->collectives.size(); ++id)
    json["collectives"].push_back(collective_json(id, facts->collectives[id]));
  json["counts"] = counts_json(statistics.counts);
  json["executed"] = counts_json(statistics.executed);
  if (statistics.uncombined != statistics.counts)
    json["uncombined"] = counts_json(statistics.uncombined);
  if (statistics.unknown_trips)
    json["unknown_trips"] = true;
  json["bytes_received"] = {{"max", statistics.bytes_received_max},
                            {"mean", std::llround(statistics.bytes_received_mean)}};
  json["peak_bytes"] = peak_bytes(s).value_or(-1);

  json["conflicts"] = conflicts_json(*conflicts_of(s));
  json["disagreements"] = conflicts_json(*disagreements_of(s));
  json["expectations"] = expectations_json(*expectations_of(s));
  json["notes"] = notes_of(s);
  json["timing_ms"] = timing_json(s);
  return json;
}

} // namespace tw::report
