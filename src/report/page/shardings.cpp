// SPDX-License-Identifier: Apache-2.0
// How each argument is given and each result is handed out, and why.
#include "partition/explain.hpp"
#include "partition/target.hpp"
#include "report/alike.hpp"
#include "report/page/section.hpp"

namespace tw::report::section_shardings {
namespace {

// Explanations look at the plan, one after the other.
constexpr size_t kExplained = 2000;

Json values_json(const PageOf &of, const std::vector<ValueFacts> &values, partition::Target::Kind kind,
                 Texts &texts) {
  const std::vector<Alike> alike = alike_values(values);
  Json json = {{"name", column(values, [&](const ValueFacts &v) { return texts.id(v.name); })},
               {"type", column(values, [&](const ValueFacts &v) { return texts.id(v.type); })},
               {"sharding", column(values, [&](const ValueFacts &v) { return texts.id(v.sharding); })},
               {"local", column(values, [](const ValueFacts &v) { return v.local.first; })},
               {"bytes", column(values, [](const ValueFacts &v) { return v.bytes; })},
               {"cause", column(values, [&](const ValueFacts &v) { return texts.id(v.cause); })},
               {"alike", alike_json(alike, texts)}};
  // Where devices differ, by row: [[shape, devices], ..].
  json["locals"] = Json::object();
  for (const ValueFacts &v : values)
    for (const auto &[shape, devices] : v.local.distinct)
      json["locals"][std::to_string(v.index)].push_back({shape, devices});
  std::vector<Json> why(of.explainer != nullptr ? values.size() : 0);
  size_t left = kExplained;
  for (const uint32_t i : firsts_first(alike)) {
    if (of.explainer == nullptr || left-- == 0)
      break;
    why[i] = texts.lines(
        of.explainer->explain({kind, values[i].index, of.subject.program->values()[values[i].value].origin}));
  }
  json["why"] = std::move(why);
  return json;
}

Result<Json> facts(const PageOf &of, Texts &texts) {
  const auto facts = facts_of(of.subject);
  return Json{{"arguments", values_json(of, facts->arguments, partition::Target::Kind::argument, texts)},
              {"results", values_json(of, facts->results, partition::Target::Kind::result, texts)}};
}

} // namespace

const Section section = {"shardings", facts};

} // namespace tw::report::section_shardings
