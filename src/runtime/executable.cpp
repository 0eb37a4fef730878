// SPDX-License-Identifier: Apache-2.0
// From a program to something that runs: `prepare` reads top to bottom.
#include "runtime/executable.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "comm/local/local.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/info.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"
#include "ops/strided.hpp"
#include "runtime/best_fit.hpp"
#include "runtime/binding.hpp"
#include "runtime/layout.hpp"
#include "runtime/members.hpp"
#include "runtime/memory.hpp"
#include "runtime/packing.hpp"
#include "runtime/runnable.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

using kernels::cpu::CopyPlan;
using ops::dense_strides;
using spmd::Instr;
using spmd::InstrKind;

namespace {

constexpr size_t kPage = 4096;
// Equal offsets of different devices should not share sets of the caches.
constexpr size_t kSkew = 33 * 64;
constexpr int64_t kPartBytes = 256 << 10;

// Who takes part in a collective: positions of a mesh without the loops that are not around it.
struct CommPlaces {
  sharding::Mesh mesh;
  std::vector<int64_t> position; // by position of that mesh, in the program's
};

CommPlaces places_of(const spmd::Program &program, const Step &step) {
  const uint64_t unused = program.mesh().loop_axes() & ~step.around;
  CommPlaces places{program.mesh().collapsed(unused), {}};
  for (int64_t p = 0; p < program.mesh().num_positions(); ++p)
    if (program.mesh().without(p, unused) == p)
      places.position.push_back(p);
  return places;
}

// In which order the devices' parts of what a reduction makes follow each other: that of the tiles that they reduced. Who had none, and no
// initial value, has no part: -1.
std::vector<int64_t> order_of_parts(const spmd::Program &program, const Layouts &layouts, spmd::ValueRef made,
                                    const CommPlaces &places) {
  const Instr &reduction = program.instrs()[program.values()[made].def];
  const LayoutId reduced = layouts.of(program.operands(reduction)[0]);
  std::vector<size_t> members(places.position.size());
  std::vector<int64_t> rank(members.size(), -1);
  std::iota(members.begin(), members.end(), 0);
  const auto box = [&](size_t m) -> const sharding::Box & {
    return layouts.box(reduced, places.position[m]);
  };
  std::ranges::stable_sort(members, {}, [&](size_t m) { return box(m).offset; });
  for (size_t i = 0; i < members.size(); ++i)
    if (!box(members[i]).empty() || program.uses_init(reduction, places.position[members[i]]))
      rank[members[i]] = static_cast<int64_t>(i);
  return rank;
}

} // namespace

Executable::~Executable() {
  TW_ASSERT(!in_progress_);
  if (executor_ == nullptr)
    return;
  for (const BoundStep &step : executor_->steps())
    if (step.collective != nullptr && step.collective->is_in_flight()) {
      static_cast<void>(memory_.release()); // somebody may still read or write there
      return;
    }
}

void Executable::Free::operator()(std::byte *p) const { allocator.release(p, bytes, kPage); }

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

