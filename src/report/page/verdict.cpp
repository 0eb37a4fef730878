// SPDX-License-Identifier: Apache-2.0
// The answer: does it fit, how long does it take, what does it move, what costs most and what to do about it.
#include <algorithm>
#include <cmath>

#include "report/costs.hpp"
#include "report/notes.hpp"
#include "report/page/section.hpp"
#include "report/program_json.hpp"

namespace tw::report::section_verdict {
namespace {

Json costs_json(const PageOf &of) {
  constexpr size_t kShown = 3;
  std::vector<Cost> costs = costs_of(of.subject, of.estimated);
  costs.resize(std::min(costs.size(), kShown));
  return column(costs, [](const Cost &c) {
    return Json{{"weight", std::min(c.weight, 1.0)},
                {"what", c.what},
                {"why", c.why},
                {"todo", c.todo},
                {"section", c.section}};
  });
}

Result<Json> facts(const PageOf &of, Texts &) {
  const auto facts = facts_of(of.subject);
  const spmd::Program &p = *of.subject.program;
  const spmd::Statistics &statistics = *facts->statistics;
  TW_ASSIGN(const int64_t peak, peak_bytes(of.subject));
  Json json = {
      {"tilewright", TW_VERSION},
      {"title", facts->title},
      {"module", p.graph().module_name()},
      {"file", p.graph().file()},
      {"mesh", mesh_json(p.mesh())},
      {"mesh_text", p.mesh().text()},
      {"ops", facts->ops},
      {"counts", counts_json(statistics.counts)},
      {"executed", counts_json(statistics.executed)},
      {"unknown_trips", statistics.unknown_trips},
      {"bytes_received",
       {{"max", statistics.bytes_received_max}, {"mean", std::llround(statistics.bytes_received_mean)}}},
      {"peak_bytes", peak},
      {"expectations", expectations_json(*expectations_of(of.subject))},
      {"notes", notes_of(of.subject)},
      {"timing_ms", timing_json(of.subject)}};
  json["estimate"] = of.estimated ? estimate_json(*of.estimated) : Json();
  json["costs"] = costs_json(of);
  return json;
}

} // namespace

const Section section = {"verdict", facts};

} // namespace tw::report::section_verdict
