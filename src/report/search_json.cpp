// SPDX-License-Identifier: Apache-2.0
// Milliseconds and bytes, as everywhere.
#include "report/search_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace tw::report {

using Json = nlohmann::ordered_json;

Json search_json(const search::Found &found, const graph::Graph &graph, const search::Limits &limits) {
  constexpr double kMs = 1e3;
  Json groups = Json::array(), tried = Json::array();
  for (const search::Group &group : found.groups) {
    Json names = Json::array();
    for (const size_t argument : group.arguments)
      names.push_back(graph.argument_name(argument));
    groups.push_back({{"layers", group.arguments.size()}, {"arguments", std::move(names)}});
  }
  for (const search::Tried &one : found.tried)
    tried.push_back({{"name", one.name},
                     {"cost_ms", cost::in_seconds(one.price.time()) * kMs},
                     {"peak_bytes", one.price.peak},
                     {"fits", one.fits}});
  return {{"status", search::ending_text(found.ending)},
          {"cost_ms", cost::in_seconds(found.price.time()) * kMs},
          {"bound_ms", cost::in_seconds(found.bound) * kMs},
          {"gap", found.gap()},
          {"peak_bytes", std::llround(found.peak_bytes)},
          {"least_peak_bytes", std::llround(found.least_peak_bytes)},
          {"gathers", found.gather_per_use ? "per-use" : "shared"},
          {"episodes", found.episodes},
          {"steps_per_s", found.seconds > 0 ? static_cast<double>(found.steps) / found.seconds : 0},
          {"seconds", found.seconds},
          {"seed", limits.seed},
          {"threads", limits.threads},
          {"groups", std::move(groups)},
          {"actions", found.actions},
          {"cached", found.cached},
          {"seeds_tried", std::move(tried)},
          {"notes", found.notes}};
}

} // namespace tw::report
