// SPDX-License-Identifier: Apache-2.0
// Records of the runtime put into words.
#include "report/flight.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tw::report {

namespace {

using Json = nlohmann::ordered_json;
using runtime::Executable;
using runtime::Executor;
using runtime::FlightRecord;

const char *word(FlightRecord::Kind kind) {
  switch (kind) {
  case FlightRecord::Kind::arrived: return "arrived";
  case FlightRecord::Kind::combined: return "combined";
  case FlightRecord::Kind::finished: return "finished";
  case FlightRecord::Kind::stopped: return "stopped";
  }
  return "";
}

// Microseconds to a thousandth.
struct Times {
  int64_t begin;
  double ns_per_tick;
  double span(int64_t ticks) const { return std::round(static_cast<double>(ticks) * ns_per_tick) / 1000; }
  double us(int64_t ticks) const { return span(ticks - begin); }
};

Times times_of(const Executor &executor) {
  return {executor.scale().begin(), executor.scale().nanoseconds_per_tick()};
}

Json steps_of(const Executable &executable) {
  Json steps = Json::array();
  for (uint32_t s = 0; s < executable.num_steps(); ++s)
    steps.push_back(
        {{"step", s}, {"name", executable.step_name(s)}, {"bytes", executable.executor().steps()[s].bytes}});
  return steps;
}

// Where there are other processes.
Json with_exchange(Json json, const Executable &executable) {
  if (!executable.exchange().empty())
    json["exchange"] = executable.exchange();
  return json;
}

} // namespace

std::string flight_json(const Executable &executable) {
  const Executor &executor = executable.executor();
  const Times times = times_of(executor);
  Json devices = Json::array();
  for (const sharding::Position position : executable.local_positions()) {
    const auto [step, waits] = executor.whereabouts(position);
    Json records = Json::array();
    for (const FlightRecord &r : executor.flight().records(position))
      records.push_back({{"us", times.us(r.begin)},
                         {"for_us", times.span(r.end - r.begin)},
                         {"did", word(r.kind)},
                         {"first", r.first},
                         {"last", r.last},
                         {"worker", r.worker}});
    const bool finished = step == executable.num_steps();
    devices.push_back({{"device", executable.device_name(position)},
                       {"at", finished ? Json() : Json(step)},
                       {"state", finished ? "finished"
                                 : waits  ? "waits"
                                          : "stopped"},
                       {"records", std::move(records)}});
  }
  Json json{{"steps", steps_of(executable)}, {"devices", std::move(devices)}};
  return with_exchange(std::move(json), executable).dump() + "\n";
}

namespace {

constexpr int kDevices = 1, kWorkers = 2; // "processes" of the trace

// All parts of one step on one device, or of one collective, that lie next to each other in time.
struct Slice {
  int64_t place; // a position; of a collective its group
  uint32_t step;
  bool collective;
  int64_t begin, end;
};

} // namespace

std::string trace_json(const Executable &executable) {
  const Executor &executor = executable.executor();
  const sharding::Mesh &mesh = executable.program().mesh();
  const Times times = times_of(executor);
  std::vector<std::string> names;
  for (uint32_t s = 0; s < executable.num_steps(); ++s)
    names.push_back(executable.step_name(s));

  Json events = Json::array();
  events.push_back(named(kDevices, 0, "process_name", "devices"));
  const bool has_workers = executable.device().as_queues() == nullptr; // else devices work by themselves
  if (has_workers)
    events.push_back(named(kWorkers, 0, "process_name", "workers"));
  for (const sharding::Position position : executable.local_positions())
    events.push_back(
        named(kDevices, mesh.device_of(position).index(), "thread_name", executable.device_name(position)));
  const auto event = [&](int process, int64_t thread, uint32_t step, int64_t begin, int64_t end) {
    events.push_back(slice(process, thread, names[step], times.us(begin), times.span(end - begin),
                           {{"step", step}, {"bytes", executor.steps()[step].bytes}}));
  };
  std::vector<Executor::TraceRecord> all;
  for (unsigned w = 0; w < executor.workers(); ++w) {
    if (has_workers)
      events.push_back(named(kWorkers, w, "thread_name", fmt::format("worker {}", w)));
    for (const auto &r : executor.traced(w)) {
      if (has_workers)
        event(kWorkers, w, r.step, r.begin, r.end);
      all.push_back(r);
    }
  }

  // A device, or a group, does one thing at a time, so what touches in time is one.
  std::ranges::sort(all, {}, [](const auto &r) {
    return std::tuple(r.collective, r.place, r.collective ? r.step : 0, r.begin);
  });
  std::vector<Slice> slices;
  for (const auto &r : all)
    if (!slices.empty() && slices.back().place == r.place && slices.back().step == r.step &&
        slices.back().collective == r.collective && r.begin <= slices.back().end)
      slices.back().end = std::max(slices.back().end, r.end);
    else
      slices.push_back({r.place, r.step, r.collective, r.begin, r.end});
  for (const Slice &s : slices) {
    const runtime::BoundStep &step = executor.steps()[s.step];
    if (!s.collective)
      event(kDevices, mesh.device_of(sharding::Position(s.place)).index(), s.step, s.begin, s.end);
    else
      for (const sharding::Position m : step.collective->members(static_cast<size_t>(s.place)))
        event(kDevices, mesh.device_of(step.members[static_cast<size_t>(m)]).index(), s.step, s.begin, s.end);
  }
  return trace_text({{"complete", !executor.trace_is_full()}}, std::move(events));
}

std::string profile_json(const Executable &executable) {
  Json steps = Json::array();
  for (const runtime::StepProfile &p : executable.profile())
    steps.push_back({{"step", steps.size()},
                     {"name", p.kind},
                     {"kernel", p.kernel},
                     {"shape", p.shape},
                     {"location", p.location},
                     {"ops", p.ops},
                     {"calls", p.calls},
                     {"ns", p.nanoseconds},
                     {"flops", p.flops},
                     {"bytes", p.bytes}});
  Json json{{"runs", executable.counters().runs}, {"steps", std::move(steps)}};
  return with_exchange(std::move(json), executable).dump() + "\n";
}

std::string on_host_json(const Executable &executable) {
  Json groups = Json::array();
  int64_t steps = 0, bytes = 0;
  for (const runtime::OnHost &h : executable.on_host()) {
    groups.push_back({{"name", h.kind}, {"steps", h.steps}, {"bytes", h.bytes}, {"reason", h.reason}});
    steps += h.steps;
    bytes += h.bytes;
  }
  return Json{{"steps", steps},
              {"of", executable.num_steps()},
              {"bytes", bytes},
              {"groups", std::move(groups)}}
             .dump() +
         "\n";
}

} // namespace tw::report
