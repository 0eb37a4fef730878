// SPDX-License-Identifier: Apache-2.0
// tw_redistribute.h: plans and their reports.
#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "redistribute/check.hpp"
#include "redistribute/plan_bytes.hpp"
#include "redistribute/plan_cache.hpp"
#include "redistribute/stated_steps.hpp"
#include "redistribute/type_text.hpp"
#include "report/redistribution.hpp"
#include "sharding/parts.hpp"

using namespace tw;
using namespace tw::capi;
namespace rd = tw::redistribute;

namespace {

using Options = tw_redistribution_options_t;

constexpr size_t kCachedPlans = 512;

Result<rd::PlanOptions> options_of(const Options &given, const rd::Problem &problem) {
  rd::PlanOptions options;
  if (given.method != nullptr) {
    TW_ASSIGN(options.method, rd::parse_method(given.method));
  }
  if (given.levels != nullptr && *given.levels != '\0') {
    TW_ASSIGN(options.topology, rd::Topology::parse(given.levels, problem.device_ids()));
  }
  if (given.scratch_bytes != 0)
    options.scratch_bytes = std::max<int64_t>(given.scratch_bytes, 0);
  if (given.height_bytes < 0)
    return fail(Code::invalid_argument, "TW-524", fmt::format("height_bytes is {}", given.height_bytes));
  if (given.height_bytes > 0)
    options.height_bytes = given.height_bytes;
  if (given.num_links != 0) {
    TW_TRY(require(given.links, "links"));
    options.model.links.clear();
    for (size_t i = 0; i < given.num_links; ++i) {
      const tw_link_t &link = given.links[i];
      TW_TRY(check_reserved(link.reserved, "links", i));
      if (!(link.alpha_us >= 0) || !(link.message_us >= 0) || !(link.gb_per_s > 0))
        return fail(
            Code::invalid_argument, "TW-722",
            fmt::format("links[{}]: alpha_us is {} and message_us {}, which must be at least 0; gb_per_s "
                        "is {} and must be above 0",
                        i, link.alpha_us, link.message_us, link.gb_per_s));
      options.model.links.push_back({link.alpha_us, link.message_us, link.gb_per_s});
    }
  }
  if (given.copy_gb_per_s < 0)
    return fail(Code::invalid_argument, "TW-722", fmt::format("copy_gb_per_s is {}", given.copy_gb_per_s));
  if (given.copy_gb_per_s > 0)
    options.model.copy_gb_per_s = given.copy_gb_per_s;
  return options;
}

// What decides a plan, as text.
std::string key_of(const sharding::Mesh &src_mesh, const char *src, const sharding::Mesh &dst_mesh,
                   const char *dst, const Options &o) {
  std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", src_mesh.text(),
                                fmt::join(src_mesh.device_ids(), ","), src, dst_mesh.text(),
                                fmt::join(dst_mesh.device_ids(), ","), dst, o.method ? o.method : "auto",
                                o.levels ? o.levels : "", static_cast<int>(o.dtype), o.scratch_bytes,
                                o.height_bytes, o.copy_gb_per_s);
  for (size_t i = 0; o.links != nullptr && i < o.num_links; ++i)
    key += fmt::format("\n{} {} {}", o.links[i].alpha_us, o.links[i].message_us, o.links[i].gb_per_s);
  for (size_t i = 0; o.lost != nullptr && i < o.num_lost; ++i)
    key += fmt::format("\nlost {}", o.lost[i]);
  if (o.steps != nullptr) // whose lines are none of ours
    key += fmt::format("\nsteps {}\n{}", std::strlen(o.steps), o.steps);
  return key;
}

struct Made {
  std::shared_ptr<const rd::Problem> problem;
  rd::PlanOptions options;
  rd::Costed chosen;
  std::vector<rd::Missing> missing;
};

rd::PlanCache<Made> &cache() {
  static rd::PlanCache<Made> plans(kCachedPlans);
  return plans;
}

