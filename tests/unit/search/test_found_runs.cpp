// SPDX-License-Identifier: Apache-2.0
// Plans that searches find make programs that compute what the unpartitioned one does.
#include "search/search.hpp"

#include <algorithm>

#include "kernels/ref/evaluate.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "runtime/second_opinion.hpp"
#include "support/number_of.hpp"
#include "support/run_random.hpp"
#include "support/searched.hpp"

namespace tw::test_found_runs {

using kernels::ref::Array;
using partition::Plan;
using search::Found;
using search::Limits;
using test::Dice;

namespace {

runtime::TensorView view_of(Array &array) {
  return {array.type.dtype, array.type.dims, array.bytes.data(), {}};
}
std::vector<runtime::TensorView> views_of(std::vector<Array> &arrays) {
  std::vector<runtime::TensorView> views;
  for (Array &array : arrays)
    views.push_back(view_of(array));
  return views;
}

// The program of what was found, by its spec alone.
std::shared_ptr<const spmd::Program> program_of(const Plan &plan, const Found &found) {
  Plan again = plan;
  REQUIRE(partition::apply_spec(again, found.spec, "found"));
  spmd::Options options;
  options.gather_per_use = found.gather_per_use;
  auto program = spmd::lower(again, options);
  REQUIRE_MESSAGE(program.has_value(), program.error().message());
  const Status right = spmd::verify(**program);
  REQUIRE_MESSAGE(right.has_value(), right.error().message());
  return *program;
}

std::vector<Array> run(const std::shared_ptr<const spmd::Program> &program, std::vector<Array> inputs,
                       const std::vector<Array> &like) {
  runtime::Options options;
  options.workers = 2;
  const auto executable = runtime::Executable::create(program, std::move(options));
  REQUIRE_MESSAGE(executable.has_value(), executable.error().message());
  std::vector<Array> outputs;
  for (const Array &array : like)
    outputs.push_back({array.type, std::vector<std::byte>(array.bytes.size())});
  const auto in = views_of(inputs);
  const auto out = views_of(outputs);
  const Status ran = (*executable)->run(in, out);
  REQUIRE_MESSAGE(ran.has_value(), ran.error().message());
  return outputs;
}

// Under caps, which are parts of what the first plan needs; the last ones are so low that little fits.
// Answers with how many plans have actions.
int each_found(const Plan &plan, const system::System &on, uint64_t seed, const std::vector<double> &caps,
               const auto &visit) {
  int some = 0;
  double peak = 0;
  std::vector<std::string> seen;
  for (const double part : caps) {
    Limits limits;
    limits.episodes = 150;
    limits.seed = seed;
    limits.cap_bytes = part == 1 ? 0 : static_cast<int64_t>(peak * part) + 1;
    const auto found = search::search(plan, on, {}, limits);
    if (!found)
      return some; // its plan cannot be lowered
    if (part == 1)
      peak = found->peak_bytes;
    if (std::ranges::find(seen, found->spec) != seen.end())
      continue;
    seen.push_back(found->spec);
    CAPTURE(part);
    CAPTURE(found->spec);
    visit(*found);
    some += !found->actions.empty();
  }
  return some;
}

std::vector<system::System> systems() {
  std::vector<system::System> all{test::small_machine("1e12"), test::small_machine("1e9", "1e-6")};
  for (const char *name : {"h100-sxm", "tpuv3-core"}) {
    auto loaded = system::load(name);
    REQUIRE(loaded.has_value());
    all.push_back(*std::move(loaded));
  }
  return all;
}

} // namespace

TEST_CASE("what is found for random programs computes the same bits") {
  const std::vector<system::System> on = systems();
  const std::vector<std::string> meshes{"a=4", "a=2,b=2", "a=2,b=3", "a=8"};
  int some = 0;
  for (uint64_t seed = 1; seed <= test::slice_of(400, 24); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    const auto want = kernels::ref::evaluate(*made.graph, made.inputs);
    REQUIRE(want.has_value());
    const Plan plan = test::plan_of(made.graph, random.pick(meshes));
    CAPTURE(plan.mesh().text());
    some += each_found(plan, random.pick(on), seed, {1.0, 0.8, 0.6, 0.4}, [&](const Found &found) {
      const std::vector<Array> got = run(program_of(plan, found), made.inputs, *want);
      for (size_t i = 0; i < got.size(); ++i)
        CHECK(test::equal_but_for_zeros(got[i].type, (*want)[i].bytes, got[i].bytes));
    });
  }
  CHECK(some > 10);
  MESSAGE(some << " plans with actions");
}

TEST_CASE("what is found for training steps computes the same but for rounding") {
  const std::vector<system::System> on = systems();
  const std::vector<std::string> meshes{"data=2,model=2", "data=4", "data=2,model=4"};
  int some = 0;
  const std::vector<double> caps =
      test::slice_of(1, 0) == 0 ? std::vector{1.0, 0.5} : std::vector{1.0, 0.8, 0.6, 0.4};
  for (uint64_t seed = 1; seed <= test::slice_of(40, 3); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const std::string arguments = test::random_transformer(random);
    CAPTURE(arguments);
    const auto graph = test::transformer_step(arguments);
    std::vector<Array> inputs;
    for (const graph::OpId argument : graph->arguments()) {
      const graph::TensorType &type = graph->type(graph->result(argument));
      Array &array =
          inputs.emplace_back(Array{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
      if (type.dtype != graph::DType::f32) { // tokens, targets and the number of the step
        array = test::random_array(type, 0, 7, random);
        continue;
      }
      for (size_t at = 0; at < array.bytes.size(); at += sizeof(float)) { // the optimizer takes roots of some
        const auto value = static_cast<float>(random.between(1, 1000)) / 2000;
        std::memcpy(array.bytes.data() + at, &value, sizeof value);
      }
    }
    auto want = kernels::ref::evaluate(*graph, inputs);
    REQUIRE_MESSAGE(want.has_value(), want.error().message());
    const auto unpartitioned = spmd::lower_unpartitioned(graph);
    REQUIRE(unpartitioned.has_value());
    std::vector<Array> same = run(*unpartitioned, inputs, *want);
    const Plan plan = test::plan_of(graph, random.pick(meshes));
    CAPTURE(plan.mesh().text());
    some += each_found(plan, random.pick(on), seed, caps, [&](const Found &found) {
      const auto program = program_of(plan, found);
      std::vector<Array> got = run(program, inputs, *want);
      // Bits are promised where nothing is rounded otherwise than in the runtime's own unpartitioned run.
      const auto judge = [&](std::vector<Array> &expected, bool promised) {
        runtime::Judging how;
        how.promised = promised;
        const runtime::Judgement judged =
            runtime::judge(*program, views_of(inputs), views_of(got), views_of(expected), how);
        for (size_t i = 0; i < judged.outputs.size(); ++i) {
          CAPTURE(graph->result_name(i));
          CAPTURE(judged.outputs[i].max_rel);
          CHECK(judged.outputs[i].pass);
          CHECK(judged.outputs[i].nonfinite == 0);
        }
      };
      judge(same, true);
      judge(*want, false);
    });
  }
  CHECK(some >= 3);
  MESSAGE(some << " plans with actions");
}

} // namespace tw::test_found_runs
