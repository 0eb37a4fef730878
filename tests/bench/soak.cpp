// SPDX-License-Identifier: Apache-2.0
// What stays behind after very many runs, executables and failures: memory, threads, open files, other bits.
// Runs and executables through the C interface, as a host of the library would have them; failures by the
// hooks that only tests have.
//   ./dev bench soak [RUNS [CYCLES [FAULTS]]]    1000000 runs, 10000 executables, 10000 faults
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tilewright/tw.h>

#include "bench/need.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "runtime/fill.hpp"
#include "spmd/program.hpp"

namespace {

constexpr int64_t kMiB = 1 << 20;

void need(tw_status_t status) {
  if (status == TW_OK)
    return;
  fmt::print(stderr, "{}\n", tw_error_message());
  std::exit(1);
}

// y = tanh(x w1) w2 on 4 devices, with the sum of a split contraction.
struct Job {
  tw_program_t *program = nullptr;
  tw_executable_t *executable = nullptr;
  std::array<tw_tensor_t *, 4> tensors{};

  Job() {
    const int64_t dims[4][2] = {{6, 8}, {8, 12}, {12, 8}, {6, 8}};
    tw_builder_t *b = nullptr;
    tw_graph_t *graph = nullptr;
    tw_mesh_t *mesh = nullptr;
    tw_plan_t *plan = nullptr;
    need(tw_builder_create("mlp", &b));
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, dims[0], 2);
    const tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, dims[1], 2);
    const tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, dims[2], 2);
    const tw_value_t h = tw_builder_unary(b, "stablehlo.tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
    tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
    need(tw_builder_finish(b, &graph));
    need(tw_mesh_parse("data=2,model=2", &mesh));
    need(tw_plan_create(graph, mesh, nullptr, &plan));
    constexpr std::string_view spec =
        "tile(arg=x, dim=0, axis=data); tile(arg=w1, dim=1, axis=model); infer-propagate";
    need(tw_plan_apply(plan, spec.data(), spec.size(), "spec"));
    need(tw_program_lower(plan, nullptr, &program));
    need(tw_executable_create(program, nullptr, &executable));
    for (size_t i = 0; i < tensors.size(); ++i) {
      need(tw_tensor_create(nullptr, TW_F32, dims[i], 2, &tensors[i]));
      need(tw_tensor_fill(tensors[i], i < 3 ? "default" : "zeros", 0, i));
    }
    tw_plan_release(plan);
    tw_mesh_release(mesh);
    tw_graph_release(graph);
    tw_builder_release(b);
  }
  Job(const Job &) = delete;
  ~Job() {
    for (tw_tensor_t *t : tensors)
      tw_tensor_release(t);
    tw_executable_release(executable);
    tw_program_release(program);
  }

  std::string run() {
    const tw_tensor_t *const inputs[] = {tensors[0], tensors[1], tensors[2]};
    need(tw_executable_run(executable, inputs, 3, &tensors[3], 1));
    return {static_cast<const char *>(tw_tensor_const_data(tensors[3])), tw_tensor_bytes(tensors[3])};
  }
};

