// SPDX-License-Identifier: Apache-2.0
// Fuzzes spec text: whatever it says, a line is applied as a whole or refused with its place and leaves the
// plan as it was; what comes out is well formed and can be explained and undone.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "import/import.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "partition/spec.hpp"

namespace {

constexpr const char *kProgram = R"(
func.func public @main(%x: tensor<4x6x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x5xf32>, %s: tensor<f32>) -> (tensor<4x6x5xf32>, tensor<24x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x6x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<24x8xf32>
  %5 = stablehlo.dot_general %1, %v, contracting_dims = [2] x [0] : (tensor<4x6x8xf32>, tensor<8x5xf32>) -> tensor<4x6x5xf32>
  return %5, %4 : tensor<4x6x5xf32>, tensor<24x8xf32>
})";

void require(bool condition) {
  if (!condition)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tw;
  static const std::shared_ptr<const graph::Graph> graph = [] {
    auto imported = import::import_text(kProgram);
    require(imported.has_value());
    return imported->graph;
  }();
  static const sharding::Mesh mesh = *sharding::Mesh::parse("data=2,model=3");
  const partition::Plan fresh(graph, mesh);
  partition::Plan plan = fresh;

  for (std::string_view text(reinterpret_cast<const char *>(data), size); !text.empty();) {
    const size_t end = text.find('\n');
    const partition::Plan before = plan;
    if (const auto status = partition::apply_spec(plan, text.substr(0, end), "spec.txt"); !status) {
      require(status.error().info().pos.line == 1 && status.error().info().pos.column >= 1);
      require(!status.error().message().empty());
      require(plan.same_state(before));
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }

  for (partition::NodeId n = 0; n < graph->ops().size(); ++n)
    for (uint32_t r = 0; r < graph->op(n).num_results; ++r)
      require(sharding::verify(plan.result_sharding(n, r), graph->type(graph->result(n, r)).dims, plan.mesh())
                  .has_value());
  for (const auto *conflict : partition::open_conflicts(plan))
    require(!partition::describe(plan, *conflict).empty());
  require(partition::explain(plan, "*").has_value());
  plan.undo_to(fresh.stamp());
  require(plan.same_state(fresh));
  return 0;
}
