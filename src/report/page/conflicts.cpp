// SPDX-License-Identifier: Apache-2.0
// What propagation left open, and where decided neighbours disagree, with what each way would move.
#include "report/conflicts.hpp"
#include "report/page/section.hpp"

namespace tw::report::section_conflicts {
namespace {

Json reports_json(const std::vector<ConflictReport> &reports, Texts &texts) {
  const auto number = [](const std::optional<int64_t> &n) { return n ? Json(*n) : Json(); };
  return {{"kind",
           column(reports, [&](const auto &c) { return texts.id(std::string(partition::name(c.kind))); })},
          {"axis", column(reports, [&](const auto &c) { return texts.id(c.axis); })},
          {"value", column(reports, [&](const auto &c) { return texts.id(c.value); })},
          {"op", column(reports, [&](const auto &c) { return texts.id(c.op); })},
          {"location", column(reports, [&](const auto &c) { return texts.id(c.location); })},
          {"moves", column(reports, [](const auto &c) { return c.moves ? 1 : 0; })},
          // [factor, source, bytes, more, counted]
          {"ways", column(reports, [&](const auto &c) {
             return column(c.candidates, [&](const Resolution &way) {
               return Json::array({texts.id(way.factor), texts.id(way.source), number(way.bytes),
                                   number(way.more), way.counted ? 1 : 0});
             });
           })}};
}

Result<Json> facts(const PageOf &of, Texts &texts) {
  return Json{{"conflicts", reports_json(*conflicts_of(of.subject), texts)},
              {"disagreements", reports_json(*disagreements_of(of.subject), texts)}};
}

} // namespace

const Section section = {"conflicts", facts};

} // namespace tw::report::section_conflicts
