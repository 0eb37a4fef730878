// SPDX-License-Identifier: Apache-2.0
// What an executable says of itself: where an error happened, where devices wait, how much memory it takes,
// what its steps cost.
#include "runtime/executable.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "runtime/layout.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::InstrKind;

void Executable::explain(Failure &failure) const {
  if (failure.position < 0)
    return; // it says where
  explain(failure.error, failure.position, step_instrs_[failure.step]);
  if (std::string_view(failure.error.info().id) == "TW-620")
    failure.error.info().notes = describe_waits();
}

// Of a run in which a device never came to a collective: where all are, those together that are at one place.
std::vector<std::string> Executable::describe_waits() const {
  std::map<std::pair<uint32_t, bool>, std::vector<int64_t>> at;
  for (const Position d : local_positions_) {
    const auto [step, waits] = executor_->whereabouts(d);
    at[{step, waits && step < num_steps()}].push_back(program_->mesh().device_of(d).index());
  }
  std::vector<std::string> lines;
  for (const auto &[where, devices] : at) {
    constexpr size_t kMost = 16;
    std::string names =
        fmt::format("{}", fmt::join(devices.begin(),
                                    devices.begin() + std::min<ptrdiff_t>(kMost, std::ssize(devices)), ", "));
    if (devices.size() > kMost)
      names += fmt::format(" and {} more", devices.size() - kMost);
    const auto [step, waits] = where;
    lines.push_back(fmt::format("device{} {} {}", devices.size() == 1 ? "" : "s", names,
                                step == num_steps() ? devices.size() == 1 ? "has finished" : "have finished"
                                                    : fmt::format("{} step {} of {}, {}",
                                                                  !waits                ? "stopped before"
                                                                  : devices.size() == 1 ? "waits at"
                                                                                        : "wait at",
                                                                  step, num_steps(), step_name(step))));
  }
  return lines;
}

std::string Executable::step_name(uint32_t step) const {
  const std::vector<uint32_t> &instrs = step_instrs_[step];
  const graph::OpId op = program_->instrs()[instrs[0]].op; // none: a loop's
  const std::string place = op == graph::kNone ? "" : program_->graph().location_text(op);
  return step_kind(instrs) + (place.empty() ? "" : " at " + place);
}

// Says where it happened: "device 5 (data=1,model=1), stablehlo.add at model.py:12: ..." Without memory for
// that, an error keeps its own words.
void Executable::explain(Error &error, Position position, const std::vector<uint32_t> &instrs) const try {
  const graph::OpId op = program_->instrs()[instrs[0]].op; // none: a loop's
  const std::string text = op == graph::kNone ? "" : program_->graph().location_text(op);
  ErrorInfo &info = error.info();
  SourcePos pos;
  if (op != graph::kNone) {
    const graph::Location at = program_->graph().location(op);
    pos = {std::string(program_->graph().file()), at.line, at.column};
  }
  info.message = fmt::format("{}, {}{}{}: {}", device_name(position), step_kind(instrs),
                             text.empty() ? "" : " at ", text, info.message);
  info.pos = std::move(pos);
} catch (const std::bad_alloc &) {
}

std::string Executable::device_name(Position position) const {
  const sharding::Mesh &mesh = program_->mesh();
  const int64_t number = mesh.device_of(position).index();
  std::string name = fmt::format("device {}", mesh.loop_axes().empty() ? mesh.device_id(position) : number);
  for (size_t a = 0; a < mesh.num_axes(); ++a)
    name += fmt::format("{}{}={}{}", a == 0 ? " (" : ",", mesh.axis(static_cast<sharding::AxisId>(a)).name,
                        mesh.coordinate(position, static_cast<sharding::AxisId>(a)),
                        a + 1 == mesh.num_axes() ? ")" : "");
  return name;
}

std::string Executable::step_kind(const std::vector<uint32_t> &instrs) const {
  const Instr &in = program_->instrs()[instrs[0]];
  if (in.kind == InstrKind::collective)
    return std::string(redistribute::name(program_->collectives()[in.index].summary.kind));
  if (in.kind == InstrKind::accumulate)
    return "accumulate";
  if (in.kind == InstrKind::loop || in.kind == InstrKind::end_loop)
    return "loop over " + program_->mesh().axis(static_cast<sharding::AxisId>(in.index)).name;
  const ops::OpViewHolder op(program_->graph(), in.op);
  const std::string first = kernels::called(ops::op_def(program_->graph().op(in.op).code), op.view());
  return instrs.size() == 1 ? first : fmt::format("{} fused with {} more", first, instrs.size() - 1);
}

std::string Executable::step_shape(const std::vector<uint32_t> &instrs) const {
  const Instr &first = program_->instrs()[instrs.front()], &last = program_->instrs()[instrs.back()];
  std::string text;
  for (const spmd::ValueRef v : program_->operands(first))
    text += to_short_text(program_->type(v)) + " ";
  return last.num_results == 0 ? text : text + "-> " + to_short_text(program_->type(last.first_result));
}