Result<std::shared_ptr<const Made>> make(const sharding::Mesh &src_mesh, const char *src_type,
                                         const sharding::Mesh &dst_mesh, const char *dst_type,
                                         const Options &given) {
  TW_ASSIGN(const auto element,
            checked_type(given.dtype == 0 ? static_cast<tw_dtype_t>(TW_F32) : given.dtype, nullptr, 0));
  // Parts of axes that the types name become axes, of one mesh for both where it is one.
  const std::string stated = given.steps != nullptr ? rd::without_comments(given.steps) : std::string();
  const std::string both =
      src_mesh == dst_mesh ? fmt::format("{} {} {}", src_type, dst_type, stated) : std::string();
  TW_ASSIGN(auto src_parts, sharding::with_parts(src_mesh, both.empty() ? src_type : both));
  TW_ASSIGN(auto dst_parts, sharding::with_parts(dst_mesh, both.empty() ? dst_type : both));
  TW_ASSIGN(auto src, rd::parse_distributed_type(src_type, src_parts));
  TW_ASSIGN(auto dst, rd::parse_distributed_type(dst_type, dst_parts, &src.type));
  auto made = std::make_shared<Made>();
  std::vector<rd::StatedStep> steps;
  const rd::DistributedType from = src;
  if (given.steps != nullptr) {
    if (given.method != nullptr && std::string_view(given.method) != "auto")
      return fail(Code::invalid_argument, "TW-528",
                  fmt::format("steps are the way to go, and so is method '{}': give one", given.method));
    if (both.empty() || given.num_lost != 0)
      return fail(Code::unimplemented, "TW-528",
                  "steps: source and target are on one mesh, in one order of devices, and none is lost");
    TW_ASSIGN(steps, rd::read_stated_steps(given.steps, src_parts, src, dst, element.dtype));
  }
  TW_ASSIGN(made->problem,
            rd::make_problem(std::move(src_parts), std::move(src), std::move(dst_parts), std::move(dst),
                             element.dtype, {given.lost, given.lost + given.num_lost}));
  made->missing = rd::find_missing(*made->problem);
  TW_ASSIGN(made->options, options_of(given, *made->problem));
  TW_ASSIGN(made->chosen, given.steps != nullptr ? rd::plan_stated(made->problem, steps, from, made->options)
                                                 : rd::make_plan(made->problem, made->options));
  return made;
}

// Everything that the reports say of a plan.
Result<report::Redistribution> describe(const tw_redistribution &plan, bool check) {
  report::Redistribution r{plan.mesh, plan.src,          plan.dst, plan.chosen, {}, plan.options.topology,
                           {},        plan.synthesis_us, {}};
  r.bounds = rd::find_bounds(*plan.problem, plan.options.topology, plan.options.model);
  rd::PlanOptions all = plan.options;
  all.method = rd::Method::automatic;
  auto others = rd::make_plans(plan.problem, all);
  if (others)
    r.others = *std::move(others);
  else if (plan.chosen.plan->method !=
           rd::Method::stated) // where the planner has nothing, stated steps may be the way
    return fail(std::move(others.error()));
  std::vector<std::pair<rd::Method, uint64_t>> told{
      {plan.chosen.plan->method, rd::hash_value(*plan.chosen.plan)}};
  std::erase_if(r.others, [&](const rd::Costed &other) {
    const std::pair what(other.plan->method, rd::hash_value(*other.plan));
    const bool known = std::ranges::count(told, what) != 0;
    told.push_back(what);
    return known;
  });
  if (check) {
    TW_TRY(plan.chosen.plan->steps.later_size().check());
    rd::CheckOptions how;
    how.scratch_bytes = plan.options.scratch_bytes;
    how.height_bytes = plan.options.height_bytes;
    how.cost = plan.chosen.cost;
    r.check = rd::check(*plan.chosen.plan, how);
  }
  return r;
}

Result<tw_redistribution_t *> plan_between(const sharding::Mesh &from, const char *src_type,
                                           const sharding::Mesh &to, const char *dst_type,
                                           const Options &given) {
  const auto begin = std::chrono::steady_clock::now();
  if (given.num_lost != 0)
    TW_TRY(require(given.lost, "lost"));
  const std::string key = key_of(from, src_type, to, dst_type, given);
  std::shared_ptr<const Made> made = cache().find(key);
  if (!made) {
    const LongCall call;
    TW_ASSIGN(made, make(from, src_type, to, dst_type, given));
    TW_TRY(check_watch());
    cache().keep(key, made);
  }
  auto plan = std::make_unique<tw_redistribution>();
  plan->synthesis_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  plan->mesh = from == to ? from.text() : fmt::format("{} -> {}", from.text(), to.text());
  plan->src = src_type;
  plan->dst = dst_type;
  plan->problem = made->problem;
  plan->options = made->options;
  plan->chosen = made->chosen;
  plan->missing = made->missing;
  return plan.release();
}

} // namespace

tw_status_t tw_redistribution_plan(const tw_mesh_t *src_mesh, const char *src_type, const tw_mesh_t *dst_mesh,
                                   const char *dst_type, const tw_redistribution_options_t *options,
                                   tw_redistribution_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(src_mesh, "src_mesh"));
    TW_TRY(require(src_type, "src_type"));
    TW_TRY(require(dst_type, "dst_type"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_TRY(check_options(options));
    const sharding::Mesh &from = src_mesh->mesh, &to = dst_mesh != nullptr ? dst_mesh->mesh : from;
    TW_ASSIGN(*out_plan, plan_between(from, src_type, to, dst_type, completed(options)));
    return {};
  });
}

