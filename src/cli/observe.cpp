// SPDX-License-Identifier: Apache-2.0
// Documents of the library written to files, and the profile as a table.
#include "cli/observe.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"

namespace tw::cli {

using Align = Table::Align;

namespace {

struct Row {
  double ns = 0, flops = 0, bytes = 0;
  int64_t steps = 0;
};

// Per nanosecond of one worker: G a second. What the machine's limits let take longer decides what is told.
std::string rate(const Row &row, const Json &limits, std::string &of_limit) {
  const double fma = limits.at("fma_gflops").at("one").get<double>(),
               copy = limits.at("copy_gbps").at("one").get<double>();
  const bool computes = row.flops / fma > row.bytes / copy;
  const double amount = computes ? row.flops : row.bytes;
  if (amount == 0 || row.ns == 0)
    return of_limit = "";
  of_limit = fmt::format("{:.0f} % of {:.0f}", 100 * amount / row.ns / (computes ? fma : copy),
                         computes ? fma : copy);
  return fmt::format("{:.1f} {}", amount / row.ns, computes ? "GF/s" : "GB/s");
}

} // namespace

int32_t observed(const Options &options) {
  return (options.profile ? TW_OBSERVE_PROFILE : 0) | (options.trace.empty() ? 0 : TW_OBSERVE_TRACE);
}

void write_observations(const tw_executable_t *executable, const Options &options, bool failed) {
  if (!options.flight.empty())
    write_file(options.flight,
               text_of([&](tw_blob_t **out) { return tw_executable_flight(executable, out); }));
  if (!options.trace.empty() && !failed)
    write_file(options.trace, text_of([&](tw_blob_t **out) { return tw_executable_trace(executable, out); }));
}

std::string exchange_of(const tw_executable_t *executable) {
  return Json::parse(text_of([&](tw_blob_t **out) { return tw_executable_flight(executable, out); }))
      .value("exchange", "");
}

Json profile_of(const tw_executable_t *executable) {
  Json json;
  json["limits"] = Json::parse(text_of([](tw_blob_t **out) { return tw_machine_limits(nullptr, out); }));
  json.update(Json::parse(text_of([&](tw_blob_t **out) { return tw_executable_profile(executable, out); })));
  return json;
}

std::string profile_table(const Json &profile, size_t width) {
  std::map<std::pair<std::string, std::string>, Row> kinds;
  Row all;
  for (const auto &step : profile.at("steps"))
    for (Row *row :
         {&kinds[{step.at("name").get<std::string>(), step.at("kernel").get<std::string>()}], &all}) {
      row->ns += step.at("ns").get<double>();
      row->flops += step.at("flops").get<double>();
      row->bytes += step.at("bytes").get<double>();
      ++row->steps;
    }
  std::vector<std::pair<std::string, Row>> rows;
  for (const auto &[name, row] : kinds)
    rows.emplace_back(name.second.empty() ? name.first : name.first + " " + name.second, row);
  std::ranges::stable_sort(rows, [](const auto &a, const auto &b) { return a.second.ns > b.second.ns; });
  rows.emplace_back("all", all);
  const double runs = std::max(profile.at("runs").get<double>(), 1.0);
  Table table({{"step"},
               {"steps", Align::right},
               {"ms a run", Align::right},
               {"share", Align::right},
               {"rate", Align::right},
               {"of limit", Align::right}});
  for (const auto &[name, row] : rows) {
    std::string of_limit;
    const std::string figure = rate(row, profile.at("limits"), of_limit);
    table.add({name, std::to_string(row.steps), fmt::format("{:.3f}", row.ns * 1e-6 / runs),
               fmt::format("{:.1f} %", all.ns > 0 ? 100 * row.ns / all.ns : 0), figure, of_limit});
  }
  return table.text(width);
}

std::string on_host_table(const Json &on_host, size_t width) {
  const auto steps = on_host.at("steps").get<int64_t>();
  std::string text = fmt::format("on the host: {} of {} steps", steps, on_host.at("of").get<int64_t>());
  if (steps == 0)
    return text + "\n";
  text += fmt::format(", {} copied for them in a run\n", bytes_text(on_host.at("bytes").get<int64_t>()));
  Table table({{"step"}, {"steps", Align::right}, {"copied", Align::right}, {"why"}});
  for (const auto &group : on_host.at("groups"))
    table.add({group.at("name").get<std::string>(), std::to_string(group.at("steps").get<int64_t>()),
               bytes_text(group.at("bytes").get<int64_t>()), group.at("reason").get<std::string>()});
  return text + table.text(width);
}

std::string limits_text(const Json &limits) {
  std::string text =
      fmt::format("{} cores, {} workers\n", limits.at("cores").get<int>(), limits.at("workers").get<int>());
  const auto line = [&](const char *what, const char *key, const char *unit) {
    text += fmt::format("{:<24} {:8.1f} {:8.1f} {}\n", what, limits.at(key).at("one").get<double>(),
                        limits.at(key).at("all").get<double>(), unit);
  };
  text += fmt::format("{:<24} {:>8} {:>8}\n", "", "1 worker", "all");
  line("f32 multiply-adds", "fma_gflops", "GF/s");
  line("copy, read and written", "copy_gbps", "GB/s");
  line("read", "read_gbps", "GB/s");
  for (size_t level = 0; level < 3; ++level)
    if (const auto bytes = limits.at("cache_bytes").at(level).get<int64_t>(); bytes > 0)
      text += fmt::format("{:<24} {:>8}\n", fmt::format("cache level {}", level + 1), bytes_text(bytes));
  for (size_t i = 0; i < limits.at("gpus").size(); ++i) {
    const Json &gpu = limits.at("gpus").at(i);
    const auto limit = gpu.at("limit_bytes").get<int64_t>();
    text += fmt::format("{:<24} {:>8} {:8.1f} GB/s, {}, sm_{}, {} free{}\n", fmt::format("GPU {}", i),
                        bytes_text(gpu.at("bytes").get<int64_t>()), gpu.at("gbps").get<double>(),
                        gpu.at("name").get<std::string>(), gpu.at("architecture").get<int>(),
                        bytes_text(gpu.at("free_bytes").get<int64_t>()),
                        limit > 0 ? fmt::format(", at most {} here", bytes_text(limit)) : std::string());
  }
  return text;
}

} // namespace tw::cli
