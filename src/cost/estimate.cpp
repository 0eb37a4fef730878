// SPDX-License-Identifier: Apache-2.0
// The steps are those that the executor makes of the program: what is fused there is fused here.
#include "cost/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/watch.hpp"
#include "cost/collective.hpp"
#include "cost/timeline.hpp"
#include "cost/work.hpp"
#include "ops/registry.hpp"
#include "runtime/executable.hpp"
#include "runtime/planned.hpp"

namespace tw::cost {
namespace {

using redistribute::Kind;
using runtime::Step;
using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

// The part of one of the arrays that move together.
double array_bytes(const spmd::Program &program, const runtime::Layouts &layouts, const spmd::Collective &c,
                   uint32_t array) {
  const Instr &instr = program.instrs()[c.instr];
  const ValueRef from = program.operands(instr)[array], to = instr.first_result + array;
  const double bytes =
      collective_bytes(c.summary, program.mesh(), static_cast<double>(layouts.most_bytes(from)),
                       static_cast<double>(layouts.most_bytes(to)));
  const bool of_all = c.summary.kind == Kind::permute || c.summary.kind == Kind::exchange;
  return of_all ? bytes / std::max<double>(instr.num_operands, 1) : bytes;
}

class Estimator {
public:
  Estimator(const spmd::Program &program, const runtime::Planned &planned, const system::System &system,
            const Options &options)
      : program_(program), planned_(planned), layouts_(planned.layouts), system_(system), options_(options),
        runs_(spmd::find_runs(program, options.trip_count.value_or(system.trip_count))),
        timeline_(program.values().size(), system.slowdown) {
    estimate_.by_axis_s.assign(program.mesh().num_axes(), 0);
  }

  Result<Estimate> run() {
    for (const Step &step : planned_.schedule.steps) {
      const size_t before = estimate_.steps.size();
      add(step);
      const bool counts = estimate_.steps.size() > before;
      estimate_.places.push_back({0, step.instrs.empty() ? graph::kNone : step.instrs.front(),
                                  counts ? static_cast<uint32_t>(before) : graph::kNone});
    }
    end_stretch();
    estimate_.serial_s = estimate_.compute_s + estimate_.memory_s + estimate_.communication_s;
    if (!system_.overlaps)
      estimate_.overlapped_s = estimate_.serial_s;
    TW_TRY(check_watch());
    find_memory();
    find_kinds();
    note();
    return std::move(estimate_);
  }

private:
  void add(const Step &step) {
    switch (step.kind) {
    case Step::Kind::jump:
    case Step::Kind::loop_begin:
    case Step::Kind::loop_end: end_stretch(); return;
    case Step::Kind::await: return;
    case Step::Kind::collective: add_collective(step); return;
    default: add_compute(step); return;
    }
  }

  // Stretches run their own number of times; nothing overlaps from one to the next.
  void begin(int64_t times) {
    if (times != times_)
      end_stretch();
    times_ = times;
  }
  void end_stretch() { estimate_.overlapped_s += timeline_.take() * static_cast<double>(times_); }

  int64_t times_of(const Step &step) {
    if (step.instrs.empty())
      return times_;
    guessed_ |= runs_.guessed[step.instrs.front()];
    return runs_.times[step.instrs.front()];
  }

  // Along which axes devices share all that a collective makes.
  sharding::AxisSet shared(const Step &step) const {
    sharding::AxisSet axes = sharding::AxisSet::first(program_.mesh().num_axes());
    for (const ValueRef v : step.results)
      axes &= planned_.schedule.sharing.of(root(v));
    return axes;
  }

  uint32_t root(ValueRef v) const { return planned_.schedule.views[v].root; } // where it lies
  std::vector<uint32_t> roots(std::span<const ValueRef> values) const {
    std::vector<uint32_t> all;
    for (const ValueRef v : values)
      all.push_back(root(v));
    return all;
  }

  void add_compute(const Step &step) {
    const int64_t times = times_of(step);
    begin(times);
    const Work work = work_of(step, program_, layouts_, system_);
    opaque_ += work.opaque ? 1 : 0;
    bool by_memory = false;
    const double alone = seconds(work, system_, by_memory);
    const double each = alone * turns_of(program_.mesh(), system_, planned_.schedule.sharing.of(step));
    (by_memory ? estimate_.memory_s : estimate_.compute_s) += each * static_cast<double>(times);
    std::vector<uint32_t> reads;
    step.each_read([&](ValueRef v) { reads.push_back(root(v)); });
    const Timeline::Span span = timeline_.compute(reads, roots(step.results), each);
    push({step.instrs.empty() ? graph::kNone : step.instrs.front(), step.instrs.size(), work.flops,
          work.bytes, each, times, by_memory, false},
         span);
    computes_.push_back({estimate_.steps.size() - 1, &step, alone});
  }

