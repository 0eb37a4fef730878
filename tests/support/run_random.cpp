// SPDX-License-Identifier: Apache-2.0
// Any difference is a failure: on small integers every order of summation gives the same bits.
#include "support/run_random.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "comm/remote/remote.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "runtime/executable.hpp"
#include "runtime/schedule.hpp"
#include "spmd/program.hpp"
#include "support/random_program.hpp"
#include "support/thread_transport.hpp"

namespace tw::test {

namespace {

std::string graph_text(const graph::Graph &graph) {
  std::string text;
  const auto list = [&](auto &&values) {
    std::string out;
    for (const graph::ValueId v : values)
      out +=
          fmt::format("{}{}:{}", out.empty() ? "" : ", ", graph.value_name(v), to_short_text(graph.type(v)));
    return out;
  };
  for (graph::OpId id = 0; id < graph.ops().size(); ++id) {
    const graph::Op &op = graph.op(id);
    std::vector<graph::ValueId> results;
    for (uint32_t r = 0; r < op.num_results; ++r)
      results.push_back(graph.result(id, r));
    text += fmt::format("  {}{} = {} {}\n", op.parent == 0 ? "" : "  ", list(results),
                        ops::op_def(op.code).name, list(graph.operands(id)));
  }
  return text;
}

} // namespace

bool equal_but_for_zeros(const graph::TensorType &type, const std::vector<std::byte> &want,
                         const std::vector<std::byte> &got) {
  if (want == got)
    return true;
  const auto same = [&](auto zero) {
    using T = decltype(zero);
    for (size_t at = 0; at < got.size(); at += sizeof(T)) {
      T a, b;
      std::memcpy(&a, want.data() + at, sizeof a);
      std::memcpy(&b, got.data() + at, sizeof b);
      if (std::memcmp(&a, &b, sizeof a) != 0 && !(a == 0 && b == 0))
        return false;
    }
    return true;
  };
  switch (type.dtype) {
  case graph::DType::f32: return same(0.0f);
  case graph::DType::f64: return same(0.0);
  case graph::DType::bf16: {
    for (size_t at = 0; at < got.size(); at += 2) {
      uint16_t a, b;
      std::memcpy(&a, want.data() + at, 2);
      std::memcpy(&b, got.data() + at, 2);
      if (a != b && ((a | b) & 0x7fff) != 0)
        return false;
    }
    return true;
  }
  default: return false;
  }
}

namespace {

constexpr std::byte kUnwritten{0xa5};
using Bytes = std::vector<std::byte>;

// Processes of which each writes its part of the results, what several hold all of them.
class Together {
public:
  explicit Together(size_t processes) : written(processes), all_(static_cast<std::ptrdiff_t>(processes)) {}
  std::vector<std::vector<Bytes>> written; // by process, then result
  void wait() { all_.arrive_and_wait(); }

