// SPDX-License-Identifier: Apache-2.0
// The JSON of `tw redistribute --json`, key by key.
#include "report/redistribution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redistribute/lost.hpp"
#include "redistribute/type_text.hpp"

namespace tw::report {

using redistribute::Certificate;
using redistribute::Method;
using Json = nlohmann::ordered_json;

namespace {

bool is_sequence(Method m) { return m == Method::scalar || m == Method::vector; }

Json extremes(int64_t max, double mean) { return {{"max", max}, {"mean", mean}}; }

Json steps_json(const redistribute::Costed &c) {
  Json steps = Json::array();
  const std::vector<redistribute::StepHead> heads = c.plan->steps.heads();
  for (size_t i = 0; i < heads.size(); ++i) {
    const auto &step = heads[i];
    const auto &cost = c.cost.steps[i];
    steps.push_back({{"kind", redistribute::name(step.kind)},
                     {"axes", step.axes},
                     {"group", step.group},
                     {"bytes_received", extremes(cost.received_max, cost.received_mean)},
                     {"peers", cost.peers_max},
                     {"result", made_by(step, *c.plan)}});
  }
  return steps;
}

std::string why(const Certificate::Excluded &e) {
  std::string path;
  for (const auto &shards : e.shards)
    path += fmt::format("{}[{}]", path.empty() ? "" : " -> ", fmt::join(shards, ","));
  return fmt::format("tiles {} for {}: {}", path, e.cost,
                     e.why == Certificate::Excluded::Why::digits
                         ? std::string("devices hold tiles that no step of it exchanges")
                         : fmt::format("after step {} its tiles would be held unequally often", e.step));
}

} // namespace

std::string made_by(const redistribute::StepHead &step, const redistribute::Plan &plan) {
  const redistribute::Problem &problem = *plan.problem;
  if (problem.has_halos())
    return sharding::to_text(problem.dst().sharding, problem.dst().halos, problem.dst().mesh);
  return step.target == plan.target()
             ? redistribute::paper_text(problem.dst().sharding, problem.type().dims, problem.dst().mesh)
             : redistribute::paper_text(plan.buffers[step.target], problem);
}

double gap(const Redistribution &r) {
  return r.bounds.time_us == 0 || r.chosen.cost.received_max == 0 ? 1
                                                                  : r.chosen.cost.time_us / r.bounds.time_us;
}

std::string certificate_text(const redistribute::Costed &costed) {
  const redistribute::Plan &plan = *costed.plan;
  if (!plan.exact)
    return "";
  if (!is_sequence(plan.method))
    return "every device receives exactly the bytes it lacks (B1)";
  if (plan.certificate.excluded.empty())
    return fmt::format("costs {}, the least over all sequences of tile shapes", plan.certificate.weak);
  std::vector<std::string> paths;
  for (const auto &e : plan.certificate.excluded)
    paths.push_back(why(e));
  return fmt::format("all {} cheaper sequences of tile shapes need a permutation: {}", paths.size(),
                     fmt::join(paths, "; "));
}

Json plans_json(const std::vector<redistribute::Costed> &plans) {
  Json json = Json::array();
  for (const auto &[plan, cost] : plans)
    json.push_back({{"method", redistribute::name(plan->method)},
                    {"steps", plan->steps.size()},
                    {"bytes_received", extremes(cost.received_max, cost.received_mean)},
                    {"fig11_cost", plan->fig11_cost},
                    {"height_bytes", cost.height_bytes},
                    {"scratch_bytes", cost.scratch_bytes},
                    {"time_model_us", cost.time_us}});
  return json;
}

Json redistribution_json(const Redistribution &r) {
  const redistribute::Plan &plan = *r.chosen.plan;
  const redistribute::PlanCost &cost = r.chosen.cost;
  Json bounds = {{"B1", extremes(r.bounds.b1_max, r.bounds.b1_mean)}};
  bounds["B2"] = r.bounds.b2;
  bounds["B3"] = r.bounds.b3;
  bounds["fig11_floor"] = r.bounds.fig11_floor;
  Json json = {{"mesh", r.mesh},
               {"src", r.src},
               {"dst", r.dst},
               {"shape", plan.problem->type().dims},
               {"dtype", graph::name(plan.problem->type().dtype)},
               {"method", redistribute::name(plan.method)},
               {"steps", steps_json(r.chosen)},
               {"bytes_received", extremes(cost.received_max, cost.received_mean)},
               {"bounds", std::move(bounds)},
               {"fig11_cost", plan.fig11_cost},
               {"exact", plan.exact},
               {"certificate", certificate_text(r.chosen)},
               {"gap", gap(r)},
               {"height_bytes", cost.height_bytes},
               {"scratch_bytes", cost.scratch_bytes},
               {"time_model_us", cost.time_us},
               {"synthesis_us", r.synthesis_us},
               {"hash", fmt::format("{:016x}", redistribute::hash_value(plan))}};
  if (!plan.problem->lost().empty()) {
    json["lost"] = plan.problem->lost();
    Json missing = Json::array();
    for (const redistribute::Missing &part : redistribute::find_missing(*plan.problem))
      missing.push_back({{"device", plan.problem->device_id(part.device)},
                         {"offset", part.box.offset},
                         {"extent", part.box.extent}});
    json["missing"] = std::move(missing);
  }
  if (!r.topology.groups.empty())
    json["bytes_by_level"] = redistribute::bytes_by_level(plan, r.topology);
  if (!r.others.empty())
    json["alternatives"] = plans_json(r.others);
  if (r.check)
    json["check"] = {{"pass", r.check->pass()},
                     {"failures", r.check->failures},
                     {"send_balance", r.check->send_balance},
                     {"moved", r.check->moved},
                     {"certificate", r.check->certificate}};
  return json;
}

} // namespace tw::report