tw_status_t tw_redistribution_between(const tw_sharding_t *src, const tw_sharding_t *dst, tw_dtype_t dtype,
                                      const tw_redistribution_options_t *options,
                                      tw_redistribution_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(src, "src"));
    TW_TRY(require(dst, "dst"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_TRY(check_options(options));
    TW_ASSIGN(const graph::TensorType element, checked_type(dtype, nullptr, 0));
    const auto spelled = [&](const tw_sharding_t &side) {
      return fmt::format("{} {}", graph::to_short_text({element.dtype, side.dims}),
                         sharding::to_text(side.shown.sharding, side.shown.halos, side.mesh));
    };
    Options given = completed(options);
    given.steps = nullptr;
    TW_ASSIGN(*out_plan, plan_between(sharding::whole_device_axes(src->mesh), spelled(*src).c_str(),
                                      sharding::whole_device_axes(dst->mesh), spelled(*dst).c_str(), given));
    return {};
  });
}

tw_redistribution_t *tw_redistribution_retain(tw_redistribution_t *plan) {
  if (plan)
    plan->retain();
  return plan;
}
void tw_redistribution_release(tw_redistribution_t *plan) {
  if (plan)
    plan->release();
}

size_t tw_redistribution_num_devices(const tw_redistribution_t *plan) {
  return plan ? plan->problem->num_devices() : 0;
}
int64_t tw_redistribution_device_id(const tw_redistribution_t *plan, size_t device) {
  return device < tw_redistribution_num_devices(plan)
             ? plan->problem->device_id(static_cast<rd::Device>(device))
             : -1;
}
size_t tw_redistribution_rank(const tw_redistribution_t *plan) { return plan ? plan->problem->rank() : 0; }
size_t tw_redistribution_item_size(const tw_redistribution_t *plan) {
  return plan ? static_cast<size_t>(plan->problem->item_size()) : 0;
}

tw_status_t tw_redistribution_tile(const tw_redistribution_t *plan, int side, size_t device,
                                   int64_t *out_offset, int64_t *out_extent) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_offset, "out_offset"));
    TW_TRY(require(out_extent, "out_extent"));
    if (side != 0 && side != 1)
      return fail(Code::invalid_argument, "TW-722", fmt::format("side is {}: 0 is before, 1 after", side));
    if (device >= plan->problem->num_devices())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("device {} of a redistribution over {}", device, plan->problem->num_devices()));
    const auto d = static_cast<rd::Device>(device);
    const sharding::Box box = side == 0 ? plan->problem->src_box(d) : plan->problem->dst_box(d);
    std::ranges::copy(box.offset, out_offset);
    std::ranges::copy(box.extent, out_extent);
    return {};
  });
}

int tw_redistribution_element(const tw_redistribution_t *plan, int side, const int64_t *coordinates,
                              int64_t *out_index) {
  if (!plan || !coordinates || !out_index || side < 0 || side > 1)
    return -1;
  const rd::Layout &layout = side == 0 ? plan->problem->src() : plan->problem->dst();
  const auto &shape = plan->problem->type().dims;
  const auto element = [&](size_t d) { return element_at(layout.halo(d), shape[d], coordinates[d]); };
  for (size_t d = 0; d < shape.size(); ++d)
    if (element(d) < 0)
      return 0;
  for (size_t d = 0; d < shape.size(); ++d)
    out_index[d] = element(d);
  return 1;
}

size_t tw_redistribution_num_missing(const tw_redistribution_t *plan) {
  return plan ? plan->missing.size() : 0;
}
tw_status_t tw_redistribution_missing(const tw_redistribution_t *plan, size_t part, size_t *out_device,
                                      int64_t *out_offset, int64_t *out_extent) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_device, "out_device"));
    TW_TRY(require(out_offset, "out_offset"));
    TW_TRY(require(out_extent, "out_extent"));
    if (part >= plan->missing.size())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("part {}: {} parts are missing", part, plan->missing.size()));
    const rd::Missing &missing = plan->missing[part];
    *out_device = static_cast<size_t>(missing.device);
    std::ranges::copy(missing.box.offset, out_offset);
    std::ranges::copy(missing.box.extent, out_extent);
    return {};
  });
}

