// SPDX-License-Identifier: Apache-2.0
// Steps get their kernels and the places of what these read and write, and the executor that runs them.
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/watch.hpp"
#include "kernels/info.hpp"
#include "ops/registry.hpp"
#include "runtime/binding.hpp"
#include "runtime/constant_reads.hpp"
#include "runtime/members.hpp"
#include "runtime/preparation.hpp"
#include "runtime/queue_executor.hpp"
#include "runtime/worker_executor.hpp"

namespace tw::runtime {

namespace {

// Arrays of the program are others in the next run.
bool reads_in_place(const BoundStep &step) {
  return std::ranges::any_of(step.places, [](const Location &place) { return place.base != 0; });
}

} // namespace

Status Executable::bind(Preparation &p) {
  const device::QueueKind *const queues = device_->as_queues();
  std::vector<int32_t> units; // each once
  for (int64_t d = devices_.first; d < devices_.last; ++d)
    if (const int32_t unit = units_[static_cast<size_t>(d)]; std::ranges::find(units, unit) == units.end())
      units.push_back(unit);
  ScratchLimits limits{};
  std::vector<BoundStep> steps;
  bool is_ready = true;
  do {
    p.statics.clear();
    steps.clear();
    kernels_.clear();
    TW_TRY(bind_steps(p, steps, limits));
    if (queues != nullptr) {
      TW_ASSIGN(is_ready, queues->make_ready(kernels_, units));
    }
  } while (!is_ready);
  uint32_t num_collectives = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    BoundStep &bound = steps[i];
    if (p.collectives[i] != nullptr && queues != nullptr && crossing_ == nullptr)
      for (Position d; d < p.layouts.num_positions(); ++d) {
        const auto bytes = tile_bytes(p, p.schedule.steps[i], d);
        bound.tile_bytes.insert(bound.tile_bytes.end(), bytes.begin(), bytes.end());
      }
    bound.collective = std::move(p.collectives[i]);
    if (bound.collective != nullptr)
      bound.collective_index = num_collectives++;
    bound.mover = std::move(p.movers[i]);
    bound.members = std::move(p.members[i]);
    bound.may_be_recorded = i < p.schedule.recordable.size() && p.schedule.recordable[i] &&
                            bound.collective == nullptr && !reads_in_place(bound) &&
                            (bound.mover == nullptr || bound.mover->may_be_recorded()) &&
                            (bound.awaits == kNoStep || steps[bound.awaits].may_be_recorded);
    step_instrs_.push_back(own_members(p.schedule.steps[i]));
  }
  for (const auto *some : {&p.statics, &steps})
    for (const BoundStep &bound : *some)
      limits.pointers = std::max({limits.pointers, bound.num_operands, bound.num_results});
  return make_executor(p.options, std::move(steps), limits);
}

Binder Executable::make_binder(const Preparation &p) const {
  const bool idle_cores = pool_->workers() > devices_.last - devices_.first &&
                          program_->mesh().loop_axes(sharding::AxisKind::threads).empty();
  return {*program_,
          p.layouts,
          p.schedule,
          p.options.first_kernel,
          device_->kernels(),
          custom_calls_.get(),
          device_->as_queues(),
          devices_,
          units_,
          {idle_cores, p.options.tf32, p.options.same_bits}};
}

// Kernels and places, of those that run once and of the others.
Status Executable::bind_steps(Preparation &p, std::vector<BoundStep> &steps, ScratchLimits &limits) {
  Binder binder = make_binder(p);
  for (auto [from, to] : {std::pair(&p.schedule.statics, &p.statics), std::pair(&p.schedule.steps, &steps)}) {
    on_host_.clear(); // statics run once
    for (const Step &step : *from) {
      TW_TRY(check_watch());
      TW_ASSIGN(BoundStep bound, bind_step(p, step, binder));
      to->push_back(std::move(bound));
    }
  }
  for (auto &kernel : binder.take_kernels())
    kernels_.push_back(std::move(kernel));
  limits = {binder.scratch_bytes(), binder.shared_bytes(), 1};
  return {};
}