// Some turns of a loop with a sum over devices in it, on 8 devices and 2 workers; a device fails at a step,
// or never comes there.
class Faults {
public:
  Faults() {
    using namespace tw;
    const auto imported = bench::need(import::import_text(R"(
func.func @main(%a: tensor<8x12xf32> loc("a"), %w: tensor<12x12xf32> loc("w")) -> tensor<8x12xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<8x12xf32>, tensor<i32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x12xf32>) -> tensor<8x12xf32>
    %t = stablehlo.tanh %s : tensor<8x12xf32>
    stablehlo.return %t, %j : tensor<8x12xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x12xf32>
})"));
    partition::Plan plan(imported.graph, bench::need(sharding::Mesh::parse("data=2,model=4")));
    bench::need(partition::apply_spec(
        plan, "tile(arg=a, dim=0, axis=data); tile(arg=w, dim=0, axis=model); infer-propagate", "spec"));
    runtime::Options options;
    options.workers = 2;
    executable_ =
        bench::need(runtime::Executable::create(bench::need(spmd::lower(plan)), std::move(options)));
    for (const int64_t rows : {8, 12}) {
      inputs_.emplace_back(graph::TensorType{graph::DType::f32, {rows, 12}});
      bench::need(runtime::fill(inputs_.back().view(), "uniform(-1,1)", 0, inputs_.size()));
    }
    for (auto &t : inputs_)
      in_.push_back(t.view());
    out_.push_back(output_.view());
  }

  // A failure, which leaves the output as it was, and then a run that does not fail. The bits of that; none
  // where something else happened.
  std::string step() {
    using tw::runtime::Fault;
    std::memset(output_.data(), 0xa5, bytes());
    const std::string before = bits();
    executable_->set_hooks({{{random_() % 2 == 0 ? Fault::Kind::error : Fault::Kind::absent,
                              tw::sharding::Position(static_cast<int64_t>(random_() % 8)),
                              static_cast<uint32_t>(random_() % executable_->num_steps())}}});
    const bool failed = !executable_->run(in_, out_).has_value();
    const bool kept = bits() == before;
    executable_->set_hooks({});
    const bool whole = executable_->run(in_, out_).has_value();
    return failed && kept && whole ? bits() : "";
  }

private:
  size_t bytes() const { return static_cast<size_t>(output_.type().bytes()); }
  std::string bits() const { return {reinterpret_cast<const char *>(output_.data()), bytes()}; }

  std::mt19937_64 random_{7};
  std::shared_ptr<tw::runtime::Executable> executable_;
  std::vector<tw::runtime::Tensor> inputs_;
  tw::runtime::Tensor output_{tw::graph::TensorType{tw::graph::DType::f32, {8, 12}}};
  std::vector<tw::runtime::TensorView> in_, out_;
};

struct Held {
  int64_t bytes = 0, threads = 0, files = 0;
};

Held held() {
  Held now;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:"))
      now.bytes = std::atoll(line.c_str() + 6) * 1024;
    if (line.starts_with("Threads:"))
      now.threads = std::atoll(line.c_str() + 8);
  }
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++now.files;
  return now;
}

// Prints what grew since a tenth of the way, and whether that is too much.
bool report(std::string_view what, int64_t count, const Held &before, int64_t wrong) {
  const Held after = held();
  const bool good = after.bytes - before.bytes < kMiB && after.threads == before.threads &&
                    after.files == before.files && wrong == 0;
  fmt::print("{:<12} {:>8}   memory {:+.3f} MiB (limit 1)   threads {:+}   files {:+}   other bits {}   {}\n",
             what, count, static_cast<double>(after.bytes - before.bytes) / kMiB,
             after.threads - before.threads, after.files - before.files, wrong, good ? "good" : "BAD");
  return good;
}

template <class Step> bool soak(std::string_view what, int64_t count, Step step) {
  const std::string expected = step();
  int64_t wrong = 0;
  Held before;
  for (int64_t i = 0; i < count; ++i) {
    if (i == count / 10)
      before = held();
    wrong += step() != expected ? 1 : 0;
  }
  return report(what, count, before, wrong);
}

} // namespace

int main(int argc, char **argv) {
  const int64_t runs = argc > 1 ? std::atoll(argv[1]) : 1000000,
                cycles = argc > 2 ? std::atoll(argv[2]) : 10000,
                failures = argc > 3 ? std::atoll(argv[3]) : 10000;
  Job job;
  bool good = soak("runs", runs, [&] { return job.run(); });
  good = soak("executables", cycles, [] { return Job().run(); }) && good;
  Faults faults;
  good = soak("faults", failures, [&] { return faults.step(); }) && good;
  return good ? 0 : 1;
}