int tw_redistribution_combines(const tw_redistribution_t *plan) {
  return plan && !plan->problem->combined().empty();
}
size_t tw_redistribution_num_steps(const tw_redistribution_t *plan) {
  return plan ? plan->chosen.plan->steps.size() : 0;
}
const char *tw_redistribution_method(const tw_redistribution_t *plan) {
  return plan ? rd::name(plan->chosen.plan->method).data() : "";
}
int64_t tw_redistribution_bytes_received(const tw_redistribution_t *plan, size_t device) {
  return device < tw_redistribution_num_devices(plan) ? plan->chosen.cost.received[device] : -1;
}
tw_status_t tw_redistribution_bound(const tw_redistribution_t *plan, int64_t *out_max, double *out_mean) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_max, "out_max"));
    TW_TRY(require(out_mean, "out_mean"));
    const rd::Bounds bounds = rd::find_bounds(*plan->problem, plan->options.topology, plan->options.model);
    *out_max = bounds.b1_max;
    *out_mean = bounds.b1_mean;
    return {};
  });
}
int64_t tw_redistribution_scratch_bytes(const tw_redistribution_t *plan) {
  return plan ? plan->chosen.cost.scratch_bytes : 0;
}
int64_t tw_redistribution_height_bytes(const tw_redistribution_t *plan) {
  return plan ? plan->chosen.cost.height_bytes : 0;
}
int tw_redistribution_exact(const tw_redistribution_t *plan) { return plan && plan->chosen.plan->exact; }
uint64_t tw_redistribution_hash(const tw_redistribution_t *plan) {
  return guard_value<uint64_t>(0, [&] { return plan ? rd::hash_value(*plan->chosen.plan) : 0; });
}

tw_status_t tw_redistribution_json(const tw_redistribution_t *plan, int check, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_json, "out_json"));
    const LongCall call;
    TW_ASSIGN(const auto report, describe(*plan, check != 0));
    TW_TRY(check_watch());
    return give(json_text(report::redistribution_json(report)), out_json);
  });
}

tw_status_t tw_redistribution_report(const tw_redistribution_t *plan, int check, size_t width,
                                     tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_text, "out_text"));
    const LongCall call;
    TW_ASSIGN(const auto report, describe(*plan, check != 0));
    TW_TRY(check_watch());
    return give(report::redistribution_text(report, width ? width : 120), out_text);
  });
}

tw_status_t tw_redistribution_pareto(const tw_redistribution_t *plan, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_json, "out_json"));
    rd::PlanOptions all = plan->options;
    all.method = rd::Method::automatic;
    const LongCall call;
    TW_ASSIGN(const auto front, rd::pareto_front(plan->problem, all));
    TW_TRY(check_watch());
    return give(json_text(report::plans_json(front)), out_json);
  });
}

tw_status_t tw_redistribution_check(const tw_redistribution_t *plan) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_ASSIGN(const auto report, describe(*plan, true));
    if (report.check->pass())
      return {};
    Error error(Code::internal, "TW-525", report.check->failures[0]);
    for (size_t i = 1; i < report.check->failures.size(); ++i)
      error = std::move(error).note(report.check->failures[i]);
    return fail(std::move(error));
  });
}

tw_status_t tw_redistribution_save(const tw_redistribution_t *plan, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_bytes, "out_bytes"));
    TW_TRY(plan->chosen.plan->steps.later_size().check());
    return give(rd::to_bytes(*plan->chosen.plan, plan->options.topology), out_bytes);
  });
}

tw_status_t tw_redistribution_load(const void *bytes, size_t size, tw_redistribution_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(bytes, "bytes"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_ASSIGN(auto loaded, rd::from_bytes({static_cast<const char *>(bytes), size}));
    auto plan = std::make_unique<tw_redistribution>();
    plan->problem = loaded.plan->problem;
    plan->missing = rd::find_missing(*plan->problem);
    plan->options.method = loaded.plan->method;
    plan->options.topology = std::move(loaded.topology);
    plan->chosen = {loaded.plan, rd::find_cost(*loaded.plan, plan->options.topology, plan->options.model)};
    const auto spelled = [&](const rd::Layout &side) {
      return fmt::format("{} {}", graph::to_short_text(plan->problem->type()),
                         sharding::to_text(side.sharding, side.halos, side.mesh));
    };
    const auto &src = plan->problem->src(), &dst = plan->problem->dst();
    plan->mesh =
        src.mesh == dst.mesh ? src.mesh.text() : fmt::format("{} -> {}", src.mesh.text(), dst.mesh.text());
    plan->src = spelled(src);
    plan->dst = spelled(dst);
    *out_plan = plan.release();
    return {};
  });
}
