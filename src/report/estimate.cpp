// SPDX-License-Identifier: Apache-2.0
// Writes an estimate as JSON and as tables.
#include "report/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "graph/shown_name.hpp"
#include "ops/registry.hpp"
#include "report/describe.hpp"
#include "report/facts.hpp"
#include "report/trace_events.hpp"
#include "report/whole_values.hpp"

namespace tw::report {
namespace {

using cost::Estimate;
using cost::StepTime;
using Align = Table::Align;
using Json = nlohmann::ordered_json;

constexpr size_t kShown = 10;

// "dot_general", "add and 7 more", "all_reduce over model".
std::string what_of(const spmd::Program &p, const StepTime &step) {
  if (step.instr == graph::kNone)
    return "copy";
  const spmd::Instr &in = p.instrs()[step.instr];
  if (in.kind == spmd::InstrKind::collective) {
    const spmd::Collective &c = p.collectives()[in.index];
    std::string axes;
    for (const sharding::AxisId axis : c.summary.axes)
      axes += (axes.empty() ? " over " : ",") + std::string(p.mesh().axis(axis).name);
    return std::string(redistribute::name(c.summary.kind)) + axes;
  }
  if (in.op == graph::kNone)
    return "copy";
  const std::string first(ops::short_name(op_name(p.graph(), in.op)));
  return step.ops == 1 ? first : fmt::format("{} and {} more", first, step.ops - 1);
}

std::vector<EstimateFacts::Dear> dearest(const Estimate &estimate, const EstimateFacts &facts) {
  std::map<std::tuple<std::string_view, double, double, double>, EstimateFacts::Dear> rows;
  for (size_t i = 0; i < estimate.steps.size(); ++i) {
    const StepTime &step = estimate.steps[i];
    rows.try_emplace({facts.steps[i].what, step.seconds, step.flops, step.bytes}, EstimateFacts::Dear{i, 0})
        .first->second.times += step.times;
  }
  std::vector<EstimateFacts::Dear> sorted;
  for (const auto &[key, row] : rows)
    sorted.push_back(row);
  std::ranges::stable_sort(sorted, std::greater(), [&](const EstimateFacts::Dear &row) {
    const StepTime &first = estimate.steps[row.first];
    return std::tuple(first.seconds * static_cast<double>(row.times), -static_cast<double>(first.instr));
  });
  sorted.resize(std::min(sorted.size(), kShown));
  return sorted;
}

// The last lines: how long, and whether it fits.
std::string estimate_answer(const Estimated &of) {
  const Estimate &e = of.estimate;
  const sharding::Mesh &mesh = of.subject.program->mesh();
  const auto part = [&](double seconds) {
    return fmt::format("{:>8}  {:3.0f} %", time_text(seconds),
                       e.serial_s > 0 ? 100 * seconds / e.serial_s : 0);
  };
  std::string axes;
  for (size_t a = 0; a < e.by_axis_s.size(); ++a)
    if (e.by_axis_s[a] > 0)
      axes += fmt::format("{}{} {}", axes.empty() ? "  " : ", ",
                          mesh.axis(static_cast<sharding::AxisId>(a)).name, time_text(e.by_axis_s[a]));
  const Origin &at = of.facts.peak;
  return fmt::format(
      "time        {} ({} with nothing beside each other)\n  compute        {}\n  memory         {}\n"
      "  communication  {}{}\nmemory      {} of {}: {}; most is held at {}{}\n",
      time_text(e.overlapped_s), time_text(e.serial_s), part(e.compute_s), part(e.memory_s),
      part(e.communication_s), axes, bytes_text(e.peak_bytes), bytes_text(e.cap_bytes),
      e.fits() ? "fits" : "DOES NOT FIT", at.value, at.location.empty() ? "" : " (" + at.location + ")");
}

double ms(double seconds) { return seconds * 1e3; }

// Devices that a trace has one row for.
struct DeviceTrack {
  std::string name;
  const std::vector<float> *part_of_most; // of the time of each step; null: all of it
};

// Each device has a row; where these are many, those of each kind share one.
std::vector<DeviceTrack> device_tracks(const Estimated &of) {
  constexpr size_t kMostRows = 64, kMostSlices = 200'000;
  const Estimate &e = of.estimate;
  const auto parts = [&](uint32_t kind) { return &e.part_of_most[kind]; };
  std::vector<DeviceTrack> tracks;
  const auto num_devices = static_cast<size_t>(of.subject.program->mesh().num_devices());
  if (e.kind_of.empty())
    return {{fmt::format("{} devices, what the slowest does", num_devices), nullptr}};
  if (num_devices <= kMostRows && num_devices * e.steps.size() <= kMostSlices) {
    for (size_t d = 0; d < num_devices; ++d)
      tracks.push_back({fmt::format("device {}", d), parts(e.kind_of[d])});
    return tracks;
  }
  std::vector<std::pair<size_t, size_t>> kinds(e.part_of_most.size(), {0, 0}); // first device, how many
  for (size_t d = 0; d < num_devices; ++d)
    if (auto &[first, count] = kinds[e.kind_of[d]]; count++ == 0)
      first = d;
  for (uint32_t kind = 0; kind < kinds.size(); ++kind)
    tracks.push_back({kinds[kind].second == 1
                          ? fmt::format("device {}", kinds[kind].first)
                          : fmt::format("device {} and {} alike", kinds[kind].first, kinds[kind].second - 1),
                      parts(kind)});
  return tracks;
}

} // namespace

Origin origin_of(const spmd::Program &p, uint32_t instr) {
  if (instr == graph::kNone)
    return {};
  const spmd::Instr &in = p.instrs()[instr];
  const spmd::ValueRef v = in.num_results > 0    ? in.first_result
                           : in.num_operands > 0 ? p.operands(in)[0]
                                                 : graph::kNone;
  return {v == graph::kNone ? std::string() : graph::shown_name(p.graph(), p.values()[v].origin),
          in.op == graph::kNone ? std::string() : p.graph().location_text(in.op)};
}

const char *bound_of(const StepTime &step) {
  return step.moves ? "link" : step.by_memory ? "memory" : "compute";
}

EstimateFacts estimate_facts(const Subject &s, const Estimate &e) {
  const spmd::Program &p = *s.program;
  const auto program = facts_of(s);
  EstimateFacts facts;
  facts.step_of.assign(program->collectives.size(), graph::kNone);
  for (const StepTime &step : e.steps) {
    const uint32_t collective = step.moves ? program->collective_of[step.instr] : graph::kNone;
    if (collective != graph::kNone)
      facts.step_of[collective] = static_cast<uint32_t>(facts.steps.size());
    facts.steps.push_back({what_of(p, step), origin_of(p, step.instr), collective});
  }
  for (const cost::HeldValue &held : e.held)
    facts.held.push_back(graph::shown_name(p.graph(), p.values()[held.value].origin));
  const uint32_t at = e.places[e.peak_place].instr;
  facts.peak = at == graph::kNone ? Origin{"the arguments", ""} : origin_of(p, at);
  facts.dearest = dearest(e, facts);
  facts.notes = e.notes;
  std::ranges::move(whole_values(s, e), std::back_inserter(facts.notes));
  return facts;
}

Json estimate_json(const Estimated &of) {
  const Estimate &e = of.estimate;
  const sharding::Mesh &mesh = of.subject.program->mesh();
  Json json = {{"system", of.system},
               {"fits", e.fits()},
               {"peak_bytes", std::llround(e.peak_bytes)},
               {"cap_bytes", std::llround(e.cap_bytes)},
               {"time_ms", {{"serial", ms(e.serial_s)}, {"overlapped", ms(e.overlapped_s)}}},
               {"compute_ms", ms(e.compute_s)},
               {"memory_bound_ms", ms(e.memory_s)},
               {"communication_ms", ms(e.communication_s)}};
  json["by_axis_ms"] = Json::object();
  for (size_t a = 0; a < e.by_axis_s.size(); ++a)
    json["by_axis_ms"][std::string(mesh.axis(static_cast<sharding::AxisId>(a)).name)] = ms(e.by_axis_s[a]);
  json["peak"] = {{"at", of.facts.peak.value}, {"location", of.facts.peak.location}};
  json["peak"]["top"] = Json::array();
  for (size_t i = 0; i < std::min(kShown, e.held.size()); ++i)
    json["peak"]["top"].push_back(
        {{"value", of.facts.held[i]}, {"bytes", e.held[i].bytes}, {"what", cost::name(e.held[i].role)}});
  json["steps"] = Json::array();
  for (const auto &[first, times] : of.facts.dearest) {
    const StepTime &step = e.steps[first];
    const Origin &place = of.facts.steps[first].at;
    json["steps"].push_back({{"what", of.facts.steps[first].what},
                             {"ms", ms(step.seconds)},
                             {"times", times},
                             {"bound", bound_of(step)},
                             {"flops", step.flops},
                             {"bytes", step.bytes},
                             {"value", place.value},
                             {"location", place.location}});
  }
  json["notes"] = of.facts.notes;
  return json;
}

std::string estimate_table(const Estimated &of, size_t width) {
  const Estimate &e = of.estimate;
  const spmd::Program &p = *of.subject.program;
  std::string text = fmt::format("estimate on {}\n\nlargest arrays where most is held\n", of.system);
  Table held(
      {{"bytes", Align::right}, {"what"}, {"value", Align::left, 12, true}, {"type", Align::left, 12}});
  for (size_t i = 0; i < std::min(kShown, e.held.size()); ++i) {
    const spmd::ValueRef v = e.held[i].value;
    held.add({bytes_text(e.held[i].bytes), std::string(cost::name(e.held[i].role)), of.facts.held[i],
              graph::to_short_text(p.type(v))});
  }
  text += held.text(width) + "\nsteps that take longest\n";
  Table steps({{"time", Align::right},
               {"times", Align::right},
               {"each", Align::right},
               {"step", Align::left, 12},
               {"bound by"},
               {"first at", Align::left, 12, true}});
  for (const auto &[first, times] : of.facts.dearest) {
    const StepTime &step = e.steps[first];
    const Origin &place = of.facts.steps[first].at;
    steps.add({time_text(step.seconds * static_cast<double>(times)), std::to_string(times),
               time_text(step.seconds), of.facts.steps[first].what, bound_of(step),
               place.location.empty() ? place.value : brief(place.location)});
  }
  text += steps.text(width) + "\n";
  for (const std::string &note : of.facts.notes)
    text += fmt::format("note        {}\n", note);
  return text + estimate_answer(of);
}

std::string estimate_trace(const Estimated &of) {
  const Estimate &e = of.estimate;
  constexpr int kDevices = 1, kLinks = 2; // processes
  const std::vector<DeviceTrack> devices = device_tracks(of);
  Json events = {named(kDevices, 0, "process_name", "devices of " + of.system)};
  for (size_t d = 0; d < devices.size(); ++d)
    events.push_back(named(kDevices, static_cast<int64_t>(d), "thread_name", devices[d].name));
  if (!e.links.empty())
    events.push_back(named(kLinks, 0, "process_name", "links between them"));
  for (size_t l = 0; l < e.links.size(); ++l)
    events.push_back(named(kLinks, static_cast<int64_t>(l), "thread_name", e.links[l]));
  const auto add = [&](int process, size_t row, size_t at, double begin_s, double lasts_s) {
    const StepTime &step = e.steps[at];
    const EstimateFacts::Step &facts = of.facts.steps[at];
    if (step.times == 0)
      return; // in a loop without turns
    events.push_back(slice(process, static_cast<int64_t>(row), facts.what, begin_s * 1e6, lasts_s * 1e6,
                           {{"step", at},
                            {"value", facts.at.value},
                            {"location", facts.at.location},
                            {"bound", bound_of(step)},
                            {"times", step.times},
                            {"flops", step.flops},
                            {"bytes", step.bytes}}));
  };
  for (size_t i = 0; i < e.steps.size(); ++i)
    for (size_t d = 0; d < devices.size() && !e.steps[i].moves; ++d)
      add(kDevices, d, i, e.steps[i].begin_s,
          e.steps[i].lasts_s * (devices[d].part_of_most == nullptr ? 1 : (*devices[d].part_of_most)[i]));
  for (const cost::LinkTime &time : e.on_links)
    add(kLinks, time.link, time.step, time.begin_s, time.lasts_s);
  double at = 0; // a jump takes none
  for (const cost::MemoryPlace &place : e.places) {
    if (place.step != graph::kNone)
      at = e.steps[place.step].begin_s;
    if (&place == &e.places.back())
      at = e.overlapped_s;
    events.push_back(counter(kDevices, "memory", at * 1e6, {{"bytes", place.bytes}}));
  }
  return trace_text({{"system", of.system}, {"simulated", true}, {"ms", ms(e.overlapped_s)}},
                    std::move(events));
}

} // namespace tw::report
