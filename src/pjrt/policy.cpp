// SPDX-License-Identifier: Apache-2.0
// A search begins with the plan of what is stated and propagated, and decides the rest.
#include "pjrt/policy.hpp"

#include <nlohmann/json.hpp>

#include "pjrt/answer.hpp"

namespace tw::pjrt {

namespace {

using SearchHandle = std::unique_ptr<tw_search_t, Releaser<tw_search_release>>;
using SystemHandle = std::unique_ptr<tw_system_t, Releaser<tw_system_release>>;

constexpr std::string_view kSearch = "search", kOn = " on ";

// The system on which a search is asked for; empty: none is asked for.
std::string searched_system(std::string_view policy) {
  if (policy == kSearch)
    return "cpu-local";
  if (policy.starts_with(kSearch) && policy.substr(kSearch.size()).starts_with(kOn))
    return std::string(policy.substr(kSearch.size() + kOn.size()));
  return {};
}

PlanHandle searched(const PlanHandle &plan, const std::string &system_name, tw_lower_options_t &lower) {
  const auto system =
      make<SystemHandle>([&](tw_system_t **out) { return tw_system_load(system_name.c_str(), out); });
  const auto search = make<SearchHandle>(
      [&](tw_search_t **out) { return tw_search_create(plan.get(), system.get(), nullptr, out); });
  check(tw_search_run(search.get()));
  const auto told =
      nlohmann::json::parse(text_of([&](tw_blob_t **out) { return tw_search_json(search.get(), out); }));
  lower.gather_per_use = told.value("gathers", "") == "per-use";
  return make<PlanHandle>([&](tw_plan_t **out) { return tw_search_plan(search.get(), out); });
}

} // namespace

ProgramHandle lower_by(const std::string &policy, const tw_graph_t *graph, const tw_mesh_t *mesh,
                       const std::string &spec) {
  const std::string system = searched_system(policy);
  const std::string of_plan = system.empty() ? policy : "cheapest on " + system;
  tw_plan_options_t how{};
  how.struct_size = sizeof how;
  how.policy = of_plan.c_str();
  auto plan = make<PlanHandle>([&](tw_plan_t **out) { return tw_plan_create(graph, mesh, &how, out); });
  if (!spec.empty())
    check(tw_plan_apply(plan.get(), spec.data(), spec.size(), "program"));
  tw_lower_options_t lower{};
  lower.struct_size = sizeof lower;
  if (!system.empty())
    plan = searched(plan, system, lower);
  return make<ProgramHandle>([&](tw_program_t **out) { return tw_program_lower(plan.get(), &lower, out); });
}

} // namespace tw::pjrt