  void add_collective(const Step &step) {
    const int64_t times = times_of(step);
    begin(times);
    const spmd::Collective &c = program_.collectives()[program_.instrs()[step.instrs[0]].index];
    const std::vector<Leg> legs = legs_of(c.summary, program_.mesh(), system_);
    const std::vector<size_t> axes(c.summary.axes.begin(), c.summary.axes.end());
    double bytes = 0, held = 0;
    for (uint32_t a = 0; a < step.results.size(); ++a) {
      bytes += array_bytes(program_, layouts_, c, a);
      held += static_cast<double>(layouts_.most_bytes(step.results[a]));
    }
    if (c.summary.kind == Kind::copy) { // of a tile that is there
      bool by_memory = false;
      const double each =
          seconds({.bytes = 2 * held}, system_, by_memory) * turns_of(program_.mesh(), system_, shared(step));
      estimate_.memory_s += each * static_cast<double>(times);
      push({step.instrs[0], 1, 0, 2 * held, each, times, true, false},
           timeline_.compute(roots(step.operands), roots(step.results), each));
      return;
    }
    std::vector<LinkTime> on_links; // of this collective, from its begin
    const double each = c.is_planned()
                            ? planned_seconds(c, on_links)
                            : moving_seconds(c.summary, program_.mesh(), system_, shared(step), bytes);
    if (!c.is_planned())
      for (const sharding::AxisId axis : c.summary.axes)
        on_links.push_back({0, link("axis " + std::string(program_.mesh().axis(axis).name)), 0, each});
    estimate_.communication_s += each * static_cast<double>(times);
    share_out(c.summary.kind, legs, axes, bytes, each * static_cast<double>(times));
    std::vector<size_t> streams = axes; // first those of the axes, then those of all links
    for (const LinkTime &time : on_links)
      streams.push_back(program_.mesh().num_axes() + time.link);
    push({step.instrs[0], 1, 0, bytes, each, times, false, true},
         timeline_.move(roots(step.operands), roots(step.results), streams, each));
    for (LinkTime &time : on_links) {
      time.step = static_cast<uint32_t>(estimate_.steps.size() - 1);
      time.begin_s += estimate_.steps.back().begin_s;
    }
    estimate_.on_links.insert(estimate_.on_links.end(), on_links.begin(), on_links.end());
  }

  uint32_t link(std::string name) {
    const auto at = std::ranges::find(estimate_.links, name) - estimate_.links.begin();
    if (at == std::ssize(estimate_.links))
      estimate_.links.push_back(std::move(name));
    return static_cast<uint32_t>(at);
  }

  // `span` counts from the begin of the stretch.
  void push(StepTime step, const Timeline::Span &span) {
    step.begin_s = system_.overlaps ? estimate_.overlapped_s + span.begin : serial_so_far_;
    step.lasts_s = system_.overlaps ? span.seconds : step.seconds;
    serial_so_far_ += step.seconds * static_cast<double>(step.times);
    estimate_.steps.push_back(step);
  }

  // What the redistributor planned for levels; `on_links`: when each is used.
  double planned_seconds(const spmd::Collective &c, std::vector<LinkTime> &on_links) {
    double all = 0;
    for (const redistribute::Move *move : c.moves) {
      const auto bytes = move->bytes_by_level();
      std::vector<Stage> stages;
      for (size_t level = 0; level < bytes.size(); ++level) {
        Stage &stage = stages.emplace_back(links_of(level, bytes.size(), c));
        stage.bytes = bytes[level];
        if (!move->is_straight())
          stage.steps = std::ranges::count_if(move->plan().steps, [&](const redistribute::Step &step) {
            return step.level == level && step.kind != Kind::copy;
          });
      }
      double begin = all; // of the next level
      for (size_t level = 0; level < stages.size(); ++level) {
        const double lasts = stage_seconds(stages[level]);
        if (lasts > 0)
          on_links.push_back({0, link(level_name(level, bytes.size())), begin, lasts});
        begin += move->is_straight() ? 0 : lasts;
      }
      all += staged_seconds(stages, move->is_straight());
    }
    return all;
  }

