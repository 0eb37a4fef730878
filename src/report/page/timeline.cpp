// SPDX-License-Identifier: Apache-2.0
// When each step runs: foreseen on a machine, and as it was measured where a trace is given.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/page/section.hpp"

namespace tw::report::section_timeline {
namespace {

constexpr size_t kMostEvents = 100'000; // of a measured run

Json simulated(const Estimated &of, Texts &texts) {
  const std::vector<cost::StepTime> &steps = of.estimate.steps;
  const auto of_links = [&](auto cost::LinkTime::*field) {
    return column(of.estimate.on_links, [field](const cost::LinkTime &time) { return time.*field; });
  };
  return {{"system", of.system},
          {"overlapped_s", of.estimate.overlapped_s},
          {"links", column(of.estimate.links, [&](const std::string &name) { return texts.id(name); })},
          {"used",
           {{"step", of_links(&cost::LinkTime::step)},
            {"link", of_links(&cost::LinkTime::link)},
            {"begin_s", of_links(&cost::LinkTime::begin_s)},
            {"lasts_s", of_links(&cost::LinkTime::lasts_s)}}},
          {"what", column(of.facts.steps, [&](const auto &step) { return texts.id(step.what); })},
          {"collective", column(of.facts.steps,
                                [](const auto &step) {
                                  return step.collective == graph::kNone ? Json(-1) : Json(step.collective);
                                })},
          {"instr",
           column(steps,
                  [](const auto &step) { return step.instr == graph::kNone ? Json(-1) : Json(step.instr); })},
          {"bound", column(steps, [&](const auto &step) { return texts.id(bound_of(step)); })},
          {"begin_s", column(steps, [](const auto &step) { return step.begin_s; })},
          {"lasts_s", column(steps, [](const auto &step) { return step.lasts_s; })},
          {"seconds", column(steps, [](const auto &step) { return step.seconds; })},
          {"times", column(steps, [](const auto &step) { return step.times; })},
          {"flops", column(steps, [](const auto &step) { return step.flops; })},
          {"bytes", column(steps, [](const auto &step) { return step.bytes; })}};
}

// The rows and slices of a trace, as `tw run --trace` writes it.
Result<Json> measured(std::string_view text, Texts &texts) {
  const Json trace = Json::parse(text, nullptr, false);
  const auto wrong = [](std::string what) -> Result<Json> {
    return fail(Code::invalid_argument, "TW-793",
                fmt::format("this is no trace of a run: {}; tw run --trace FILE writes one", what));
  };
  if (trace.is_discarded() || !trace.is_object() || !trace.contains("traceEvents") ||
      !trace["traceEvents"].is_array())
    return wrong("it is no JSON object with an array traceEvents");
  struct Slice {
    size_t row;
    double begin, lasts;
    uint32_t what;
  };
  std::map<std::pair<int64_t, int64_t>, size_t> rows;
  std::map<size_t, std::string> names;
  std::map<int64_t, std::string> processes;
  std::vector<Slice> slices;
  const auto row_of = [&](const Json &event) {
    const std::pair<int64_t, int64_t> key{event.value("pid", int64_t{0}), event.value("tid", int64_t{0})};
    return rows.try_emplace(key, rows.size()).first->second;
  };
  size_t left_out = 0;
  try {
    for (const Json &event : trace["traceEvents"]) {
      const std::string phase = event.value("ph", "");
      if (phase == "M" && event.value("name", "") == "thread_name")
        names[row_of(event)] = event.at("args").value("name", "");
      else if (phase == "X" && slices.size() < kMostEvents)
        slices.push_back({row_of(event), event.value("ts", 0.0) * 1e-6, event.value("dur", 0.0) * 1e-6,
                          texts.id(event.value("name", ""))});
      else
        left_out += phase == "X" ? 1 : 0;
    }
  } catch (const Json::exception &e) {
    return wrong(e.what());
  }
  std::ranges::stable_sort(slices, {}, &Slice::begin);
  const double begin = slices.empty() ? 0 : slices.front().begin;
  Json row_names = Json::array();
  for (size_t row = 0; row < rows.size(); ++row)
    row_names.push_back(texts.id(names.contains(row) ? names[row] : fmt::format("row {}", row)));
  return Json{{"rows", std::move(row_names)},
              {"left_out", left_out},
              {"row", column(slices, [](const Slice &s) { return s.row; })},
              {"what", column(slices, [](const Slice &s) { return s.what; })},
              {"begin_s", column(slices, [&](const Slice &s) { return s.begin - begin; })},
              {"lasts_s", column(slices, [](const Slice &s) { return s.lasts; })}};
}

Result<Json> facts(const PageOf &of, Texts &texts) {
  Json json = {{"simulated", of.estimated ? simulated(*of.estimated, texts) : Json()}, {"measured", Json()}};
  if (!of.trace.empty()) {
    TW_ASSIGN(json["measured"], measured(of.trace, texts));
  }
  return json;
}

} // namespace

const Section section = {"timeline", facts};

} // namespace tw::report::section_timeline