  // A result as all together have written it; nothing where two differ.
  std::optional<Bytes> result(size_t i) const {
    Bytes whole = written[0][i];
    for (const auto &of_process : written)
      for (size_t at = 0; at < whole.size(); ++at) {
        if (of_process[i][at] == kUnwritten || of_process[i][at] == whole[at])
          continue;
        if (whole[at] != kUnwritten)
          return std::nullopt;
        whole[at] = of_process[i][at];
      }
    return whole;
  }

private:
  std::barrier<> all_;
};

// Empty, or what went wrong. Of several processes each has arrays of its own, and looks at all of them when
// all have written.
std::string run_again(const std::shared_ptr<const spmd::Program> &program, runtime::Options options,
                      std::span<const runtime::TensorView> inputs,
                      const std::vector<kernels::ref::Array> &want, const std::string &how, RunCounts &counts,
                      Together *together = nullptr, size_t process = 0) {
  // Queues record what they are given in the second run, and replay it in the third.
  const int repeats = options.device->as_queues() != nullptr ? 3 : 2;
  auto executable = runtime::Executable::create(program, std::move(options));
  std::vector<Bytes> own;
  std::vector<Bytes> &got = together != nullptr ? together->written[process] : own;
  const auto all_here = [&] {
    if (together != nullptr)
      together->wait();
  };
  std::string problem = executable ? "" : fmt::format("no executable: {}", executable.error().message());
  for (int repeat = 0; repeat < repeats; ++repeat) { // the second run finds what the first left in the arenas
    got.clear();
    for (const kernels::ref::Array &a : want)
      got.emplace_back(a.bytes.size(), kUnwritten);
    all_here();
    std::vector<runtime::TensorView> outputs;
    for (size_t i = 0; i < got.size(); ++i)
      outputs.push_back({want[i].type.dtype, want[i].type.dims, got[i].data(), {}});
    if (problem.empty())
      if (const Status status = (*executable)->run(inputs, outputs); !status)
        problem = fmt::format("the run failed: {}", status.error().message());
    all_here();
    for (size_t i = 0; i < got.size() && problem.empty(); ++i) {
      const std::optional<Bytes> result = together != nullptr ? together->result(i) : std::move(got[i]);
      if (!result || !equal_but_for_zeros(want[i].type, want[i].bytes, *result))
        problem = fmt::format("{} differs on {}, run {}", program->graph().result_name(i), how, repeat + 1);
    }
    all_here();
  }
  if (executable) {
    counts.steps += static_cast<int64_t>((*executable)->num_steps());
    for (uint32_t s = 0; s < (*executable)->num_steps(); ++s)
      counts.joined += (*executable)->step_name(s).starts_with("stablehlo.dot_general fused") ? 1 : 0;
    const std::lock_guard lock(counts.mutex);
    if (together != nullptr)
      ++counts.exchanges[(*executable)->exchange()];
    for (const runtime::OnHost &h : (*executable)->on_host())
      counts.on_host[h.kind + ": " + h.reason] += h.steps;
  }
  return problem;
}

} // namespace

Pools::Pools() {
  for (const unsigned workers : {1u, 2u, 4u})
    of.push_back(std::make_shared<WorkerPool>(workers));
}

namespace {

// "node=2", "node=2,socket=3", or groups of devices from here and there.
std::string random_levels(int64_t devices, Dice &random) {
  const auto part_of = [&](int64_t n) {
    std::vector<int64_t> parts;
    for (int64_t d = 1; d <= n; ++d)
      if (n % d == 0)
        parts.push_back(d);
    return random.pick(parts);
  };
  if (!random.chance(3)) {
    const int64_t nodes = part_of(devices);
    return random.chance(2) ? fmt::format("node={}", nodes)
                            : fmt::format("node={},socket={}", nodes, part_of(devices / nodes));
  }
  std::vector<std::vector<int64_t>> groups(2);
  for (int64_t d = 0; d < devices; ++d)
    groups[static_cast<size_t>(random.below(2))].push_back(d);
  std::erase_if(groups, [](const auto &group) { return group.empty(); });
  std::vector<std::string> texts;
  for (const auto &group : groups)
    texts.push_back(fmt::format("[{}]", fmt::join(group, ",")));
  return fmt::format("node=[{}]", fmt::join(texts, ","));
}

partition::Plan random_plan(const RandomProgram &made, std::optional<sharding::Mesh> devices, uint64_t seed,
                            Dice &random) {
  sharding::Mesh mesh = devices ? std::move(*devices) : random_mesh(random);
  if (Dice kinds(seed ^ 0x5e71a1); !kinds.chance(3))
    mesh = with_random_loops(mesh, kinds);
  return {made.graph, std::move(mesh)};
}

} // namespace

RandomCase::RandomCase(uint64_t seed, std::optional<sharding::Mesh> devices)
    : RandomCase(seed, std::move(devices), Dice(seed)) {}

RandomCase::RandomCase(uint64_t seed, std::optional<sharding::Mesh> devices, Dice random)
    : made(Dice(seed ^ 0x7e5ba9e).chance(8) ? random_reshapes(random)
           : Dice(seed ^ 0x105b).chance(12) ? random_products(random)
                                            : random_program(random)),
      plan(random_plan(made, std::move(devices), seed, random)) {
  std::string actions = random_actions(plan, random);
  if (Dice parts(seed ^ 0x9a4715); parts.chance(4))
    actions += random_parts(plan, parts);
  context = fmt::format("mesh {}\nactions{}\n{}", plan.mesh().text(), actions, graph_text(*made.graph));
  if (Dice how(seed ^ 0xb0c4e7); how.chance(2)) {
    lowering.bucket_bytes = 256;
    for (const std::string_view name : spmd::optional_passes())
      if (how.chance(4))
        lowering.without.emplace_back(name);
  }
  if (Dice how(seed ^ 0x1e7e15); how.chance(2)) {
    lowering.levels = random_levels(plan.mesh().num_devices(), how);
    lowering.keep_sum_order = how.chance(4);
    context += fmt::format("levels {}\n", lowering.levels);
  }
}

std::string run_random_program(uint64_t seed, Pools &pools, RunCounts &counts, bool print) {
  RandomCase given(seed);
  const RandomProgram &made = given.made;
  const partition::Plan &plan = given.plan;
  const spmd::Options &lowering = given.lowering;
  std::string &context = given.context;
  const graph::Graph &graph = *made.graph;
  const auto want = kernels::ref::evaluate(graph, made.inputs);
  if (!want)
    return "the reference evaluator failed: " + want.error().message();
  const bool varied = std::any_of(want->begin(), want->end(), [](const kernels::ref::Array &a) {
    return a.type.elements() <= 2 || sameness(a) <= 0.3;
  });
  if (!varied)
    ++counts.mistrusted;

  if (print)
    fmt::print("seed {}\n{}", seed, context);
  auto program = spmd::lower(plan, lowering);
  if (!program)
    return fmt::format("lowering failed: {}\n{}", program.error().message(), context);
  if (print)
    fmt::print("{}", spmd::to_text(**program));
  context += spmd::to_text(**program);
  if (const Status status = spmd::verify(**program); !status)
    return fmt::format("the program is wrong: {}\n{}", status.error().message(), context);
  spmd::Options step_by_step = lowering;
  step_by_step.naive = true;
  auto other = spmd::lower(plan, step_by_step);
  if (!other)
    return fmt::format("the naive path failed: {}\n{}", other.error().message(), context);
  if (spmd::to_text(**other) != spmd::to_text(**program))
    return fmt::format("{}the naive path gives another program:\n{}", context, spmd::to_text(**other));

  std::vector<std::string> without; // passes over steps
  if (Dice how(seed ^ 0x57e95); how.chance(3))
    for (const std::string_view name : runtime::step_passes())
      if (how.chance(4))
        without.emplace_back(name);
  context += fmt::format("without {}\n", fmt::join(without, ", "));
  std::vector<runtime::TensorView> inputs;
  for (const kernels::ref::Array &a : made.inputs)
    inputs.push_back({a.type.dtype, a.type.dims, const_cast<std::byte *>(a.bytes.data()), {}});
  const auto run = [&](runtime::Options options, const std::string &how) {
    return run_again(*program, std::move(options), inputs, *want, how, counts);
  };
  std::string problem;
  for (const auto &pool : pools.of) {
    runtime::Options options;
    options.pool = pool;
    options.without = without;
    options.device = pools.device;
    options.delays = seed;
    problem = problem.empty() ? run(std::move(options), fmt::format("{} workers, {} devices", pool->workers(),
                                                                    pools.device->name()))
                              : problem;
  }
  for (const int64_t processes : pools.processes) {
    const auto all = thread_processes(processes);
    std::vector<std::string> problems(all.size());
    Together together(static_cast<size_t>(processes));
    std::vector<std::thread> threads;
    for (size_t p = 0; p < all.size(); ++p)
      threads.emplace_back([&, p] {
        runtime::Options options;
        options.workers = 1 + static_cast<unsigned>((seed + p) % 2);
        options.without = without;
        options.device = pools.device;
        options.delays = seed;
        options.exchange = pools.exchange;
        constexpr std::array<std::optional<comm::Form>, 3> kForms{comm::Form::packed, comm::Form::direct,
                                                                  std::nullopt};
        options.communicator = comm::make_remote(all[p], kForms[seed % kForms.size()]);
        problems[p] =
            run_again(*program, std::move(options), inputs, *want,
                      fmt::format("process {} of {}, {} devices", p, processes, pools.device->name()), counts,
                      &together, p);
      });
    for (std::thread &t : threads)
      t.join();
    for (const std::string &found : problems)
      problem = problem.empty() ? found : problem;
  }
  if (!problem.empty())
    return problem + "\n" + context;
  counts.ops += static_cast<int64_t>(graph.ops().size());
  counts.devices += plan.mesh().num_devices();
  counts.collectives += static_cast<int64_t>((*program)->collectives().size());
  return "";
}

} // namespace tw::test