  // Levels come outermost first; inside the innermost groups there is one more.
  std::string level_name(size_t level, size_t num_levels) const {
    const auto names = program_.level_names();
    if (level + 1 < num_levels)
      return "level " + (level < names.size() ? names[level] : std::to_string(level));
    return names.empty() ? "inside" : "inside " + names.back();
  }

  // That of the section with the level's name, else of all; inside the innermost groups those of the axes.
  Stage links_of(size_t level, size_t num_levels, const spmd::Collective &c) const {
    Stage stage;
    if (level + 1 < num_levels && !system_.levels.empty()) {
      const auto names = program_.level_names();
      if (level < names.size())
        if (const auto own = system_.levels.find(names[level]); own != system_.levels.end())
          return {.links = {&own->second}};
      for (const auto &[name, link] : system_.levels)
        stage.links.push_back(&link);
      stage.slowest = true;
      return stage;
    }
    for (const sharding::AxisId axis : c.summary.axes)
      if (const auto *link = system_.find_link(program_.mesh().axis(axis).name)) // of one device: maybe none
        stage.links.push_back(link);
    return stage;
  }

  // Over several axes: as each alone would take its part.
  void share_out(Kind kind, std::span<const Leg> legs, std::span<const size_t> axes, double bytes,
                 double seconds) {
    std::vector<double> parts;
    double sum = 0;
    for (const Leg &leg : legs)
      sum += parts.emplace_back(collective_seconds(kind, {&leg, 1}, bytes));
    for (size_t i = 0; i < axes.size(); ++i)
      estimate_.by_axis_s[axes[i]] += sum > 0 ? seconds * parts[i] / sum : 0;
  }

  void find_memory() {
    const runtime::Peak &peak = planned_.peak;
    const system::Device &device = system_.device;
    estimate_.peak_bytes = static_cast<double>(peak.bytes) + device.library_bytes;
    estimate_.places.insert(estimate_.places.begin(), {0, graph::kNone, graph::kNone});
    estimate_.places.push_back({0, graph::kNone, graph::kNone});
    for (size_t i = 0; i < peak.at.size(); ++i)
      estimate_.places[i].bytes = peak.at[i];
    estimate_.peak_place = peak.time;
    estimate_.cap_bytes =
        options_.cap_bytes > 0 ? options_.cap_bytes : device.hbm_bytes - device.reserve_bytes;
    find_roles();
    for (const auto &held : peak.held) {
      const auto bytes = static_cast<double>(held.bytes);
      estimate_.peak_bytes += std::ceil(bytes / device.round_bytes) * device.round_bytes - bytes;
      estimate_.held.push_back({held.value, held.bytes, role_of(held.value)});
    }
    for (const auto &life : peak.lives)
      estimate_.lives.push_back({{life.value, life.bytes, role_of(life.value)}, life.first, life.last});
  }

  // Which devices have tiles of the same size of everything, and how long each kind computes.
  void find_kinds() {
    constexpr int64_t kMostDevices = 4096;
    constexpr size_t kMostTimes = 200'000;
    const sharding::Mesh &mesh = program_.mesh();
    if (mesh.num_devices() > kMostDevices)
      return;
    std::map<std::vector<int64_t>, uint32_t> kinds;
    std::vector<sharding::Position> first; // device of each
    std::vector<uint32_t> kind_of(static_cast<size_t>(mesh.num_devices()));
    for (sharding::Position p; p < layouts_.num_positions(); ++p) {
      if (mesh.without(p, mesh.loop_axes()) != p)
        continue;
      std::vector<int64_t> sizes;
      for (runtime::LayoutId layout = 0; layout < layouts_.size(); ++layout)
        sizes.push_back(layouts_.elements(layout, p));
      const auto [kind, is_new] = kinds.try_emplace(std::move(sizes), static_cast<uint32_t>(first.size()));
      if (is_new)
        first.push_back(p);
      kind_of[static_cast<size_t>(mesh.device_of(p).index())] = kind->second;
    }
    if (first.size() * computes_.size() > kMostTimes)
      return;
    estimate_.kind_of = std::move(kind_of);
    for (const sharding::Position p : first) {
      auto &parts = estimate_.part_of_most.emplace_back(estimate_.steps.size(), 1.F);
      if (first.size() == 1)
        break; // it has most of everything
      for (const auto &[at, step, most] : computes_) {
        bool by_memory = false;
        if (most > 0)
          parts[at] = static_cast<float>(
              seconds(work_of(*step, program_, layouts_, system_, p), system_, by_memory) / most);
      }
    }
  }