int64_t Executable::arena_bytes(sharding::DeviceIndex device) const {
  return arena_bytes_[static_cast<size_t>(device.index())];
}

int64_t Executable::arena_bytes() const {
  return std::accumulate(arena_bytes_.begin(), arena_bytes_.end(), int64_t{0});
}

int64_t Executable::peak_bytes(sharding::DeviceIndex device) const {
  return used_bytes_[static_cast<size_t>(device.index())] +
         argument_bytes_[static_cast<size_t>(device.index())];
}

// Of all devices in one pass. An op does its part of the work: that of its tile of the result and, where it
// splits a sum, of the summands.
double Executable::step_flops(uint32_t step, const Layouts &layouts) const {
  const BoundStep &bound = executor_->steps()[step];
  double flops = 0;
  for (const uint32_t i : step_instrs_[step]) {
    const Instr &in = program_->instrs()[i];
    if (in.kind != InstrKind::compute || in.num_results == 0)
      continue;
    double share = 0;
    const auto whole = static_cast<double>(std::max<int64_t>(program_->type(in.first_result).elements(), 1));
    for (Position d; d < layouts.num_positions(); ++d)
      if (bound.kernels[static_cast<size_t>(d)] != nullptr)
        share += static_cast<double>(layouts.elements(layouts.of(in.first_result), d)) / whole;
    flops += ops::op_cost(program_->graph(), in.op).flops * share /
             static_cast<double>(program_->num_sum_parts(in));
  }
  return flops;
}

void Executable::count(std::vector<OnHost> &all, OnHost more) {
  const auto found = std::ranges::find_if(
      all, [&](const OnHost &h) { return h.kind == more.kind && h.reason == more.reason; });
  if (found == all.end()) {
    all.push_back(std::move(more));
    return;
  }
  found->steps += more.steps;
  found->bytes += more.bytes;
}

// Kernels, then what collectives move through memory of the host.
std::vector<OnHost> Executable::on_host() const {
  std::vector<OnHost> all = on_host_;
  const auto steps = executor_->steps();
  for (uint32_t i = 0; i < steps.size() && queues_ != nullptr; ++i) {
    const BoundStep &step = steps[i];
    if (step.mover != nullptr) {
      device::Mover::OnHost moved = step.mover->on_host();
      if (moved.rounds > 0)
        count(all, {step_kind(step_instrs_[i]), 1, moved.bytes, std::move(moved.reason)});
    } else if (step.collective != nullptr && crossing_ == nullptr) {
      count(all, {step_kind(step_instrs_[i]), 1, message_bytes(step),
                  "what goes to other processes goes through memory of the host"});
    }
  }
  return all;
}

// What devices of this process copy there and back. A result that several share is copied to one of them.
int64_t Executable::message_bytes(const BoundStep &step) const {
  const sharding::Mesh &mesh = program_->mesh();
  const size_t tiles = step.num_operands + step.num_results;
  int64_t bytes = 0;
  for (const Position d : step.members)
    for (size_t t = 0; t < tiles && is_local(d); ++t) {
      const size_t at = static_cast<size_t>(d) * tiles + t;
      const Location &place = step.places[at];
      if (t < step.num_operands || mesh.device_of(Position(place.arena)) == mesh.device_of(d))
        bytes += step.tile_bytes[at];
    }
  return bytes;
}

std::vector<StepProfile> Executable::profile() const {
  std::vector<StepProfile> all;
  const auto times = executor_->step_nanoseconds(), calls = executor_->step_calls();
  const Layouts layouts(*program_);
  for (uint32_t i = 0; i < times.size(); ++i) {
    const BoundStep &step = executor_->steps()[i];
    if (step.awaits != kNoStep)
      continue;
    const kernels::Kernel *kernel = step.kernels.empty() ? nullptr : step.kernels[0];
    const auto &instrs = step_instrs_[i];
    const graph::OpId op = program_->instrs()[instrs[0]].op;
    const bool moves = step.collective != nullptr || step.mover != nullptr;
    const auto at_once = step.collective != nullptr ? static_cast<int64_t>(step.collective->num_groups())
                         : step.mover != nullptr
                             ? std::ssize(step.members)
                             : std::ssize(step.kernels) - std::ranges::count(step.kernels, nullptr);
    const double passes = static_cast<double>(calls[i]) / static_cast<double>(std::max<int64_t>(at_once, 1));
    all.push_back({instrs.size() > 1 && !moves ? "fused" : step_kind(instrs),
                   kernel != nullptr ? kernel->name() : "", step_shape(instrs),
                   op == graph::kNone ? "" : program_->graph().location_text(op), instrs.size(), times[i],
                   calls[i], step.kernels.empty() ? 0 : step_flops(i, layouts) * passes,
                   static_cast<double>(step.bytes) * passes});
  }
  return all;
}

} // namespace tw::runtime
