// SPDX-License-Identifier: Apache-2.0
// How long propagation and lowering take on training steps of growing size, for few and for many devices;
// both are to grow with the ops and not with the devices.
//   ./dev bench plan [--ops N,N] [--repeat N] [--json FILE]
#include <cstdio>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/need.hpp"
#include "bench/training_step.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"

namespace {

using namespace tw;
using bench::need;

struct Figures {
  double rules_ms, action_ms[2], lower_ms, verify_ms;
  int64_t plan_bytes, program_bytes;
  size_t collectives;
};

Figures measure(const std::shared_ptr<const graph::Graph> &graph, const char *mesh_text, int repeat) {
  const auto mesh = need(sharding::Mesh::parse(mesh_text));
  const auto actions = bench::megatron_actions();
  Figures f{};
  f.rules_ms = bench::best_ms(repeat, [&] { partition::Plan plan(graph, mesh); });
  partition::Plan plan(graph, mesh);
  for (size_t t = 0; t < 2; ++t)
    for (int round = 0; round <= repeat; ++round) {
      const auto before = plan.stamp();
      const auto begin = std::chrono::steady_clock::now();
      auto status = partition::apply_spec(plan, actions[t], "bench");
      const double ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      if (!status) {
        fmt::print(stderr, "{}\n", status.error().message());
        std::exit(1);
      }
      if (round == 0 || ms < f.action_ms[t])
        f.action_ms[t] = ms;
      if (round < repeat)
        plan.undo_to(before);
    }
  std::shared_ptr<const spmd::Program> program;
  f.lower_ms = bench::best_ms(repeat, [&] { program = need(spmd::lower(plan)); });
  f.verify_ms = bench::best_ms(1, [&] {
    if (auto status = spmd::verify(*program); !status) {
      fmt::print(stderr, "{}\n", status.error().message());
      std::exit(1);
    }
  });
  f.plan_bytes = static_cast<int64_t>(plan.memory_bytes());
  f.program_bytes = static_cast<int64_t>(program->memory_bytes());
  f.collectives = program->collectives().size();
  return f;
}

} // namespace

int main(int argc, char **argv) {
  const std::string repeat_text = bench::option(argc, argv, "--repeat");
  const int repeat = repeat_text.empty() ? 3 : std::atoi(repeat_text.c_str());
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  fmt::print("an action: limit 50 ms; plan + lower (rules, both actions, lowering, verifier): limit 2000 ms; "
             "memory: limit 1024 bytes an op\n"
             "{:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>12}\n",
             "ops", "devices", "rules ms", "batch ms", "megatr ms", "lower ms", "verify ms", "total ms",
             "ns an op", "bytes an op");
  for (const int64_t size : bench::sizes(argc, argv)) {
    const auto imported = need(import::import_text(bench::training_step(size)));
    const auto ops = static_cast<double>(imported.graph->ops().size());
    for (const auto &[mesh, devices] :
         {std::pair{"data=2,model=4", 8}, std::pair{"data=128,model=8", 1024}}) {
      const Figures f = measure(imported.graph, mesh, repeat);
      const double total = f.rules_ms + f.action_ms[0] + f.action_ms[1] + f.lower_ms + f.verify_ms;
      const double an_op = static_cast<double>(imported.graph->memory_bytes() +
                                               static_cast<size_t>(f.plan_bytes + f.program_bytes)) /
                           ops;
      fmt::print("{:>9} {:>8} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>11.0f} {:>12.0f}\n",
                 ops, devices, f.rules_ms, f.action_ms[0], f.action_ms[1], f.lower_ms, f.verify_ms, total,
                 total * 1e6 / ops, an_op);
      json.push_back({{"ops", ops},
                      {"devices", devices},
                      {"rules_ms", f.rules_ms},
                      {"batch_ms", f.action_ms[0]},
                      {"megatron_ms", f.action_ms[1]},
                      {"lower_ms", f.lower_ms},
                      {"verify_ms", f.verify_ms},
                      {"total_ms", total},
                      {"limit_tactic_ms", 50},
                      {"limit_total_ms", 2000},
                      {"bytes_an_op", an_op},
                      {"collectives", f.collectives}});
    }
  }
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
