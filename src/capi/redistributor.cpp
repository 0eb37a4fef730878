// SPDX-License-Identifier: Apache-2.0
// tw_redistribute.h: plans that run.
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/watch.hpp"
#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "comm/remote/remote.hpp"
#include "device/gpu_list.hpp"

using namespace tw;
using namespace tw::capi;
namespace rd = tw::redistribute;

namespace {

Result<runtime::Redistributor::Options> run_options_of(const tw_redistributor_options_t *given) {
  using Given = tw_redistributor_options_t;
  runtime::Redistributor::Options how;
  how.donate = has_field(given, &Given::donate) && given->donate != 0;
  how.share = has_field(given, &Given::share) && given->share != 0;
  how.allocator = allocator_of(has_field(given, &Given::context) ? given->context : nullptr);
  if (has_field(given, &Given::memory_limit)) {
    TW_TRY(check_at_least_0(given->memory_limit, "memory_limit"));
    how.memory_limit = given->memory_limit;
  }
  if (has_field(given, &Given::comm) && given->comm != nullptr)
    how.communicator = comm::make_remote(given->comm->processes);
  if (has_field(given, &Given::device) && given->device != nullptr) {
    TW_ASSIGN(how.device, device::find_kind(given->device));
  }
  if (has_field(given, &Given::gpus) && given->gpus != nullptr) {
    TW_ASSIGN(how.units, device::parse_gpus("gpus", given->gpus));
  }
  if (has_field(given, &Given::deadline)) {
    TW_ASSIGN(how.deadline, checked_deadline(given->deadline));
  }
  how.delays = has_field(given, &Given::delays) ? given->delays : 0;
  return how;
}

} // namespace

tw_status_t tw_redistributor_create(const tw_redistribution_t *const *plans, size_t num_plans,
                                    const tw_redistributor_options_t *options,
                                    tw_redistributor_t **out_redistributor) {
  return guard([&]() -> Status {
    TW_TRY(require(out_redistributor, "out_redistributor"));
    TW_TRY(check_options(options));
    if (num_plans == 0)
      return fail(Code::invalid_argument, "TW-722", "a redistributor needs one plan at least");
    TW_TRY(require(plans, "plans"));
    std::vector<std::shared_ptr<const rd::Plan>> all;
    for (size_t i = 0; i < num_plans; ++i) {
      TW_TRY(require_at(plans[i], "plans", i));
      TW_TRY(plans[i]->chosen.plan->steps.later_size().check());
      all.push_back(plans[i]->chosen.plan);
      if (all[i]->problem->num_devices() != all[0]->problem->num_devices())
        return fail(Code::invalid_argument, "TW-722",
                    fmt::format("plan {} is over {} devices and plan 0 over {}", i,
                                all[i]->problem->num_devices(), all[0]->problem->num_devices()));
    }
    TW_ASSIGN(runtime::Redistributor::Options how, run_options_of(options));
    const tw_context_t *const context =
        has_field(options, &tw_redistributor_options_t::context) ? options->context : nullptr;
    const int32_t workers = has_field(options, &tw_redistributor_options_t::workers) ? options->workers : 0;
    TW_TRY(check_workers(workers));
    auto pool = context != nullptr && workers == 0
                    ? context->pool()
                    : std::make_shared<WorkerPool>(static_cast<unsigned>(workers),
                                                   context != nullptr ? context->host() : HostExecutor());
    const LongCall call;
    TW_ASSIGN(auto made, runtime::Redistributor::prepare(std::move(all), std::move(how)));
    *out_redistributor =
        new tw_redistributor(Ref<const tw_context>::share(context), std::move(made), std::move(pool));
    return {};
  });
}

tw_redistributor_t *tw_redistributor_retain(tw_redistributor_t *redistributor) {
  if (redistributor)
    redistributor->retain();
  return redistributor;
}
void tw_redistributor_release(tw_redistributor_t *redistributor) {
  if (redistributor)
    redistributor->release();
}
int64_t tw_redistributor_scratch_bytes(const tw_redistributor_t *redistributor) {
  return redistributor ? redistributor->redistributor->scratch_bytes() : 0;
}

tw_status_t tw_redistributor_device(const tw_redistributor_t *redistributor, size_t device, int *out_is_here,
                                    int32_t *out_unit) {
  return guard([&]() -> Status {
    TW_TRY(require(redistributor, "redistributor"));
    TW_TRY(require(out_is_here, "out_is_here"));
    TW_TRY(require(out_unit, "out_unit"));
    const runtime::Redistributor &of = *redistributor->redistributor;
    if (device >= of.num_devices())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("device {} of a redistribution over {}", device, of.num_devices()));
    *out_is_here = of.devices().contains(sharding::DeviceIndex(static_cast<int64_t>(device)));
    *out_unit = of.unit(static_cast<rd::Device>(device));
    return {};
  });
}

tw_status_t tw_redistributor_home(const tw_redistributor_t *redistributor, size_t plan, size_t device,
                                  int *out_source, size_t *out_device) {
  return guard([&]() -> Status {
    TW_TRY(require(redistributor, "redistributor"));
    TW_TRY(require(out_source, "out_source"));
    TW_TRY(require(out_device, "out_device"));
    const runtime::Redistributor &of = *redistributor->redistributor;
    if (plan >= of.num_plans() || device >= of.num_devices())
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("plan {} and device {}: there are {} plans over {} devices", plan, device,
                              of.num_plans(), of.num_devices()));
    const rd::TileOwner owner = of.owner(plan, static_cast<rd::Device>(device));
    *out_source = owner.source;
    *out_device = static_cast<size_t>(owner.device);
    return {};
  });
}

tw_status_t tw_redistributor_run(tw_redistributor_t *redistributor, const void *const *src,
                                 void *const *dst) {
  return guard([&]() -> Status {
    TW_TRY(require(redistributor, "redistributor"));
    TW_TRY(require(src, "src"));
    TW_TRY(require(dst, "dst"));
    runtime::Redistributor &mover = *redistributor->redistributor;
    const size_t tiles = mover.num_plans() * mover.num_devices();
    return mover.run({src, tiles}, {dst, tiles}, *redistributor->pool);
  });
}