Status Executable::prepare(Options options) {
  const spmd::Program &program = *program_;
  TW_TRY(spmd::check_passes(options.without, step_passes()));
  if (options.first_kernel == nullptr) // else its own kernels may run what ours do not
    TW_TRY(check_runnable(program, options.custom_calls.get()));
  custom_calls_ = options.custom_calls;
  const Layouts layouts(program);
  communicator_ = options.communicator != nullptr ? options.communicator : comm::make_local();
  // What the first process collects, it collects from arenas.
  const bool donates =
      options.donate && !options.tiles && !(options.whole_outputs && communicator_->is_shared());
  ScheduleOptions how{donates, {}, options.without};
  if (communicator_->is_shared())
    how.process = communicator_->process_by_position(program.mesh());
  const Schedule plan = schedule(program, layouts, how);
  devices_ = communicator_->devices(program.mesh().num_devices());
  TW_TRY(agree(plan));

  const Sharing &sharing = plan.sharing;
  const auto lies_in_argument = [&](spmd::ValueRef v) {
    const spmd::ValueRef root = plan.views[v].root;
    return program.instrs()[program.values()[root].def].kind == InstrKind::argument;
  };

  // Collectives, so that it is known which may run in place.
  std::vector<std::unique_ptr<comm::Collective>> collectives(plan.steps.size());
  std::vector<std::vector<int64_t>> members(plan.steps.size());
  std::vector<bool> in_place(plan.steps.size(), false);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    if (step.kind != Step::Kind::collective)
      continue;
    const auto sharding_of = [&](spmd::ValueRef v) -> const sharding::Sharding & {
      return program.sharding(program.values()[v].sharding);
    };
    const Instr &in = program.instrs()[step.instrs[0]];
    CommPlaces places = places_of(program, step);
    if (program.collectives()[in.index].summary.reduction == sharding::Reduction::region) {
      std::vector<graph::TensorType> types;
      for (const spmd::ValueRef v : step.results)
        types.push_back(program.type(v));
      const graph::Graph &graph = program.graph();
      const auto rank = order_of_parts(program, layouts, step.operands[0], places);
      TW_ASSIGN(collectives[i],
                communicator_->prepare(comm::Fold{places.mesh, types, sharding_of(step.operands[0]),
                                                  sharding_of(step.results[0]), graph,
                                                  graph.op(in.op).first_region, rank}));
    } else {
      std::vector<comm::Transfer> transfers;
      std::vector<std::vector<int64_t>> leaders;
      for (const spmd::ValueRef v : step.results)
        leaders.push_back(sharing.leaders(sharing.of(v)));
      for (size_t a = 0; a < step.results.size(); ++a)
        transfers.push_back({places.mesh, program.type(step.results[a]), sharding_of(step.operands[a]),
                             sharding_of(step.results[a]), leaders[a], plan.from_zero[step.operands[a]],
                             lies_in_argument(step.operands[a]),
                             program.collectives()[in.index].steps_of(a)});
      TW_ASSIGN(collectives[i], communicator_->prepare(transfers));
    }
    members[i] = std::move(places.position);
    in_place[i] = collectives[i]->may_run_in_place();
  }

  const Memory memory(program, layouts, plan, in_place);
  for (uint32_t a = 0; a < program.graph().arguments().size(); ++a)
    donated_.push_back(memory.donated_to(a));
  const sharding::Mesh &mesh = program.mesh();
  for (int64_t p = 0; p < mesh.num_positions(); ++p)
    if (mesh.without(p, mesh.loop_axes()) == p) {
      if (is_local(p))
        homes_.push_back(p);
      arena_bytes_.push_back(is_local(p) ? memory.arena_bytes(p) : 0);
      used_bytes_.push_back(is_local(p) ? memory.used_bytes(p) : 0);
    }

  tiles_ = options.tiles;
  find_tiles(layouts);
  // Where the bytes of a value lie; what is read in a caller's tile begins where that does.
  const auto locate = [&](spmd::ValueRef v, int64_t position) {
    Location at = memory.locate(v, position);
    if (at.base == 0 || !tiles_ || !is_local(position))
      return at;
    const graph::OpId argument = program.graph().arguments()[at.base - 1];
    const size_t home = home_of(position);
    const sharding::Box &tile = argument_tiles_[(at.base - 1) * homes_.size() + home];
    const graph::TensorType &type = program.graph().type(program.graph().result(argument));
    const auto strides = dense_strides(type.dims);
    for (size_t d = 0; d < strides.size(); ++d)
      at.offset -= tile.offset[d] * strides[d] * static_cast<int64_t>(byte_size(type.dtype));
    at.base = static_cast<uint32_t>((at.base - 1) * homes_.size() + home + 1);
    return at;
  };

  // Kernels and the places of what they read and write.
  if (options.pool == nullptr)
    options.pool = std::make_shared<WorkerPool>(options.workers);
  const bool idle_cores = options.pool->workers() > devices_.last - devices_.first &&
                          mesh.loop_axes(sharding::AxisKind::threads) == 0;
  Binder binder(program, layouts, plan, options.first_kernel, custom_calls_.get(), devices_, idle_cores);
  size_t most_pointers = 1;
  uint32_t num_collectives = 0;
  const auto bind = [&](const Step &step, std::unique_ptr<comm::Collective> collective) -> Result<BoundStep> {
    BoundStep bound;
    bound.collective = std::move(collective);
    bound.targets = step.targets;
    if (step.kind == Step::Kind::await) {
      bound.awaits = step.awaited;
      return bound;
    }
    const bool passes_loop = step.kind == Step::Kind::enter || step.kind == Step::Kind::turn;
    if (passes_loop)
      bound.loop = {step.kind == Step::Kind::enter, mesh.axis(step.axis).kind == sharding::AxisKind::threads,
                    mesh.stride(step.axis), mesh.size(step.axis), step.axis};
    if (step.kind == Step::Kind::jump && !step.operands.empty())
      bound.selector_bytes = byte_size(program.type(step.operands[0]).dtype);
    if (bound.collective != nullptr)
      bound.collective_index = num_collectives++;
    else if (step.kind != Step::Kind::jump && !passes_loop) {
      TW_ASSIGN(bound.kernels, binder.bind(step));
      if (memory.is_accumulated(step))
        std::ranges::fill(bound.kernels, nullptr);
      bound.leaders = sharing.leaders(sharing.of(step));
    }
    const int64_t lanes = step.lanes ? mesh.size(step.axis) : 1;
    bound.num_operands = step.operands.size() * static_cast<size_t>(lanes);
    for (const FusedRead &read : step.reads)
      bound.num_operands += static_cast<size_t>(read.parts(mesh));
    bound.num_results = step.results.size();
    most_pointers = std::max({most_pointers, bound.num_operands, bound.num_results});
    for (int64_t d = 0; d < layouts.num_positions(); ++d) {
      if (!step.runs_at(mesh, d)) {
        bound.places.resize(bound.places.size() + bound.num_operands + bound.num_results);
        continue;
      }
      for (const spmd::ValueRef v : step.operands)
        for (int64_t lane = 0; lane < lanes; ++lane)
          bound.places.push_back(locate(v, d + lane * (lanes > 1 ? mesh.stride(step.axis) : 0)));
      for (const FusedRead &read : step.reads)
        for (int64_t part = 0; part < read.parts(mesh); ++part)
          bound.places.push_back(read.splat ? memory.locate_splat(read.value, d)
                                            : locate(read.value, read.position(mesh, d, part)));
      for (const spmd::ValueRef v : step.results)
        bound.places.push_back(locate(v, d));
      const auto touches = [&](spmd::ValueRef v) {
        const auto size = static_cast<int64_t>(byte_size(program.type(v).dtype));
        bound.bytes += is_local(d) ? layouts.elements(layouts.of(v), d) * size : 0;
      };
      step.each_read(touches);
      std::ranges::for_each(step.results, touches);
    }
    return bound;
  };
  std::vector<BoundStep> statics, steps;
  for (const Step &step : plan.statics) {
    TW_ASSIGN(BoundStep bound, bind(step, nullptr));
    statics.push_back(std::move(bound));
  }
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    TW_ASSIGN(BoundStep bound, bind(plan.steps[i], std::move(collectives[i])));
    bound.members = std::move(members[i]);
    steps.push_back(std::move(bound));
    step_instrs_.push_back(own_members(plan.steps[i]));
  }
  kernels_ = binder.take_kernels();

  Others others;
  if (communicator_->is_shared())
    others = {communicator_.get(), devices_, [this](Failure &failure) {
                explain(failure);
                communicator_->abort(failure.error);
              }};
  const Room room{binder.scratch_bytes(), binder.shared_bytes(), most_pointers};
  executor_ = std::make_unique<Executor>(std::move(steps), mesh, options.pool, room, options.profile,
                                         std::move(others));
  if (options.trace)
    executor_->trace();
  find_staging(plan);
  TW_TRY(allocate(options, memory));

  // What never changes.
  for (const Step &step : plan.steps)
    for (const FusedRead &read : step.reads)
      if (read.splat) {
        const graph::OpId op = program.instrs()[program.values()[read.value].def].op;
        const auto &bytes = *ops::literal_of(program.graph(), op)->bytes;
        for (const int64_t d : homes_)
          std::memcpy(arenas_[static_cast<size_t>(d)] + memory.locate_splat(read.value, d).offset,
                      bytes.data(), bytes.size());
      }
  for (const int64_t d : homes_)
    if (auto failure = executor_->run_alone(statics, d, arenas_)) {
      explain(failure->error, d, plan.statics[failure->step].instrs);
      return fail(std::move(failure->error));
    }

  pack(program, plan, layouts, memory, executor_->steps(), arenas_);

  plan_arguments(layouts, memory, sharing);
  plan_results(layouts, memory);
  if (options.whole_outputs && !tiles_ && communicator_->is_shared()) {
    TW_ASSIGN(collector_, Collector::create(*communicator_, program, layouts, memory));
  }
  is_small_ = is_small(layouts);
  prepare_workers();
  return {};
}

