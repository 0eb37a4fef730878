// SPDX-License-Identifier: Apache-2.0
// What a step costs beyond its work: programs of very small steps with and without collectives, on one worker
// and on all, on 8 devices and on many more.
//   ./dev bench executor [--json FILE]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/peak.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"

namespace {

using namespace tw;
using graph::ValueId;

constexpr int kRounds = 200;

class Builder {
public:
  graph::GraphBuilder b{"executor", "executor"};

  ValueId op(std::string_view name, std::vector<ValueId> operands,
             const std::vector<ops::NamedAttr> &attrs = {}, std::vector<graph::TensorType> stated = {},
             std::vector<graph::RegionId> regions = {}) {
    const auto code = *ops::find_op("stablehlo." + std::string(name));
    std::vector<graph::TypeId> types;
    for (const auto &t : stated)
      types.push_back(b.type(t));
    auto checked = ops::check_attrs(ops::op_def(code), attrs);
    auto added = ops::add(b, code, operands, std::move(*checked), types, 0, regions);
    if (!added) {
      fmt::print(stderr, "{}: {}\n", name, added.error().message());
      std::exit(1);
    }
    return b.graph().result(*added);
  }
  ValueId sum(ValueId v) {
    const auto zero =
        b.constant({b.type({graph::DType::f32, {}}), true, std::make_shared<std::vector<std::byte>>(4)});
    const ValueId init = op("constant", {}, {{"value", zero}}, {{graph::DType::f32, {}}});
    const graph::TypeId scalar = b.type({graph::DType::f32, {}});
    const graph::RegionId region = b.open_region(std::array{scalar, scalar});
    const std::vector<ValueId> in = b.graph().region(region).args;
    b.close_region({op("add", {in[0], in[1]})});
    return op("reduce", {v, init}, {{"dimensions", std::vector<int64_t>{0}}}, {}, {region});
  }
};

// x[n] tiled over the devices; each round sums it (an all_reduce) and adds the sum, or just transposes a
// small matrix.
std::shared_ptr<const graph::Graph> rounds(int64_t n, bool collective, int64_t devices = 8) {
  Builder p;
  const graph::TensorType t{graph::DType::f32, collective ? graph::Shape{n} : graph::Shape{devices, n}};
  ValueId x = p.b.graph().result(ops::add_argument(p.b, t, "x"));
  const auto y = [&] { return graph::TensorType{graph::DType::f32, {devices, n}}; };
  for (int i = 0; i < kRounds; ++i) {
    if (collective) {
      const ValueId s = p.sum(x);
      x = p.op("add",
               {x, p.op("broadcast_in_dim", {s}, {{"broadcast_dimensions", std::vector<int64_t>{}}}, {t})});
    } else {
      x = p.op("reverse", {x}, {{"dimensions", std::vector<int64_t>{1}}}, {y()});
    }
  }
  ops::add_result(p.b, x, "x");
  return p.b.finish();
}

struct Figure {
  double per_round_us = 0;
  size_t steps = 0;
};

Figure measure(const std::shared_ptr<const graph::Graph> &graph, unsigned workers, int64_t devices = 8) {
  partition::Plan plan(graph, *sharding::Mesh::parse(fmt::format("a={}", devices)));
  const auto applied =
      partition::apply_spec(plan, "tile(arg=x, dim=0, axis=\"a\")\ninfer-propagate\n", "spec");
  const auto program = spmd::lower(plan);
  runtime::Options options;
  options.workers = workers;
  auto made = program ? runtime::Executable::create(*program, std::move(options))
                      : fail(Code::internal, "TW-000", "");
  if (!applied || !made) {
    fmt::print(stderr, "{}\n",
               !program ? program.error().message()
               : !made  ? made.error().message()
                        : "no spec");
    std::exit(1);
  }
  runtime::Tensor x(graph->type(graph->result(graph->arguments()[0]))), y(x.type());
  const std::array in{x.view()}, out{y.view()};
  double best = 1e30;
  for (int i = 0; i < 50; ++i) {
    const double begin = bench::now();
    if (!(*made)->run(in, out))
      std::exit(1);
    best = std::min(best, bench::now() - begin);
  }
  return {best * 1e6 / kRounds, (*made)->num_steps()};
}

} // namespace

int main(int argc, char **argv) {
  nlohmann::ordered_json json;
  for (const unsigned workers : {1u, 0u}) {
    const std::string who = workers == 1 ? "1 worker" : "all workers";
    const Figure plain = measure(rounds(4, false), workers);
    const double instruction = plain.per_round_us / 8 * kRounds / static_cast<double>(plain.steps);
    fmt::print("{}: {:.3f} us an instruction and device (limit 0.3)\n", who, instruction);
    json.push_back({{"workers", who}, {"instruction_us", instruction}});
    for (const int64_t n : {int64_t{16}, int64_t{8} << 10, int64_t{256} << 10}) {
      const Figure step = measure(rounds(n, true), workers);
      fmt::print("{}: {:8.2f} us a round of 8 devices: sum of {} elements each, all_reduce of 4 B, add{}\n",
                 who, step.per_round_us, n / 8, n == 16 ? " (limit 1.5 for the all_reduce)" : "");
      json.push_back({{"workers", who}, {"elements", n / 8}, {"round_us", step.per_round_us}});
    }
    // The same tiles on more devices: what a device costs should not grow.
    double of_eight = 0;
    for (const int64_t devices : {8, 64, 256}) {
      const double plain_us =
          measure(rounds(256, false, devices), workers, devices).per_round_us / static_cast<double>(devices);
      const double sum_us = measure(rounds(256 * devices, true, devices), workers, devices).per_round_us /
                            static_cast<double>(devices);
      of_eight = devices == 8 ? plain_us + sum_us : of_eight;
      const double growth = (plain_us + sum_us) / of_eight;
      fmt::print("{}: {:3} devices: {:.3f} us a device for a step of 1 KiB, {:.3f} us for a sum of it: "
                 "{:.2f} of what 8 devices "
                 "cost each (limit 1.5)\n",
                 who, devices, plain_us, sum_us, growth);
      json.push_back({{"workers", who},
                      {"devices", devices},
                      {"step_us", plain_us},
                      {"sum_us", sum_us},
                      {"growth", growth}});
    }
  }
  if (argc == 3 && std::string_view(argv[1]) == "--json")
    std::ofstream(argv[2]) << json.dump(2) << '\n';
  return 0;
}
