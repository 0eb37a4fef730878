// SPDX-License-Identifier: Apache-2.0
// A program between processes of a device or more each, in turns with and without steps that run while
// messages are under way. overlap.py starts the jobs.
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "comm/mpi/mpi.hpp"
#include "comm/remote/remote.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "runtime/fill.hpp"
#include "spmd/program.hpp"

namespace {

using namespace tw;
using bench::median;
using bench::need;
using bench::read_file;
using bench::stop;

constexpr int kRounds = 11;

// The program on all processes: its time at a stand, and overlapped.
nlohmann::ordered_json compare(const std::string &file, const std::string &mesh, const std::string &spec) {
  auto processes = std::make_shared<comm::Processes>(
      need(comm::open_mpi(nullptr, "", std::chrono::seconds(60))), std::chrono::seconds(60));
  import::ImportOptions import_options;
  import_options.file = file;
  const auto imported = need(import::import_text(read_file(file), import_options));
  partition::Plan plan(imported.graph, need(sharding::Mesh::parse(mesh)));
  need(partition::apply_spec(plan, read_file(spec), spec));
  const auto program = need(spmd::lower(plan));

  std::vector<runtime::Tensor> tensors;
  std::vector<runtime::TensorView> inputs, outputs;
  const graph::Graph &graph = *imported.graph;
  tensors.reserve(graph.arguments().size() + graph.results().size());
  for (const graph::OpId op : graph.arguments()) {
    tensors.emplace_back(graph.type(graph.result(op)));
    need(runtime::fill(tensors.back().view(), "default", 0, inputs.size()));
    inputs.push_back(tensors.back().view());
  }
  for (const graph::OpId op : graph.results()) {
    tensors.emplace_back(graph.type(graph.operands(op)[0]));
    outputs.push_back(tensors.back().view());
  }

  std::vector<std::shared_ptr<runtime::Executable>> ways;
  for (const bool overlaps : {false, true}) {
    runtime::Options options;
    options.workers = 1;
    options.communicator = comm::make_remote(processes);
    if (!overlaps)
      options.without = {"overlap_messages"};
    ways.push_back(need(runtime::Executable::create(program, std::move(options))));
  }
  std::vector<double> times[2];
  for (int round = 0; round <= kRounds; ++round)
    for (size_t w = 0; w < ways.size(); ++w) {
      const double begin = bench::now();
      need(ways[w]->run(inputs, outputs));
      if (round > 0)
        times[w].push_back((bench::now() - begin) * 1e3);
    }
  if (processes->rank() != 0)
    return {};
  const auto mib = [](const runtime::Executable &e) {
    return static_cast<double>(e.arena_bytes()) / (1 << 20);
  };
  return {{"standing", median(times[0])},
          {"overlapped", median(times[1])},
          {"standing_mib", mib(*ways[0])},
          {"overlapped_mib", mib(*ways[1])},
          {"waits", ways[1]->num_steps() - ways[0]->num_steps()}};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5)
    stop("usage: overlap FILE.mlir MESH SPEC JSON");
  need(comm::start_mpi("openmpi"));
  const auto row = compare(argv[1], argv[2], argv[3]);
  if (!row.is_null())
    std::ofstream(argv[4]) << row.dump() << '\n';
  need(comm::finish_mpi("openmpi"));
  return 0;
}
