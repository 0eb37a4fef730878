// SPDX-License-Identifier: Apache-2.0
// Lowering alone, over the number of devices: time, instructions, collectives and memory of the program.
//   ./dev bench lower [--ops N] [--repeat N] [--json FILE]
#include <cstdio>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/training_step.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"

int main(int argc, char **argv) {
  using namespace tw;
  const std::string repeat_text = bench::option(argc, argv, "--repeat");
  const int repeat = repeat_text.empty() ? 3 : std::atoi(repeat_text.c_str());
  const auto sizes =
      bench::option(argc, argv, "--ops").empty() ? std::vector<int64_t>{100'000} : bench::sizes(argc, argv);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  fmt::print("{:>9} {:>8} {:>9} {:>10} {:>13} {:>12} {:>12}\n", "ops", "devices", "ms", "ns an op",
             "instructions", "collectives", "bytes an op");
  for (const int64_t size : sizes) {
    const auto imported = import::import_text(bench::training_step(size));
    for (const int64_t data : {1, 8, 64, 512, 8192}) {
      const auto mesh = sharding::Mesh::parse(fmt::format("data={},model=8", data));
      if (!imported || !mesh)
        return 1;
      partition::Plan plan(imported->graph, *mesh);
      for (const auto &action : bench::megatron_actions())
        if (!partition::apply_spec(plan, action, "bench"))
          return 1;
      std::shared_ptr<const spmd::Program> program;
      const double ms = bench::best_ms(repeat, [&] { program = spmd::lower(plan).value_or(nullptr); });
      if (!program)
        return 1;
      const auto ops = static_cast<double>(imported->graph->ops().size());
      const double an_op = static_cast<double>(program->memory_bytes()) / ops;
      fmt::print("{:>9} {:>8} {:>9.1f} {:>10.0f} {:>13} {:>12} {:>12.0f}\n", ops, data * 8, ms,
                 ms * 1e6 / ops, program->instrs().size(), program->collectives().size(), an_op);
      json.push_back({{"ops", ops},
                      {"devices", data * 8},
                      {"ms", ms},
                      {"instructions", program->instrs().size()},
                      {"bytes_an_op", an_op}});
    }
  }
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
