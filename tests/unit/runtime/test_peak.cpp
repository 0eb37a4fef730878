// SPDX-License-Identifier: Apache-2.0
// The memory that an executable says a device needs is what its steps touch: counted in lines of 64 bytes,
// value by value, at the addresses that the executor uses, and never asked of the planner of the arenas.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "device/kind.hpp"
#include "partition/spec.hpp"
#include "runtime/constant_reads.hpp"
#include "runtime/memory.hpp"
#include "runtime/planned.hpp"
#include "runtime/schedule.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_peak {

using namespace tw::test;
using runtime::Step;

namespace {

constexpr int64_t kLine = 64;

struct Counter {
  const spmd::Program &program;
  const runtime::Executable &executable;
  runtime::Layouts layouts;
  runtime::Schedule plan;
  runtime::Memory memory;

  static std::vector<bool> in_place(const runtime::Executable &executable) {
    std::vector<bool> may;
    for (const runtime::BoundStep &step : executable.executor().steps())
      may.push_back(step.collective != nullptr && step.collective->may_run_in_place());
    return may;
  }
  Counter(const spmd::Program &p, const runtime::Executable &e, bool donates)
      : program(p), executable(e), layouts(p), plan(runtime::schedule(p, layouts, {.donate = donates})),
        memory(p, layouts, plan, in_place(e)) {}

  // Bytes of what the device touches in all arenas, and its tiles of arguments that lie in the caller's
  // arrays.
  int64_t count(sharding::DeviceIndex device) const {
    std::map<int64_t, std::vector<std::pair<int64_t, int64_t>>>
        lines; // by device whose arena it is: from, to
    const auto add = [&](const runtime::Location &at, int64_t bytes) {
      if (at.base == 0 && bytes > 0)
        lines[program.mesh().device_of(sharding::Position(at.arena)).index()].emplace_back(
            at.offset / kLine, (at.offset + bytes + kLine - 1) / kLine);
    };
    const auto touch = [&](spmd::ValueRef v, sharding::Position position) {
      const spmd::ValueRef root = plan.views[v].root;
      add(memory.locate(root, position), layouts.elements(layouts.of(root), position) * size(root));
    };
    sharding::Position own; // at its first step, in its first thread
    for (sharding::Position p; p < layouts.num_positions(); ++p) {
      if (program.mesh().device_of(p) != device)
        continue;
      own = program.mesh().without(p, program.mesh().loop_axes());
      const auto visit = [&](const Step &step) {
        for (const auto *values : {&step.operands, &step.results})
          for (const spmd::ValueRef v : *values)
            touch(v, p);
        for (const runtime::FusedRead &read : step.reads)
          if (read.constant)
            add(memory.locate_constant(read.value, p),
                runtime::constant_elements(program, layouts, read.value, p) * size(read.value));
          else
            touch(read.value, p);
      };
      for (const spmd::Instr &in : program.instrs()) // the caller's array is copied there
        if (in.kind == spmd::InstrKind::argument && !memory.is_in_place(in.index) && p == own)
          touch(in.first_result, p);
      std::ranges::for_each(plan.statics, visit);
      for (uint32_t s = 0; s < plan.steps.size(); ++s) {
        if (!plan.steps[s].runs_at(program.mesh(), p))
          continue;
        visit(plan.steps[s]);
        check_places(s, p);
      }
    }
    int64_t bytes = 0;
    for (auto &[arena, ranges] : lines) {
      std::ranges::sort(ranges);
      int64_t end = 0;
      for (const auto &[from, to] : ranges) {
        bytes += std::max<int64_t>(to - std::max(from, end), 0) * kLine;
        end = std::max(end, to);
      }
    }
    for (const spmd::Instr &in : program.instrs())
      if (in.kind == spmd::InstrKind::argument && memory.is_in_place(in.index))
        bytes += layouts.elements(layouts.of(in.first_result), own) * size(in.first_result);
    return bytes;
  }

private:
  int64_t size(spmd::ValueRef v) const { return static_cast<int64_t>(byte_size(program.type(v).dtype)); }

  // The executor writes results there, and nowhere else.
  void check_places(uint32_t s, sharding::Position position) const {
    const runtime::BoundStep &bound = executable.executor().steps()[s];
    const size_t each = bound.num_operands + bound.num_results;
    for (size_t r = 0; r < bound.num_results; ++r) {
      const auto &at = bound.places[static_cast<size_t>(position) * each + bound.num_operands + r];
      const auto expected = memory.locate(plan.steps[s].results[r], position);
      REQUIRE(std::tuple(at.base, at.arena, at.offset) ==
              std::tuple(expected.base, expected.arena, expected.offset));
    }
  }
};

std::string text_of(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void check_peak(const std::shared_ptr<const spmd::Program> &program) {
  for (const bool donate : {false, true}) {
    runtime::Options options;
    options.workers = 1;
    options.donate = donate;
    options.max_bytes = int64_t{1} << 30;
    const auto made = runtime::Executable::create(program, std::move(options));
    if (!made) { // a call that only its author can run, or more memory than a test should take
      MESSAGE("not counted: " << made.error().message());
      return;
    }
    const Counter counter(*program, **made, donate);
    int64_t most = 0;
    for (int64_t d = 0; d < program->mesh().num_devices(); ++d) {
      const sharding::DeviceIndex device(d);
      most = std::max(most, (*made)->peak_bytes(device));
      if (d < 8)
        CHECK((*made)->peak_bytes(device) == counter.count(device));
    }
    runtime::Options again;
    again.donate = donate;
    const auto planned = runtime::Executable::plan(program, std::move(again));
    REQUIRE(planned.has_value());
    CHECK(planned->peak.bytes == most);
    CHECK(std::ranges::is_sorted(planned->peak.held, std::greater(), &runtime::Peak::Held::bytes));
  }
}

// All programs of a folder that can be read and are not too large; how many.
int check_folder(const std::filesystem::path &folder, uintmax_t most_bytes) {
  int checked = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir" || entry.file_size() > most_bytes)
      continue;
    const auto imported = import::import_text(text_of(entry.path()));
    if (!imported)
      continue;
    const auto program = spmd::lower_unpartitioned(imported->graph);
    if (!program)
      continue;
    INFO(entry.path().string());
    check_peak(*program);
    ++checked;
  }
  return checked;
}

std::filesystem::path source_root() {
  const char *root = std::getenv("TW_SOURCE_ROOT");
  return root != nullptr ? root : "..";
}

// Options of a run, drawn; one draw gives the same ones again.
runtime::Options random_options(uint64_t seed) {
  test::Dice random(seed);
  runtime::Options options;
  options.workers = static_cast<unsigned>(1 + random.below(2));
  options.donate = random.below(2) == 0;
  options.tiles = random.below(4) == 0;
  for (const std::string_view pass : runtime::step_passes())
    if (random.below(6) == 0)
      options.without.emplace_back(pass);
  if (random.below(4) == 0) {
    options.device = *device::find_kind("detached");
    options.in_place = random.below(2) == 0;
  }
  options.max_bytes = int64_t{1} << 28;
  return options;
}

} // namespace