Status Executable::make_executor(const Options &options, std::vector<BoundStep> steps,
                                 const ScratchLimits &limits) {
  const sharding::Mesh &mesh = program_->mesh();
  ProcessGroup processes;
  if (communicator_->is_shared())
    processes = {communicator_.get(), devices_, [this](Failure &failure) {
                   explain(failure);
                   communicator_->abort(failure.error);
                 }};
  if (const device::QueueKind *queues = device_->as_queues()) {
    auto made = QueueExecutor::create(
        *queues, std::move(steps), mesh, local_positions_, units_,
        {options.delays, options.deadline, std::move(processes), crossing_, options.profile, options.trace});
    queues_ = made.get();
    std::vector<std::string> names;
    for (uint32_t s = 0; s < step_instrs_.size(); ++s)
      names.push_back(fmt::format("{} {}", s, step_name(s)));
    queues_->name_steps(std::move(names));
    executor_ = std::move(made);
    return {};
  }
  auto made = std::make_unique<WorkerExecutor>(std::move(steps), mesh, pool_, limits, options.profile,
                                               std::move(processes));
  if (options.trace)
    made->trace();
  executor_ = std::move(made);
  return {};
}

// All but the collective.
Result<BoundStep> Executable::bind_step(const Preparation &p, const Step &step, Binder &binder) {
  const sharding::Mesh &mesh = program_->mesh();
  BoundStep bound;
  bound.targets = step.targets;
  switch (step.kind) {
  case Step::Kind::await: bound.awaits = step.awaited; return bound;
  case Step::Kind::loop_begin:
  case Step::Kind::loop_end:
    bound.loop = {step.kind == Step::Kind::loop_begin,
                  mesh.axis(step.axis).kind == sharding::AxisKind::threads, mesh.stride(step.axis),
                  mesh.size(step.axis), step.axis};
    break;
  case Step::Kind::jump:
    if (!step.operands.empty())
      bound.selector_bytes = byte_size(program_->type(step.operands[0]).dtype);
    break;
  case Step::Kind::collective: break;
  default: {
    TW_ASSIGN(bound.kernels, binder.bind(step));
    if (p.memory->is_accumulated(step))
      std::ranges::fill(bound.kernels, nullptr);
    adapt_kernels(p, step, binder, bound);
    const Sharing &sharing = p.schedule.sharing;
    bound.leaders = sharing.leaders(sharing.of(step));
  }
  }
  find_places(p, step, bound);
  return bound;
}

// Bytes of what a step reads and makes at a position, in the order in which its kernel is given them. What
// another device makes for this one is none of its own.
std::vector<int64_t> Executable::tile_bytes(const Preparation &p, const Step &step, Position d) const {
  const sharding::Mesh &mesh = program_->mesh();
  const int64_t threads = step.threads ? mesh.size(step.axis) : 1;
  const auto bytes = [&](spmd::ValueRef v, Position at) { return p.layouts.bytes(v, at); };
  std::vector<int64_t> all;
  for (const spmd::ValueRef v : step.operands)
    for (int64_t thread = 0; thread < threads; ++thread)
      all.push_back(bytes(v, Position(d + thread * (threads > 1 ? mesh.stride(step.axis) : 0))));
  for (const FusedRead &read : step.reads)
    for (int64_t part = 0; part < read.parts(mesh); ++part)
      all.push_back(read.constant ? constant_elements(*program_, p.layouts, read.value, d) *
                                        static_cast<int64_t>(byte_size(program_->type(read.value).dtype))
                                  : bytes(read.value, read.position(mesh, d, part)));
  const Sharing &sharing = p.schedule.sharing;
  for (const spmd::ValueRef v : step.results)
    all.push_back(step.kind == Step::Kind::assign && sharing.leader(sharing.of(v), d) != d ? 0 : bytes(v, d));
  return all;
}

// Kernels of the host become what the kind runs in their place. What runs once is not counted.
void Executable::adapt_kernels(const Preparation &p, const Step &step, const Binder &binder,
                               BoundStep &bound) {
  const device::QueueKind *const queues = device_->as_queues();
  if (queues == nullptr)
    return;
  OnHost all{name_on_host(step), 1, 0, ""};
  for (Position d; d < p.layouts.num_positions(); ++d) {
    const kernels::Kernel *&kernel = bound.kernels[static_cast<size_t>(d)];
    if (kernel == nullptr)
      continue;
    const std::vector<int64_t> bytes = tile_bytes(p, step, d);
    if (auto adapted = queues->adapt(*kernel, bytes)) {
      all.bytes += std::accumulate(bytes.begin(), bytes.end(), int64_t{0});
      all.reason = binder.on_host(kernel).why;
      kernel = adapted.get();
      kernels_.push_back(std::move(adapted));
    } else if (const auto members = binder.on_host(kernel); members.bytes > 0) { // of a chain
      all.bytes += members.bytes;
      all.reason = members.why;
    }
  }
  if (all.bytes > 0)
    count(on_host_, std::move(all));
}

