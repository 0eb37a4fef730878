// SPDX-License-Identifier: Apache-2.0
// How fast text becomes a verified graph, and how much memory an op takes, against the time to read every
//   byte once; and the same program as a portable artifact, against the time for its text.
//   ./dev bench import [--ops N,N] [--repeat N] [--json FILE]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/need.hpp"
#include "bench/training_step.hpp"
#include "emit/printer.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace {

constexpr double kMostOfText = 0.5;

// What a device computes under a plan in which nothing is decided: the program itself.
std::string artifact_of(const std::shared_ptr<const tw::graph::Graph> &graph) {
  const tw::partition::Plan plan(graph, *tw::sharding::Mesh::parse("a=2"));
  return tw::bench::need(tw::emit::print(*tw::bench::need(tw::spmd::lower(plan)), "stablehlo-bytecode"));
}

} // namespace

int main(int argc, char **argv) {
  using namespace tw;
  const std::string repeat_text = bench::option(argc, argv, "--repeat");
  const int repeat = repeat_text.empty() ? 5 : std::atoi(repeat_text.c_str());
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  fmt::print("import and verify, limit >= 60 MB/s and <= 1024 bytes an op; an artifact in <= {} of the text\n"
             "{:>9} {:>8} {:>9} {:>8} {:>13} {:>12} {:>12} {:>12}\n",
             kMostOfText, "ops", "MB", "ms", "MB/s", "x byte sum", "bytes an op", "artifact ms",
             "of the text");
  for (const int64_t size : bench::sizes(argc, argv)) {
    const std::string text = bench::training_step(size);
    std::shared_ptr<const graph::Graph> graph;
    const auto read = [&](const std::string &program) {
      return bench::best_ms(repeat, [&] {
        auto imported = import::import_text(program);
        if (!imported) {
          fmt::print(stderr, "{}\n", imported.error().message());
          std::exit(1);
        }
        graph = imported->graph;
      });
    };
    const double ms = read(text);
    const size_t ops = graph->ops().size(), bytes = graph->memory_bytes();
    const std::string artifact = artifact_of(graph);
    const double artifact_ms = read(artifact);
    volatile unsigned sink = 0;
    const double floor = bench::best_ms(repeat, [&] {
      sink = std::accumulate(text.begin(), text.end(), 0u,
                             [](unsigned sum, char c) { return sum + static_cast<unsigned char>(c); });
    });
    const double megabytes = static_cast<double>(text.size()) / 1e6,
                 an_op = static_cast<double>(bytes) / static_cast<double>(ops);
    fmt::print("{:>9} {:>8.1f} {:>9.1f} {:>8.1f} {:>13.1f} {:>12.0f} {:>12.1f} {:>12.2f}\n", ops, megabytes,
               ms, megabytes / ms * 1e3, ms / floor, an_op, artifact_ms, artifact_ms / ms);
    json.push_back({{"ops", ops},
                    {"bytes", text.size()},
                    {"ms", ms},
                    {"mb_per_s", megabytes / ms * 1e3},
                    {"limit_mb_per_s", 60},
                    {"bytes_an_op", an_op},
                    {"artifact_bytes", artifact.size()},
                    {"artifact_ms", artifact_ms},
                    {"limit_artifact_ms", kMostOfText * ms}});
  }
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
