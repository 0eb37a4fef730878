// SPDX-License-Identifier: Apache-2.0
// From a program to something that runs: `prepare` reads top to bottom, and each of its parts is a file.
#include "runtime/executable.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/watch.hpp"
#include "comm/local/local.hpp"
#include "kernels/info.hpp"
#include "runtime/binding.hpp"
#include "runtime/placing.hpp"
#include "runtime/preparation.hpp"
#include "runtime/runnable.hpp"

namespace tw::runtime {

Executable::~Executable() {
  TW_ASSERT(!in_progress_);
  if (executor_ == nullptr)
    return;
  const auto is_in_flight = [](const BoundStep &step) {
    return step.collective != nullptr && step.collective->is_in_flight();
  };
  if (std::ranges::any_of(executor_->steps(), is_in_flight))
    lose_memory();
  if (executor_->is_stuck()) { // a device still runs something of it
    using All = std::tuple<std::unique_ptr<Executor>, std::vector<std::unique_ptr<kernels::Kernel>>,
                           std::shared_ptr<const spmd::Program>, std::shared_ptr<const kernels::CustomCalls>>;
    static_cast<void>(new All(std::move(executor_), std::move(kernels_), program_, custom_calls_));
    lose_memory();
  }
}

// Somebody may still read or write there.
void Executable::lose_memory() {
  static_cast<void>(landing_.release());
  static_cast<void>(messages_.release());
  for (device::Memory &memory : memory_)
    static_cast<void>(memory.release());
  for (InPlace &tile : in_place_) {
    static_cast<void>(tile.own.release());
    static_cast<void>(tile.host.release());
  }
}

Result<std::shared_ptr<Executable>> Executable::create(std::shared_ptr<const spmd::Program> program,
                                                       Options options) {
  std::shared_ptr<Executable> made(new Executable);
  made->program_ = std::move(program);
  const auto communicator = options.communicator;
  Status status = made->prepare(std::move(options));
  if (!status) {
    if (communicator != nullptr)
      communicator->abort(status.error());
    return fail(std::move(status.error()));
  }
  return made;
}

// Processes that would not run the same steps on the same kernels must not begin.
Status Executable::agree(const Schedule &plan) const {
  if (!communicator_->is_shared())
    return {};
  Hasher steps;
  for (const Step &step : plan.steps) {
    const bool is_local = step.kind == Step::Kind::kernel || step.kind == Step::Kind::fused ||
                          step.kind == Step::Kind::chain || step.kind == Step::Kind::product;
    if (device_->as_queues() != nullptr && is_local) // devices of another process may have other products
      continue;
    steps.add(step.kind).add(std::span(step.instrs));
    if (step.kind == Step::Kind::collective)
      steps.add(step_kind(step.instrs));
  }
  std::string kernels_text;
  for (const auto &[what, which] : kernels::backend_info())
    kernels_text += fmt::format("{}{} {}", kernels_text.empty() ? "" : ", ", what, which);
  const comm::Fact facts[] = {
      {"version", TW_VERSION},
      {"mesh", program_->mesh().text()},
      {"program", fmt::format("{:016x}", Hasher().add(spmd::to_text(*program_)).value())},
      {"steps", fmt::format("{:016x}", steps.value())},
      {"kernels", kernels_text}};
  return communicator_->agree(facts);
}

// What devices that are not the host cannot do yet.
Status Executable::check_device(const Options &options) const {
  if (device_->as_queues() == nullptr)
    return {};
  const char *what =
      options.in_place && communicator_->is_shared() ? "read arrays in place in several processes" : nullptr;
  if (what == nullptr)
    return {};
  return fail(Code::unimplemented, "TW-671", fmt::format("{} devices cannot {}", device_->name(), what));
}

// Each device of this process gets its unit.
Status Executable::place_devices(const Options &options) {
  const int64_t devices = program_->mesh().num_devices();
  if (device_->as_queues() != nullptr &&
      communicator_->is_shared()) { // which host then does the same elsewhere
    constexpr const char *kWays[] = {"auto", "host", "direct"};
    const comm::Fact kind[] = {{"kind of devices", device_->name()},
                               {"way between processes", kWays[static_cast<size_t>(options.exchange)]}};
    TW_TRY(communicator_->agree(kind));
  }
  TW_ASSIGN(units_, place_on_units(*device_, *communicator_, devices, {options.units, options.delays}));
  units_.resize(static_cast<size_t>(devices), 0);
  return {};
}

// How what goes between processes does so, where devices are not the host.
Status Executable::find_way(const Options &options) {
  using Exchange = Options::Exchange;
  by_messages_ = communicator_;
  if (!communicator_->is_shared())
    return {};
  const device::QueueKind *const queues = device_->as_queues();
  if (queues == nullptr) {
    exchange_ = "messages";
    return {};
  }
  if (options.exchange == Exchange::host) {
    exchange_ = "memory of the host, as asked for";
    return {};
  }
  TW_ASSIGN(auto way, queues->cross({communicator_->processes(), units_[0], options.fast_sums,
                                     options.exchange == Exchange::direct}));
  exchange_ = way.communicator != nullptr ? way.how : "memory of the host: " + way.how;
  if (way.communicator == nullptr)
    return {};
  communicator_ = std::move(way.communicator);
  crossing_ = std::move(way.queue);
  return {};
}

// The processes, devices and workers that an executable is for.
Status Executable::find_devices(const Options &options) {
  custom_calls_ = options.custom_calls;
  communicator_ = options.communicator != nullptr ? options.communicator : comm::make_local();
  devices_ = communicator_->devices(program_->mesh().num_devices());
  device_ = options.device;
  TW_TRY(check_device(options));
  TW_TRY(place_devices(options));
  TW_TRY(find_way(options));
  pool_ = options.pool != nullptr ? options.pool : std::make_shared<WorkerPool>(options.workers);
  return {};
}

Status Executable::prepare(Options options) {
  TW_TRY(spmd::check_passes(options.without, step_passes()));
  if (options.first_kernel == nullptr) // else its own kernels may run what ours do not
    TW_TRY(check_runnable(*program_, options.custom_calls.get()));
  TW_TRY(find_devices(options));
  Preparation p{std::move(options), true, Layouts(*program_)};
  TW_TRY(schedule(p));
  TW_TRY(place(p));
  TW_TRY(check_watch());
  TW_TRY(bind(p));
  TW_TRY(allocate(p));
  TW_TRY(load(p));
  return check_watch();
}

Status Executable::schedule(Preparation &p) {
  ScheduleOptions how{.without = p.options.without};
  // What the first process collects, it collects from arenas.
  how.donate = p.options.donate && !(p.options.whole_outputs && communicator_->is_shared());
  if (communicator_->is_shared())
    how.process = communicator_->process_by_position(program_->mesh());
  if (device_->as_queues() != nullptr) {
    // Else they have copies of what is given away.
    how.donate = how.donate && p.options.in_place && !p.options.tiles;
    how.without.emplace_back("pack_constants"); // the host would do that
    // Each unit has memory of its own, as a process does. Where units reach each other's, kernels would read
    // what they share there again and again, so only what moves is read there.
    for (Position at; !communicator_->is_shared() && at < program_->mesh().num_positions(); ++at)
      how.process.push_back(unit(at)); // each of several processes has one unit
    if (std::ranges::count(how.process, how.process[0]) == std::ssize(how.process))
      how.process.clear(); // all have one memory
  }
  Binder binder = make_binder(p);
  if (device_->as_queues() != nullptr && p.options.first_kernel == nullptr) {
    how.has_product = [&](const Step &step) { return binder.has_product(step); };
    how.has_row_chain = [&](const Step &step, std::span<const View> views) {
      return binder.has_row_chain(step, views);
    };
  }
  p.schedule = runtime::schedule(*program_, p.layouts, how);
  TW_TRY(check_watch());
  return agree(p.schedule);
}

} // namespace tw::runtime