std::string Executable::name_on_host(const Step &step) const {
  switch (step.kind) {
  case Step::Kind::fused: return "fused";
  case Step::Kind::chain: return "chain";
  case Step::Kind::assign: return "assign";
  default: break;
  }
  const graph::OpId op = program_->instrs()[step.instrs[0]].op;
  return op == graph::kNone ? "accumulate" : ops::op_def(program_->graph().op(op).code).name;
}

// Of what a step reads and makes, on every device; and how many bytes that is.
void Executable::find_places(const Preparation &p, const Step &step, BoundStep &bound) const {
  const sharding::Mesh &mesh = program_->mesh();
  const int64_t threads = step.threads ? mesh.size(step.axis) : 1;
  bound.num_operands = step.operands.size() * static_cast<size_t>(threads);
  for (const FusedRead &read : step.reads)
    bound.num_operands += static_cast<size_t>(read.parts(mesh));
  bound.num_results = step.results.size();
  for (Position d; d < p.layouts.num_positions(); ++d) {
    if (!step.runs_at(mesh, d)) {
      bound.places.resize(bound.places.size() + bound.num_operands + bound.num_results);
      continue;
    }
    for (const spmd::ValueRef v : step.operands)
      for (int64_t thread = 0; thread < threads; ++thread)
        bound.places.push_back(
            locate(p, v, Position(d + thread * (threads > 1 ? mesh.stride(step.axis) : 0))));
    for (const FusedRead &read : step.reads)
      for (int64_t part = 0; part < read.parts(mesh); ++part)
        bound.places.push_back(read.constant ? p.memory->locate_constant(read.value, d)
                                             : locate(p, read.value, read.position(mesh, d, part)));
    for (const spmd::ValueRef v : step.results)
      bound.places.push_back(locate(p, v, d));
    const auto touches = [&](spmd::ValueRef v) {
      const auto size = static_cast<int64_t>(byte_size(program_->type(v).dtype));
      bound.bytes += is_local(d) ? p.layouts.elements(p.layouts.of(v), d) * size : 0;
    };
    step.each_read(touches);
    std::ranges::for_each(step.results, touches);
  }
}

// Whether one worker alone is faster: what a device brings to a rendezvous, and what waits for it there,
// moves from core to core where several work. Whoever asks for several gets them.
bool Executable::is_small(const Layouts &layouts) const {
  constexpr double kBytesPerNs = 20,
                   kFlopsPerNs = 10; // what a core does at least with what lies in its cache
  constexpr double kNsEach =
      1200; // of a device, between two of its rendezvous; measured on sums of 4 B to 4 KiB
  if (queues_ != nullptr || !pool_->may_use_fewer() || communicator_->is_shared())
    return false;
  const auto steps = executor_->steps();
  double bytes = 0, rendezvous = 1;
  for (const BoundStep &step : steps) {
    bytes += static_cast<double>(step.bytes);
    rendezvous += step.collective != nullptr || !step.leaders.empty() ? 1 : 0;
  }
  const double most = rendezvous * static_cast<double>(layouts.num_positions()) * kNsEach;
  double ns = bytes / kBytesPerNs;
  for (uint32_t i = 0; i < steps.size() && ns < most; ++i) {
    for (const uint32_t instr : step_instrs_[i]) {
      const graph::OpId op = program_->instrs()[instr].op;
      if (op != graph::kNone && kernels::is_custom_call(ops::op_def(program_->graph().op(op).code)))
        return false; // which takes as long as it likes
    }
    if (!steps[i].kernels.empty())
      ns += step_flops(i, layouts) / kFlopsPerNs;
  }
  return ns < most;
}

} // namespace tw::runtime
