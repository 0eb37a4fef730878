// SPDX-License-Identifier: Apache-2.0
// By the numbers that actions and subjects have.
#include "report/environment_json.hpp"

#include <nlohmann/json.hpp>

namespace tw::report {

using Json = nlohmann::ordered_json;
using search::Decision;
using search::Environment;
using search::Observation;
using search::Purpose;
using search::Space;

namespace {

Json action_json(const Environment &environment, const Decision &decision) {
  const std::string axis(environment.space().plan->mesh().axis(decision.axis).name);
  switch (decision.kind) {
  case Decision::Kind::tile:
  case Decision::Kind::value: break;
  case Decision::Kind::state: return {{"kind", "state"}, {"axis", axis}};
  case Decision::Kind::storage: return {{"kind", "storage"}, {"axis", axis}};
  case Decision::Kind::borders: return {{"kind", "borders"}, {"axis", axis}};
  }
  return {{"kind", "tile"},
          {"subject", environment.observation().subject_of(decision)},
          {"dim", decision.dim},
          {"axis", axis}};
}

const char *text(Purpose purpose) {
  switch (purpose) {
  case Purpose::weight: return "weight";
  case Purpose::state: return "state";
  case Purpose::other: break;
  }
  return "argument";
}

Json subject_json(const Space &space, const Observation::Subject &subject, const graph::Graph &graph) {
  const std::string type = graph::to_short_text(space.few.graph->type_at(subject.type));
  if (subject.of_value)
    return {{"kind", "value"},
            {"layers", 1},
            {"value", graph.value_name(space.values[subject.index].program)},
            {"type", type}};
  const search::Group &group = space.groups[subject.index];
  Json arguments = Json::array();
  for (const size_t argument : group.arguments)
    arguments.push_back(graph.argument_name(argument));
  return {{"kind", text(group.purpose)},
          {"layers", group.arguments.size()},
          {"arguments", std::move(arguments)},
          {"type", type}};
}

} // namespace

Result<Json> environment_json(const Environment &environment, const graph::Graph &graph) {
  const Space &space = environment.space();
  const Observation &observation = environment.observation();
  Json actions = Json::array(), subjects = Json::array();
  for (const Decision &decision : space.decisions)
    actions.push_back(action_json(environment, decision));
  actions.push_back({{"kind", "stop"}});
  for (const Observation::Subject &subject : observation.subjects())
    subjects.push_back(subject_json(space, subject, graph));
  TW_ASSIGN(const Environment::Conflicts conflicts, environment.conflicts());
  return Json{
      {"cap_bytes", environment.cap_bytes()},
      {"actions", std::move(actions)},
      {"subjects", std::move(subjects)},
      {"features", {{"plan", observation.names_of_plan()}, {"subject", observation.names_of_subject()}}},
      {"conflicts", {{"offsets", conflicts.offsets}, {"actions", conflicts.actions}}}};
}

} // namespace tw::report