TEST_CASE("what is planned is what an executable counts, whatever the program and its options") {
  const uint64_t first = test::number_of("TW_SEED", 1), count = test::slice_of(2000, 150);
  uint64_t made_all = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    sharding::Mesh mesh = test::random_mesh(random);
    if (random.below(3) == 0)
      mesh = test::with_random_loops(mesh, random);
    partition::Plan plan(made.graph, mesh);
    test::random_actions(plan, random);
    spmd::Options lowering;
    lowering.gather_per_use = random.below(2) == 0;
    lowering.bucket_bytes = random.below(2) == 0 ? 4096 : 0;
    const auto program = spmd::lower(plan, lowering);
    REQUIRE(program.has_value());
    const auto executable = runtime::Executable::create(*program, random_options(seed));
    if (!executable)
      continue;
    ++made_all;
    int64_t most = 0;
    for (int64_t d = 0; d < (*program)->mesh().num_devices(); ++d)
      most = std::max(most, (*executable)->peak_bytes(sharding::DeviceIndex(d)));
    const auto planned = runtime::Executable::plan(*program, random_options(seed));
    REQUIRE(planned.has_value());
    CHECK(planned->peak.bytes == most);
  }
  CHECK(made_all > count / 2);
}

TEST_CASE("a small step and a loop need what they touch") {
  for (const auto &[on, spec] : kStepPlans) {
    const Runner runner(step_program(), on, spec);
    check_peak(runner.program);
  }
  const Runner loop(looping_program(5), "d=2,m=2", "tile(arg=w, dim=0, axis=\"m\"); infer-propagate");
  check_peak(loop.program);
}

TEST_CASE("what is only returned is copied, and counts") {
  for (const char *on : {"", "x=2"}) {
    const Runner runner(test::import_of(R"(
func.func @main(%x: tensor<4x12xf32> loc("x")) -> (tensor<48xf32>, tensor<12x4xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x12xf32>) -> tensor<48xf32>
  %1 = stablehlo.reshape %x : (tensor<4x12xf32>) -> tensor<12x4xf32>
  return %0, %1 : tensor<48xf32>, tensor<12x4xf32>
})"),
                        on, on[0] == 0 ? "" : "tile(arg=x, dim=0, axis=x); propagate");
    check_peak(runner.program);
  }
}

TEST_CASE("loops over steps and threads need what they touch") {
  for (const char *kind : {"serial", "threads"})
    for (const char *on : {"", "data=2"}) {
      const Runner runner(step_program(), on,
                          fmt::format("{}(axis=\"s\", size=2); tile(arg=x, dim=0, axis=\"s\"); tile(arg=t, "
                                      "dim=0, axis=\"s\"); infer-propagate",
                                      kind));
      check_peak(runner.program);
    }
}

TEST_CASE("every program of the tree needs what it touches") {
  int checked = 0;
  for (const char *folder : {"tests/golden", "tests/conformance", "examples"})
    checked += check_folder(source_root() / folder, 1 << 20);
  MESSAGE(checked << " programs");
  CHECK(checked > 30);
}

TEST_CASE("real programs need what they touch") {
  const char *named = std::getenv("TW_REAL_PROGRAMS");
  const std::filesystem::path folder = named != nullptr ? named : source_root() / "../shared/real_programs";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: there is no " << folder.string());
    return;
  }
  CHECK(check_folder(folder, 1 << 20) > 0);
}

TEST_CASE("the training step needs what it touches under each of its specs") {
  const std::filesystem::path root = source_root();
  const auto imported = import::import_text(text_of(root / "examples/models/gpt_step.mlir"));
  REQUIRE(imported.has_value());
  for (const auto &[spec, on] : {std::pair{"gpt_megatron.txt", "data=2,model=4"},
                                 {"gpt_data.txt", "data=8"},
                                 {"gpt_megatron_zero3.txt", "data=4,model=2"}}) {
    partition::Plan plan(imported->graph, mesh(on));
    REQUIRE(partition::apply_spec(plan, text_of(root / "examples/specs" / spec), spec).has_value());
    const auto program = spmd::lower(plan);
    REQUIRE(program.has_value());
    check_peak(*program);
  }
}

} // namespace tw::test_peak
