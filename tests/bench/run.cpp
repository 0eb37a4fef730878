// SPDX-License-Identifier: Apache-2.0
// Times a program unpartitioned and on many in-process devices, against the floor that its matrix products
// set, and shows where the time goes.
//   ./dev bench run FILE.mlir --mesh data=2,model=4 --spec SPEC.txt [--workers W] [--repeat N] [--profile]
//   [--donate] [--json FILE]
// With --donate results are made in the arrays of the arguments that the program donates, which get their
// values back before each run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "import/import.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/compare.hpp"
#include "runtime/executable.hpp"
#include "runtime/fill.hpp"
#include "spmd/program.hpp"

namespace {

using namespace tw;
using bench::need;
using bench::read_file;
using bench::stop;

struct Arrays {
  std::vector<runtime::Tensor> tensors;
  std::vector<runtime::TensorView> views;
  void add(const graph::TensorType &type) {
    tensors.emplace_back(type);
    views.push_back({});
  }
  void close() {
    for (size_t i = 0; i < tensors.size(); ++i)
      views[i] = tensors[i].view();
  }
};

struct Timing {
  double min = 0, median = 0; // milliseconds
  double processor = 0;       // of all threads, a run
};

double processor_ms() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) * 1e-3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// Donated inputs are taken from the outputs that are made there.
Timing time_runs(runtime::Executable &executable, const Arrays &inputs, const Arrays &outputs,
                 int64_t repeat) {
  std::vector<runtime::TensorView> given = inputs.views;
  for (size_t i = 0; i < given.size(); ++i)
    if (const uint32_t made = executable.donated_to(i); made != graph::kNone)
      given[i] = outputs.views[made];
  std::vector<double> times;
  double used = 0;
  for (int64_t i = 0; i <= repeat; ++i) {
    for (size_t a = 0; a < given.size(); ++a)
      if (given[a].data != inputs.views[a].data)
        std::memcpy(given[a].data, inputs.views[a].data, static_cast<size_t>(given[a].bytes()));
    const double processor = processor_ms(), begin = bench::now();
    need(executable.run(given, outputs.views));
    if (i == 0)
      continue; // warm-up
    times.push_back((bench::now() - begin) * 1e3);
    used += (processor_ms() - processor) / static_cast<double>(repeat);
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2], used};
}

// Processor time of a run by kind of step and kernel, or by shape.
nlohmann::ordered_json print_profile(const runtime::Executable &executable, int64_t runs, const char *title) {
  struct Row {
    double ms = 0;
    int64_t steps = 0;
  };
  std::map<std::string, Row> kinds, shapes;
  double total = 0;
  const auto steps = executable.profile();
  for (const runtime::StepProfile &step : steps) {
    const double ms = static_cast<double>(step.nanoseconds) * 1e-6 / static_cast<double>(runs);
    const std::string kind = step.kernel.empty() ? step.kind : step.kind + "  " + step.kernel;
    for (Row *row :
         {&kinds[kind], &shapes[fmt::format("{} of {} ops  {}", step.kind, step.ops, step.shape)]}) {
      row->ms += ms;
      ++row->steps;
    }
    total += ms;
  }
  fmt::print("\n{}: {} steps, {:.1f} ms of all workers together\n", title, steps.size(), total);
  nlohmann::ordered_json json;
  for (const auto *rows : {&kinds, &shapes}) {
    std::vector<std::pair<std::string, Row>> sorted(rows->begin(), rows->end());
    std::sort(sorted.begin(), sorted.end(),
              [](const auto &a, const auto &b) { return a.second.ms > b.second.ms; });
    sorted.resize(std::min<size_t>(sorted.size(), 20));
    for (const auto &[name, row] : sorted) {
      fmt::print("  {:5.1f} %  {:8.2f} ms  {:4} steps  {}\n", 100 * row.ms / total, row.ms, row.steps, name);
      json.push_back({{"name", name}, {"steps", row.steps}, {"ms", row.ms}});
    }
    fmt::print("\n");
  }
  return json;
}

} // namespace

