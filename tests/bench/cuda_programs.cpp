// SPDX-License-Identifier: Apache-2.0
// Programs whose steps are timed by events while they run through the executor. Each run brings its arrays
// from the host and its results back, which is not in the figures.
#include "bench/cuda_programs.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/need.hpp"
#include "bench/training_step.hpp"
#include "device/cuda/cuda.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"

namespace tw::bench {
namespace {

// Small numbers with drawn bits, since what a product takes depends on how many change; integers below 128.
std::vector<std::byte> drawn_array(const graph::TensorType &type, std::mt19937 &random) {
  std::vector<std::byte> bytes(static_cast<size_t>(type.bytes()));
  const auto fill = [&](auto first, const auto &draw) {
    using T = decltype(first);
    auto *const to = reinterpret_cast<T *>(bytes.data());
    const size_t n = bytes.size() / sizeof(T);
    const size_t distinct = std::min<size_t>(n, 1 << 20);
    for (size_t i = 0; i < distinct; ++i)
      to[i] = static_cast<T>(draw());
    for (size_t i = distinct; i < n; ++i)
      to[i] = to[i - distinct];
  };
  if (type.dtype == graph::DType::bf16) // between 2^-7 and 1, of either sign
    fill(uint16_t{}, [&] { return (random() & 0x807f) | ((0x78 + (random() & 7)) << 7); });
  else if (type.dtype == graph::DType::f32)
    fill(float{}, [&] { return static_cast<float>(random() & 0xff) / 256 - 0.5f; });
  else
    fill(int32_t{}, [&] { return random() & 0x7f; });
  return bytes;
}

std::shared_ptr<const spmd::Program> lowered(const std::string &text, const std::string &mesh,
                                             const std::vector<std::string> &actions) {
  const auto graph = need(import::import_text(text)).graph;
  partition::Plan plan(graph, need(sharding::Mesh::parse(mesh)));
  for (const std::string &action : actions)
    need(partition::apply_spec(plan, action, "bench"));
  return need(spmd::lower(plan, {}));
}

// Seconds of one run on GPU 0, by events.
struct Times {
  double all = 0; // from the begin of the first step to the end of the last
  struct Step {
    std::string name;
    double seconds;
  };
  std::vector<Step> steps = {};

