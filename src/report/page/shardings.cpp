// SPDX-License-Identifier: Apache-2.0
// How each argument is given and each result is handed out, and why.
#include <map>
#include <utility>

#include "partition/explain.hpp"
#include "partition/target.hpp"
#include "picture/draw.hpp"
#include "report/alike.hpp"
#include "report/page/section.hpp"

namespace tw::report::section_shardings {
namespace {

// Explanations look at the plan, one after the other.
constexpr size_t kExplained = 2000;

// Of each layout one picture, as long as there are few; by row its text, or -1.
Json pictures(const spmd::Program &program, const std::vector<ValueFacts> &values, spmd::InstrKind kind,
              Texts &texts) {
  constexpr size_t kMostPictures = 64;
  std::vector<int64_t> rows(values.size(), -1);
  std::map<std::pair<std::string, std::string>, int64_t> drawn; // by type and sharding
  for (const spmd::Instr &instr : program.instrs()) {
    if (instr.kind != kind)
      continue;
    const ValueFacts &v = values[instr.index];
    auto at = drawn.find({v.type, v.sharding});
    if (at == drawn.end() && drawn.size() < kMostPictures) {
      const sharding::Distribution layout = program.handed_out(instr);
      const graph::TensorType &type = program.type(v.value);
      const picture::Subject subject{program.mesh(), type.dims, layout, {}, type.dtype};
      at = drawn.emplace(std::pair(v.type, v.sharding), texts.id(picture::sharding_svg(subject))).first;
    }
    if (at != drawn.end())
      rows[instr.index] = at->second;
  }
  return rows;
}

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
  json["picture"] = pictures(
      *of.subject.program, values,
      kind == partition::Target::Kind::argument ? spmd::InstrKind::argument : spmd::InstrKind::result, texts);
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
