// SPDX-License-Identifier: Apache-2.0
// Matrix products through the executor: beside oneDNN called with nothing around it, and on two devices
//   beside one. ./dev bench products [--rounds N] [--json FILE]
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "bench/table.hpp"
#include "bench/training_step.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "runtime/fill.hpp"
#include "spmd/program.hpp"

#ifdef TW_WITH_ONEDNN
#include "bench/peer_onednn_product.hpp"
#endif

namespace {

using namespace tw;
using bench::need;

// C = A B of n x n, rows of A and C tiled over so many devices.
struct Product {
  Product(int64_t n, int devices, unsigned workers) {
    const std::string type = fmt::format("tensor<{0}x{0}xf32>", n);
    const auto imported = need(import::import_text(fmt::format(
        "module {{\n  func.func public @main(%a: {0} loc(\"a\"), %b: {0} loc(\"b\")) -> {0} {{\n"
        "    %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({0}, {0}) -> {0}\n"
        "    return %c : {0}\n  }}\n}}\n",
        type)));
    partition::Plan plan(imported.graph, need(sharding::Mesh::parse(fmt::format("d={}", devices))));
    if (devices > 1)
      need(partition::apply_spec(plan, "tile(arg=a, dim=0, axis=\"d\")\ninfer-propagate\n", "spec"));
    runtime::Options options;
    options.workers = workers;
    options.tiles = true; // as a program in the middle of others finds its arrays
    executable = need(runtime::Executable::create(need(spmd::lower(plan)), std::move(options)));
    const auto add = [](std::vector<runtime::Tensor> &to, std::span<const sharding::Box> tiles) {
      for (const sharding::Box &tile : tiles) {
        to.emplace_back(graph::TensorType{graph::DType::f32, tile.extent});
        need(runtime::fill(to.back().view(), "uniform(-1,1)", 0, to.size()));
      }
    };
    add(inputs, executable->argument_tiles());
    add(outputs, executable->result_tiles());
    for (auto &t : inputs)
      in.push_back(t.view());
    for (auto &t : outputs)
      out.push_back(t.view());
  }
  void run() { need(executable->run(in, out)); }

  std::shared_ptr<runtime::Executable> executable;
  std::vector<runtime::Tensor> inputs, outputs;
  std::vector<runtime::TensorView> in, out;
};

double seconds(auto &&work) {
  const double begin = bench::now();
  work();
  return bench::now() - begin;
}

// Medians of the times of two, some runs of the one and some of the other in turn. The threads of OpenMP wait
// busily for a while for more to do, and those of a pool too: that is not to be in the times of the other.
std::pair<double, double> in_turn(int rounds, auto &&ours, auto &&theirs) {
  constexpr int kRuns = 5;
  std::vector<double> a, b;
  const auto time_some = [](std::vector<double> &times, auto &&work) {
    for (const double begin = bench::now(); bench::now() < begin + 0.02;) {
    }
    work();
    for (int i = 0; i < kRuns; ++i)
      times.push_back(seconds(work));
  };
  for (int r = 0; r < rounds; ++r) {
    time_some(a, ours);
    time_some(b, theirs);
  }
  return {bench::median(std::move(a)), bench::median(std::move(b))};
}

} // namespace

int main(int argc, char **argv) {
  const std::string rounds_text = bench::option(argc, argv, "--rounds");
  const int rounds = rounds_text.empty() ? 11 : std::atoi(rounds_text.c_str());
  bench::Table table("products");
  const auto gflops = [](int64_t n, double s) { return 2e-9 * static_cast<double>(n * n * n) / s; };

#ifdef TW_WITH_ONEDNN
  {
    constexpr int64_t n = 1024;
    Product ours(n, 1, 0);
    const auto theirs = bench::OneDnnProduct::create(n, n, n);
    if (theirs == nullptr)
      bench::stop("oneDNN has no product of this shape");
    const auto [mine, bare] = in_turn(
        rounds, [&] { ours.run(); },
        [&] { theirs->run(ours.in[0].data, ours.in[1].data, ours.outputs[0].view().data); });
    table.ratio("1024^3 through the executor, all cores", gflops(n, mine), "bare oneDNN", gflops(n, bare),
                "GF/s", 0.95, true);
    WorkerPool pool(0);
    table.ratio("1024^3 through the executor, all cores", gflops(n, mine), "FMA peak",
                bench::fma_peak_gflops(pool), "GF/s", 205.0 / 223, true);
  }
#endif
  {
    constexpr int64_t n = 2048;
    Product two(n, 2, 2), one(n, 1, 1);
    const auto [both, alone] = in_turn(
        std::max(rounds / 3, 3), [&] { two.run(); }, [&] { one.run(); });
    table.ratio("2048^3 on two devices and cores", gflops(n, both), "one device and core", gflops(n, alone),
                "GF/s", 1.85, true);
  }
  table.write(bench::option(argc, argv, "--json"));
}