// Whether one worker alone is faster: what a device brings to a meeting, and what waits for it there, moves from core to core where
// several work. Whoever asks for several gets them.
bool Executable::is_small(const Layouts &layouts) const {
  constexpr double kBytesPerNs = 20,
                   kFlopsPerNs = 10; // what a core does at least with what lies in its cache
  constexpr double kNsEach =
      1200; // of a device, between two of its meetings; measured on sums of 4 B to 4 KiB
  if (!executor_->pool().may_use_fewer() || communicator_->is_shared())
    return false;
  const auto steps = executor_->steps();
  double bytes = 0, meetings = 1;
  for (const BoundStep &step : steps) {
    bytes += static_cast<double>(step.bytes);
    meetings += step.collective != nullptr || !step.leaders.empty() ? 1 : 0;
  }
  const double most = meetings * static_cast<double>(layouts.num_positions()) * kNsEach;
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

// Every worker takes one part, since none ends before all have begun; a pool that is busy elsewhere is not waited for.
void Executable::prepare_workers() {
  constexpr auto kPatience = std::chrono::milliseconds(20);
  const unsigned workers = executor_->workers();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::atomic<unsigned> arrived{0};
  executor_->pool().parallel_for(workers, [&](int64_t, unsigned) {
    kernels::prepare_thread();
    ++arrived;
    while (arrived < workers && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  });
}

namespace {

// Where its staging lies: that of the first member that this process runs, for whom nothing else is under way. Steps have nothing of their own.
int64_t stager_of(const BoundStep &step, size_t group, const sharding::Mesh &mesh) {
  const auto members = step.collective->members(group);
  if (members.empty())
    return -1;
  return mesh.without(step.members[static_cast<size_t>(members[0])],
                      mesh.loop_axes(sharding::AxisKind::serial));
}

} // namespace

// Where those of a position lie behind its arena: what is under way at the same time lies apart.
void Executable::find_staging(const Schedule &plan) {
  const sharding::Mesh &mesh = program_->mesh();
  const auto steps = executor_->steps();
  std::vector<std::vector<Block>> blocks(static_cast<size_t>(mesh.num_positions()));
  std::vector<size_t> block_of;
  for (uint32_t s = 0; s < steps.size(); ++s)
    for (size_t g = 0; steps[s].collective != nullptr && g < steps[s].collective->num_groups(); ++g) {
      const int64_t position = stager_of(steps[s], g, mesh);
      if (position < 0)
        continue;
      auto &of_position = blocks[static_cast<size_t>(position)];
      const uint32_t over = plan.steps[s].awaited;
      if (of_position.empty() ||
          of_position.back().first != s) // else the groups of a loop's steps, one after the other
        of_position.push_back({0, s, over != graph::kNone ? over : s});
      of_position.back().bytes = std::max(of_position.back().bytes, steps[s].collective->staging_bytes(g));
      staging_.push_back({s, g, position});
      block_of.push_back(of_position.size() - 1);
    }
  std::vector<std::vector<int64_t>> offsets(blocks.size());
  for (size_t p = 0; p < blocks.size(); ++p)
    staging_bytes_.push_back((best_fit(blocks[p], offsets[p]) + 63) / 64 * 64);
  for (size_t i = 0; i < staging_.size(); ++i)
    staging_[i].offset = offsets[static_cast<size_t>(staging_[i].position)][block_of[i]];
}

Status Executable::give_staging() {
  const sharding::Mesh &mesh = program_->mesh();
  std::vector<std::byte *> staging(staging_bytes_.size(), nullptr); // behind the arena of the device
  std::vector<int64_t> used(arena_bytes_.size(), 0);
  for (size_t p = 0; p < staging.size(); ++p)
    if (staging_bytes_[p] > 0) {
      const auto device = static_cast<size_t>(mesh.device_of(static_cast<int64_t>(p)));
      used[device] += staging_bytes_[p];
      staging[p] = arenas_[p] + arena_bytes_[device] - used[device];
    }
  for (const Staging &at : staging_)
    TW_TRY(executor_->steps()[at.step].collective->give_staging(
        at.group, staging[static_cast<size_t>(at.position)] + at.offset));
  return {};
}

// Which device needs most, at which step, and what it holds there.
Error Executable::too_large(size_t bytes, size_t limit, const Memory &memory) const {
  constexpr size_t kNamed = 5;
  Error error(Code::resource_exhausted, "TW-622",
              fmt::format("the devices need {} bytes in all, more than the limit of {}", bytes, limit));
  const auto needs = [&](int64_t position) { return memory.used_bytes(position); };
  const auto home = std::ranges::max_element(homes_, {}, needs);
  if (home == homes_.end())
    return error;
  const Memory::Peak peak = memory.find_peak(*home);
  const size_t step = std::clamp<size_t>(peak.time, 1, std::max<size_t>(step_instrs_.size(), 1)) - 1;
  if (step < step_instrs_.size())
    error.info().message += fmt::format("; {} holds most, {} bytes, at {}", device_name(*home), peak.bytes,
                                        step_name(static_cast<uint32_t>(step)));
  const graph::Graph &graph = program_->graph();
  for (size_t i = 0; i < std::min(kNamed, peak.held.size()); ++i) {
    const spmd::Value &value = program_->values()[peak.held[i].value];
    const graph::OpId op = program_->instrs()[value.def].op;
    const std::string place = op == graph::kNone ? "" : graph.location_text(op);
    error.info().notes.push_back(fmt::format(
        "{} bytes: {} {}, {}{}{}", peak.held[i].bytes, graph.value_name(value.origin),
        to_short_text(graph.type(value.origin)), step_kind({value.def}), place.empty() ? "" : " at ", place));
  }
  return error;
}

Status Executable::allocate(const Options &options, const Memory &memory) {
  for (size_t p = 0; p < staging_bytes_.size(); ++p)
    if (staging_bytes_[p] > 0) {
      int64_t &bytes = arena_bytes_[static_cast<size_t>(program_->mesh().device_of(static_cast<int64_t>(p)))];
      bytes = (bytes + 63) / 64 * 64 + staging_bytes_[p];
    }
  size_t total = 0;
  std::vector<size_t> starts;
  for (const int64_t bytes : arena_bytes_) {
    starts.push_back(total);
    if (bytes > 0 && __builtin_add_overflow(
                         total, (static_cast<size_t>(bytes) + kPage - 1) / kPage * kPage + kSkew, &total))
      return fail(Code::resource_exhausted, "TW-623", "the devices need more than 2^64 bytes");
  }
  if (options.max_bytes > 0 && total > static_cast<size_t>(options.max_bytes))
    return fail(too_large(total, static_cast<size_t>(options.max_bytes), memory));
  const size_t bytes = std::max<size_t>(total, 1);
  memory_ = {static_cast<std::byte *>(options.allocator.allocate(bytes, kPage)),
             Free{options.allocator, bytes}};
  if (memory_ == nullptr)
    return fail(Code::resource_exhausted, "TW-623",
                fmt::format("no memory for the devices' {} bytes", total));
  // Touched here, once: the first touch of a page costs far more than any later one.
  const auto pages = static_cast<int64_t>((total + kPage - 1) / kPage);
  executor_->pool().parallel_for(pages, [&](int64_t page, unsigned) {
    const size_t at = static_cast<size_t>(page) * kPage;
    std::memset(memory_.get() + at, 0, std::min(kPage, total - at));
  });
  const sharding::Mesh &mesh = program_->mesh();
  for (int64_t p = 0; p < mesh.num_positions(); ++p)
    arenas_.push_back(memory_.get() + starts[static_cast<size_t>(mesh.device_of(p))]);
  return give_staging();
}

size_t Executable::home_of(int64_t position) const {
  const sharding::Mesh &mesh = program_->mesh();
  return static_cast<size_t>(mesh.device_of(position) - devices_.first);
}

void Executable::find_tiles(const Layouts &layouts) {
  if (!tiles_)
    return;
  const graph::Graph &graph = program_->graph();
  argument_tiles_.resize(graph.arguments().size() * homes_.size());
  result_tiles_.resize(graph.results().size() * homes_.size());
  for (const Instr &in : program_->instrs()) {
    const bool takes = in.kind == InstrKind::argument;
    if (!takes && in.kind != InstrKind::result)
      continue;
    const LayoutId layout = layouts.of(takes ? in.first_result : program_->operands(in)[0]);
    for (size_t h = 0; h < homes_.size(); ++h)
      (takes ? argument_tiles_ : result_tiles_)[in.index * homes_.size() + h] =
          layouts.box(layout, homes_[h]);
  }
  inputs_.resize(argument_tiles_.size());
  outputs_.resize(result_tiles_.size());
}

void Executable::plan_arguments(const Layouts &layouts, const Memory &memory, const Sharing &sharing) {
  argument_bytes_.assign(arena_bytes_.size(), 0);
  for (const Instr &in : program_->instrs()) {
    if (in.kind != InstrKind::argument)
      continue;
    const graph::TensorType &type = program_->type(in.first_result);
    const auto size = static_cast<int64_t>(byte_size(type.dtype));
    const auto strides = dense_strides(type.dims);
    if (inputs_.size() <= in.index)
      inputs_.resize(in.index + 1);
    for (const int64_t d : homes_) {
      const sharding::Box &box = layouts.box(layouts.of(in.first_result), d);
      if (memory.is_in_place(in.index)) {
        argument_bytes_[static_cast<size_t>(program_->mesh().device_of(d))] += box.elements() * size;
        continue;
      }
      if (box.empty() || sharing.leader(sharing.of(in.first_result), d) != d)
        continue;
      if (tiles_) {
        add(scatter_, scatter_parts_,
            {static_cast<uint32_t>(in.index * homes_.size() + home_of(d)), 0,
             memory.locate(in.first_result, d),
             CopyPlan(box.extent, dense_strides(box.extent), dense_strides(box.extent), size), 1});
        continue;
      }
      int64_t offset = 0;
      for (size_t dim = 0; dim < box.rank(); ++dim)
        offset += box.offset[dim] * strides[dim];
      CopyPlan plan(box.extent, strides, dense_strides(box.extent), size);
      add(scatter_, scatter_parts_,
          {in.index, offset * size, memory.locate(in.first_result, d), std::move(plan), 1});
    }
  }
}

void Executable::plan_results(const Layouts &layouts, const Memory &memory) {
  for (const Instr &in : program_->instrs()) {
    if (in.kind != InstrKind::result)
      continue;
    const spmd::ValueRef value = program_->operands(in)[0];
    const graph::TensorType &type = program_->type(value);
    const auto size = static_cast<int64_t>(byte_size(type.dtype));
    const auto strides = dense_strides(type.dims);
    if (outputs_.size() <= in.index)
      outputs_.resize(in.index + 1);
    // Every part once, from the first device that holds it.
    std::set<std::vector<int64_t>> seen;
    for (const int64_t d : homes_) {
      const sharding::Box &box = layouts.box(layouts.of(value), d);
      if (tiles_ && !box.empty())
        add(gather_, gather_parts_,
            {static_cast<uint32_t>(in.index * homes_.size() + home_of(d)), 0, memory.locate(value, d),
             CopyPlan(box.extent, dense_strides(box.extent), dense_strides(box.extent), size), 1});
      if (tiles_ || box.empty() || !seen.insert(box.offset).second)
        continue;
      int64_t offset = 0;
      for (size_t dim = 0; dim < box.rank(); ++dim)
        offset += box.offset[dim] * strides[dim];
      CopyPlan plan(box.extent, dense_strides(box.extent), strides, size);
      add(gather_, gather_parts_, {in.index, offset * size, memory.locate(value, d), std::move(plan), 1});
    }
  }
}

void Executable::add(std::vector<Transfer> &transfers, Parts &parts, Transfer transfer) {
  transfer.parts = std::clamp<int64_t>(transfer.plan.bytes() / kPartBytes, 1,
                                       std::max<int64_t>(transfer.plan.max_parts(), 1));
  for (int64_t p = 0; p < transfer.parts; ++p)
    parts.emplace_back(static_cast<uint32_t>(transfers.size()), static_cast<uint32_t>(p));
  transfers.push_back(std::move(transfer));
}

} // namespace tw::runtime