int main(int argc, char **argv) {
  std::string file, mesh_text = "data=2,model=4", json_file;
  std::vector<std::string> specs;
  int64_t repeat = 7;
  unsigned workers = 0;
  bool profile = false, donate = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto next = [&]() -> std::string {
      if (i + 1 == argc)
        stop(fmt::format("{} takes a value", arg));
      return argv[++i];
    };
    if (arg == "--mesh")
      mesh_text = next();
    else if (arg == "--spec")
      specs.push_back(next());
    else if (arg == "--repeat")
      repeat = std::max<int64_t>(std::atoll(next().c_str()), 1);
    else if (arg == "--workers")
      workers = static_cast<unsigned>(std::atoi(next().c_str()));
    else if (arg == "--profile")
      profile = true;
    else if (arg == "--donate")
      donate = true;
    else if (arg == "--json")
      json_file = next();
    else if (!arg.starts_with("-") && file.empty())
      file = arg;
    else
      stop("usage: run FILE.mlir [--mesh M] [--spec FILE]... [--workers W] [--repeat N] [--profile] "
           "[--donate] "
           "[--json FILE]");
  }
  if (file.empty())
    stop("usage: run FILE.mlir [--mesh M] [--spec FILE]... [--workers W] [--repeat N] [--profile] [--donate] "
         "[--json FILE]");

  import::ImportOptions import_options;
  import_options.file = file;
  const auto imported = need(import::import_text(read_file(file), import_options));
  const graph::Graph &graph = *imported.graph;
  partition::Plan plan(imported.graph, need(sharding::Mesh::parse(mesh_text)));
  for (const std::string &spec : specs)
    need(partition::apply_spec(plan, read_file(spec), spec));

  auto pool = std::make_shared<WorkerPool>(workers);
  double product_flops = 0;
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (std::string_view(ops::op_def(graph.op(op).code).name) == "stablehlo.dot_general")
      product_flops += ops::op_cost(graph, op).flops;

  Arrays inputs, whole, parts;
  for (const graph::OpId op : graph.arguments()) {
    inputs.add(graph.type(graph.result(op)));
    need(runtime::fill(inputs.tensors.back().view(), "default", 0, inputs.tensors.size() - 1));
  }
  for (const graph::OpId op : graph.results()) {
    whole.add(graph.type(graph.operands(op)[0]));
    parts.add(graph.type(graph.operands(op)[0]));
  }
  for (Arrays *a : {&inputs, &whole, &parts})
    a->close();

  const auto make = [&](std::shared_ptr<const spmd::Program> program) {
    runtime::Options options;
    options.pool = pool;
    options.profile = profile;
    options.donate = donate;
    return need(runtime::Executable::create(std::move(program), std::move(options)));
  };
  const double begin = bench::now();
  const auto unpartitioned = make(need(spmd::lower_unpartitioned(imported.graph)));
  const double made_whole = bench::now();
  const auto program = need(spmd::lower(plan));
  const double lowered = bench::now();
  const auto partitioned = make(program);
  const double made_parts = bench::now();

  const Timing one = time_runs(*unpartitioned, inputs, whole, repeat);
  const Timing many = time_runs(*partitioned, inputs, parts, repeat);
  const double peak = bench::fma_peak_gflops(*pool);
  const double floor_ms = product_flops / peak * 1e-6;
  int64_t most = 0, given = 0;
  for (const runtime::Tensor &t : inputs.tensors)
    given += t.type().bytes();
  for (int64_t d = 0; d < program->mesh().num_devices(); ++d)
    most = std::max(most, partitioned->peak_bytes(sharding::DeviceIndex(d)));

  fmt::print("{}: {} ops, {} devices ({}), {} workers\n", file, graph.ops().size(),
             program->mesh().num_devices(), program->mesh().text(), pool->workers());
  fmt::print("  peak {:.0f} GFLOP/s; the matrix products are {:.1f} GFLOP: at least {:.1f} ms\n", peak,
             product_flops * 1e-9, floor_ms);
  fmt::print("  unpartitioned {:8.1f} ms (min {:.1f})  {:.2f} x the floor; {} steps, made in {:.0f} ms, "
             "{:.1f} MiB\n",
             one.median, one.min, one.median / floor_ms, unpartitioned->num_steps(),
             (made_whole - begin) * 1e3, static_cast<double>(unpartitioned->peak_bytes({})) / 0x1p20);
  fmt::print("  partitioned   {:8.1f} ms (min {:.1f})  {:.2f} x unpartitioned (limit 1.4); {} steps, made in "
             "{:.0f} ms, "
             "{:.1f} MiB a device, {:.1f} in all\n",
             many.median, many.min, many.median / one.median, partitioned->num_steps(),
             (made_parts - lowered) * 1e3, static_cast<double>(most) / 0x1p20,
             static_cast<double>(partitioned->arena_bytes() + given) / 0x1p20);
  double apart = 0;
  bool pass = true;
  for (size_t i = 0; i < whole.views.size(); ++i) {
    const auto compared =
        runtime::compare(parts.views[i], whole.views[i], runtime::tolerance(whole.views[i].dtype));
    apart = std::max(apart, compared.max_rel);
    pass &= compared.pass;
  }
  fmt::print("  largest difference {:.2g}: {}\n", apart, pass ? "equal" : "NOT EQUAL");
  nlohmann::ordered_json json = {
      {"file", file},
      {"mesh", program->mesh().text()},
      {"workers", pool->workers()},
      {"peak_gflops", peak},
      {"product_gflop", product_flops * 1e-9},
      {"floor_ms", floor_ms},
      {"unpartitioned_ms", {{"min", one.min}, {"median", one.median}, {"processor", one.processor}}},
      {"partitioned_ms", {{"min", many.min}, {"median", many.median}, {"processor", many.processor}}},
      {"unpartitioned_to_floor", one.median / floor_ms},
      {"partitioned_to_unpartitioned", many.median / one.median},
      {"largest_difference", apart},
      {"unpartitioned_peak_bytes", unpartitioned->peak_bytes({})},
      {"partitioned_peak_bytes", most},
      {"unpartitioned_bytes", unpartitioned->arena_bytes() + given}, // the arguments once
      {"partitioned_bytes", partitioned->arena_bytes() + given},
  };
  if (profile) {
    json["unpartitioned_profile"] = print_profile(*unpartitioned, repeat + 1, "unpartitioned");
    json["partitioned_profile"] = print_profile(*partitioned, repeat + 1, "partitioned");
  }
  if (!json_file.empty())
    std::ofstream(json_file) << json.dump(2) << '\n';
  return pass ? 0 : 1;
}
