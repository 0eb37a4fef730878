// SPDX-License-Identifier: Apache-2.0
// What moves between devices, how much, how long, and why.
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "report/alike.hpp"
#include "report/explain_collective.hpp"
#include "report/page/section.hpp"

namespace tw::report::section_collectives {
namespace {

// Chains look at the plan, one after the other: where there are many, those that are alike share few.
constexpr size_t kExplained = 2000;

Json chains(const PageOf &of, const std::vector<Alike> &alike, size_t collectives, Texts &texts) {
  std::vector<Json> why(collectives);
  size_t left = kExplained;
  for (const uint32_t id : firsts_first(alike)) {
    if (left-- == 0)
      break;
    const auto text = explain_collective(of.subject, id, of.explainer);
    why[id] = texts.lines(text ? *text : text.error().message());
  }
  return why;
}

Result<Json> facts(const PageOf &of, Texts &texts) {
  const auto facts = facts_of(of.subject);
  const spmd::Program &p = *of.subject.program;
  const std::vector<CollectiveFacts> &all = facts->collectives;
  const std::vector<Alike> alike = alike_collectives(all);
  const auto text = [&](auto member) {
    return column(all, [&](const CollectiveFacts &c) { return texts.id(c.*member); });
  };
  Json json = {
      {"kind",
       column(all,
              [&](const CollectiveFacts &c) { return texts.id(std::string(redistribute::name(c.kind))); })},
      {"axes",
       column(all,
              [&](const CollectiveFacts &c) { return texts.id(fmt::format("{}", fmt::join(c.axes, ","))); })},
      {"reduction", column(all,
                           [&](const CollectiveFacts &c) {
                             return texts.id(c.reduction ? std::string(sharding::name(*c.reduction))
                                                         : std::string());
                           })},
      {"type", text(&CollectiveFacts::type)},
      {"local_type", text(&CollectiveFacts::local_type)},
      {"bytes_received", column(all, [](const CollectiveFacts &c) { return c.bytes_received; })},
      {"times", column(all, [](const CollectiveFacts &c) { return c.times; })},
      {"value", text(&CollectiveFacts::value)},
      {"op", text(&CollectiveFacts::op)},
      {"location", text(&CollectiveFacts::location)},
      {"cause", text(&CollectiveFacts::cause)},
      {"instr", column(all, [&](const CollectiveFacts &c) { return p.collectives()[c.index].instr; })},
      {"alike", alike_json(alike, texts)},
      {"why", chains(of, alike, all.size(), texts)}};
  json["plan"] = Json::object(); // of those that are planned for levels
  for (size_t id = 0; id < all.size(); ++id)
    if (all[id].plan)
      json["plan"][std::to_string(id)] = {{"method", redistribute::name(all[id].plan->method)},
                                          {"steps", all[id].plan->steps},
                                          {"bytes_by_level", all[id].plan->bytes_by_level}};
  json["values"] = Json::object(); // of those that move several
  for (size_t id = 0; id < all.size(); ++id)
    if (all[id].values.size() > 1)
      json["values"][std::to_string(id)] =
          column(all[id].values, [&](const std::string &name) { return texts.id(name); });
  if (of.estimated) {
    json["seconds"] = Json::array();
    for (const uint32_t step : of.estimated->facts.step_of)
      json["seconds"].push_back(step == graph::kNone ? Json()
                                                     : Json(of.estimated->estimate.steps[step].seconds));
  }
  return json;
}

} // namespace

const Section section = {"collectives", facts};

} // namespace tw::report::section_collectives