  // Of the steps that have it in their name.
  double of(const std::string &name) const {
    double sum = 0;
    for (const Step &step : steps)
      sum += step.name.find(name) != std::string::npos ? step.seconds : 0;
    return sum;
  }
};

// The shortest of some runs.
Times times_of(const std::string &text, const std::string &mesh = "",
               const std::vector<std::string> &actions = {}) {
  const auto program = lowered(text, mesh, actions);
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.units = {0};
  options.trace = true;
  const auto executable = need(runtime::Executable::create(program, std::move(options)));
  for (const runtime::OnHost &h : executable->on_host())
    fmt::print("  on the host: {} of {}: {}\n", h.steps, h.kind, h.reason);
  std::mt19937 random(1);
  const graph::Graph &graph = program->graph();
  std::vector<std::vector<std::byte>> arrays;
  std::vector<graph::TensorType> types;
  std::vector<runtime::TensorView> inputs, outputs;
  for (const graph::ValueId argument : graph.arguments())
    types.push_back(graph.type(argument));
  const size_t num_inputs = types.size();
  for (const graph::OpId result : graph.results())
    types.push_back(graph.type(graph.operands(result)[0]));
  for (size_t i = 0; i < types.size(); ++i) {
    arrays.push_back(drawn_array(types[i], random));
    (i < num_inputs ? inputs : outputs).push_back({types[i].dtype, types[i].dims, arrays.back().data(), {}});
  }
  Times best;
  size_t before = 0; // records of earlier runs
  for (int run = 0; run < 6; ++run) {
    need(executable->run(inputs, outputs));
    Times now;
    // Devices run a step at once, and only times of one device are of one clock.
    int64_t first = INT64_MAX, last = 0;
    std::vector<int64_t> steps(executable->num_steps());
    const auto records = executable->executor().traced(0);
    for (const auto &record : records.subspan(before)) {
      steps[record.step] = std::max(steps[record.step], record.end - record.begin);
      first = std::min(first, record.begin), last = std::max(last, record.end);
    }
    before = records.size();
    const double each = executable->executor().scale().nanoseconds_per_tick() * 1e-9;
    now.all = static_cast<double>(last - first) * each;
    for (uint32_t s = 0; s < steps.size(); ++s)
      if (steps[s] > 0)
        now.steps.push_back({executable->step_name(s), static_cast<double>(steps[s]) * each});
    if (run > 0 && (run == 1 || now.all < best.all)) // the first run loads what it calls
      best = now;
  }
  return best;
}

constexpr int64_t kSide = 8192; // of square arrays of f32
constexpr double kArray = 4.0 * kSide * kSide;

std::string unary_program(const std::string &body, const std::string &result) {
  return fmt::format("func.func @main(%a: tensor<{0}x{0}xf32>) -> {1} {{\n{2}  return %y : {1}\n}}\n", kSide,
                     result, body);
}

std::string sum_over(const std::string &dims, const std::string &result) {
  return unary_program(
      fmt::format("  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
                  "  %y = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [{}] : "
                  "(tensor<{}x{}xf32>, tensor<f32>) -> {}\n",
                  dims, kSide, kSide, result),
      result);
}

} // namespace

double product_in_program(int64_t size) {
  const auto type = fmt::format("tensor<{0}x{0}xbf16>", size);
  return times_of(fmt::format("func.func @main(%a: {0}, %b: {0}) -> {0} {{\n"
                              "  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
                              "({0}, {0}) -> {0}\n  return %c : {0}\n}}\n",
                              type))
      .of("stablehlo.dot_general");
}

void passes_over_memory(double copy_bytes_per_second, Table &rows) {
  const auto row = [&](const std::string &name, double bytes, const Times &times, const std::string &step,
                       double limit) {
    const double seconds = times.of(step);
    if (seconds <= 0)
      stop(fmt::format("{}: no step is {}; the first is {}", name, step,
                       times.steps.empty() ? "none" : times.steps[0].name));
    rows.ratio(name, bytes * 1e-9 / seconds, "copy", copy_bytes_per_second * 1e-9, "GB/s", limit, true);
  };
  const auto square = fmt::format("tensor<{0}x{0}xf32>", kSide);
  row("fused a * b + c, f32 8192 x 8192", 4 * kArray,
      times_of(fmt::format("func.func @main(%a: {0}, %b: {0}, %c: {0}) -> {0} {{\n"
                           "  %p = stablehlo.multiply %a, %b : {0}\n  %y = stablehlo.add %p, %c : {0}\n"
                           "  return %y : {0}\n}}\n",
                           square)),
      "fused", 0.85);
  row("fused tanh(a) * a, f32 8192 x 8192", 2 * kArray,
      times_of(unary_program(fmt::format("  %t = stablehlo.tanh %a : {0}\n"
                                         "  %y = stablehlo.multiply %t, %a : {0}\n",
                                         square),
                             square)),
      "fused", 0.85);
  const auto line = fmt::format("tensor<{}xf32>", kSide);
  row("sums of rows, f32 8192 x 8192", kArray, times_of(sum_over("1", line)), "stablehlo.reduce", 0.8);
  row("sums of columns, f32 8192 x 8192", kArray, times_of(sum_over("0", line)), "stablehlo.reduce", 0.8);
  row("sum of all, f32 8192 x 8192", kArray, times_of(sum_over("0, 1", "tensor<f32>")), "stablehlo.reduce",
      0.8);
  // Four virtual devices with a quarter of the rows each, which come to have a quarter of the columns.
  const auto negate = unary_program(fmt::format("  %y = stablehlo.negate %a : {}\n", square), square);
  const std::string rows_first = "shard(arg=a, [{x}, {}]); propagate; ";
  row("all_to_all of f32 8192 x 8192 between 4 virtual devices", 2 * kArray,
      times_of(negate, "x=4", {rows_first + "shard(result=\"*\", [{}, {x}])"}), "all_to_all", 0.7);
  row("all_gather of f32 8192 x 8192 between 4 virtual devices", 5 * kArray,
      times_of(negate, "x=4", {rows_first + "shard(result=\"*\", [{}, {}])"}), "all_gather", 0.7);
}

void transformer_step(Table &rows) {
  const Times times = times_of(training_step(
      "--layers 2 --d 2048 --heads 16 --ffn 8192 --vocab 32768 --seq 1024 --batch 8 --type bf16"));
  auto steps = times.steps;
  std::ranges::stable_sort(steps, std::greater<>{}, &Times::Step::seconds);
  double sum = 0;
  for (const Times::Step &step : steps)
    sum += step.seconds;
  fmt::print(
      "transformer step, d = 2048, bf16: {} steps in {:.4g} ms, of which {:.4g} ms between them; longest:\n",
      steps.size(), times.all * 1e3, (times.all - sum) * 1e3);
  for (size_t i = 0; i < std::min<size_t>(steps.size(), 30); ++i)
    fmt::print("  {:>9.4g} ms {}\n", steps[i].seconds * 1e3, steps[i].name);
  rows.ratio("transformer step, d = 2048, bf16, beside its products", times.all * 1e3, "products",
             times.of("stablehlo.dot_general") * 1e3, "ms", 1.3);
}

} // namespace tw::bench