  // An argument is updated where a result of its type is made of it by elementwise ops alone.
  void find_roles() {
    for (const Instr &in : program_.instrs())
      if (in.kind == InstrKind::compute && !is_elementwise(in))
        for (const ValueRef v : program_.operands(in))
          used_.insert(program_.values()[v].origin);
    for (const Instr &in : program_.instrs())
      if (in.kind == InstrKind::result)
        find_updated(program_.operands(in)[0]);
  }
  bool is_elementwise(const Instr &in) const {
    return (ops::op_def(program_.graph().op(in.op).code).flags & ops::kElementwise) != 0;
  }

  void find_updated(ValueRef result) {
    constexpr size_t kFar = 64; // values; an update has fewer
    const graph::TensorType &type = program_.type(result);
    std::vector<ValueRef> reached = {result};
    for (size_t i = 0; i < reached.size() && i < kFar; ++i) {
      const ValueRef v = reached[i];
      const Instr &maker = program_.instrs()[program_.values()[v].def];
      if (maker.kind == InstrKind::argument && v != result && program_.type(v) == type) {
        updated_.insert(program_.values()[v].origin);
        if (used_.contains(program_.values()[v].origin))
          parameter_types_.insert({type.dtype, type.dims});
      }
      if (maker.kind == InstrKind::collective || (maker.kind == InstrKind::compute && is_elementwise(maker)))
        for (const ValueRef operand : program_.operands(maker))
          if (std::ranges::count(reached, operand) == 0)
            reached.push_back(operand);
    }
  }

  Role role_of(ValueRef v) const {
    const spmd::Value &value = program_.values()[v];
    const Instr &maker = program_.instrs()[value.def];
    if (maker.kind == InstrKind::argument)
      return updated_.contains(value.origin) && !used_.contains(value.origin) ? Role::state : Role::parameter;
    if (maker.kind == InstrKind::collective) {
      const Kind kind = program_.collectives()[maker.index].summary.kind;
      if (kind == Kind::all_gather)
        return Role::gathered;
      if (kind != Kind::all_reduce && kind != Kind::reduce_scatter)
        return Role::buffer;
    }
    const graph::TensorType &type = program_.type(v);
    return parameter_types_.contains({type.dtype, type.dims}) ? Role::gradient : Role::activation;
  }

  void note() {
    if (guessed_)
      estimate_.notes.push_back(
          fmt::format("loops that data end count {} times (--trip-count says how often)",
                      options_.trip_count.value_or(system_.trip_count)));
    if (opaque_ > 0)
      estimate_.notes.push_back(fmt::format(
          "{} calls of code that is not known count as copies of what they read and make", opaque_));
    if (std::ranges::any_of(program_.graph().ops(), [](const graph::Op &op) {
          return ops::op_def(op.code).kind == ops::OpKind::conditional;
        }))
      estimate_.notes.emplace_back("all branches of conditionals count, though one of them runs");
  }

  const spmd::Program &program_;
  const runtime::Planned &planned_;
  const runtime::Layouts &layouts_;
  const system::System &system_;
  const Options &options_;
  const spmd::Runs runs_;
  Timeline timeline_;
  Estimate estimate_;
  struct Computes {
    size_t at; // of the estimate's steps
    const Step *step;
    double alone; // seconds, of the device that has most of it, where no device waits for its turn
  };
  std::vector<Computes> computes_;
  double serial_so_far_ = 0;
  int64_t times_ = 1;
  int64_t opaque_ = 0;
  bool guessed_ = false;
  std::set<graph::ValueId> used_, updated_; // by more than elementwise ops; arguments that results replace
  std::set<std::pair<graph::DType, graph::Shape>> parameter_types_; // of arguments that are both
};

} // namespace

std::string_view name(Role role) {
  switch (role) {
  case Role::parameter: return "parameter";
  case Role::state: return "state";
  case Role::gradient: return "gradient";
  case Role::gathered: return "gathered";
  case Role::buffer: return "buffer";
  case Role::activation: break;
  }
  return "activation";
}

Result<Estimate> estimate(std::shared_ptr<const spmd::Program> program, const system::System &system,
                          const Options &options) {
  TW_TRY(check_axes(program->mesh(), system));
  runtime::Options how;
  how.donate = options.donate;
  how.without = options.without;
  if (!system.chains)
    how.without.emplace_back("form_chains");
  if (!system.device.shared_memory)
    how.without.emplace_back("share_replicated");
  TW_ASSIGN(const runtime::Planned planned, runtime::Executable::plan(program, std::move(how)));
  return Estimator(*program, planned, system, options).run();
}

} // namespace tw::cost
