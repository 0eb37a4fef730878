// SPDX-License-Identifier: Apache-2.0
// Fuzzes types and plans: lines MESH, SRC, DST and maybe METHOD, LEVELS, DST-MESH and stated steps give an
// error or a plan that the checker accepts.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "redistribute/check.hpp"
#include "redistribute/plan_bytes.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/stated_steps.hpp"
#include "redistribute/type_text.hpp"

namespace {

using namespace tw;
using namespace tw::redistribute;

constexpr int64_t kMaxDevices = 32; // larger ones take long and show nothing new

Status plan(const std::array<std::string_view, 6> &lines, std::string_view steps) {
  TW_ASSIGN(const auto src_mesh, sharding::Mesh::parse(lines[0]));
  TW_ASSIGN(const auto dst_mesh, sharding::Mesh::parse(lines[5].empty() ? lines[0] : lines[5]));
  TW_ASSIGN(auto src, parse_distributed_type(lines[1], src_mesh));
  TW_ASSIGN(auto dst, parse_distributed_type(lines[2], dst_mesh));
  if (src_mesh.num_devices() > kMaxDevices || dst_mesh.num_devices() > kMaxDevices || src.type.rank() > 8)
    return {};
  std::vector<StatedStep> stated;
  if (!steps.empty() && lines[5].empty()) {
    TW_ASSIGN(stated, read_stated_steps(steps, src_mesh, src, dst, graph::DType::f32));
  }
  TW_ASSIGN(const auto problem, make_problem(src_mesh, src, dst_mesh, std::move(dst), graph::DType::f32));
  PlanOptions options;
  if (!lines[3].empty()) {
    TW_ASSIGN(options.method, parse_method(lines[3]));
  }
  if (!lines[4].empty()) {
    TW_ASSIGN(options.topology, Topology::parse(lines[4], problem->device_ids()));
  }
  TW_ASSIGN(const Costed made, steps.empty() || !lines[5].empty()
                                   ? make_plan(problem, options)
                                   : plan_stated(problem, stated, src, options));
  CheckOptions how;
  how.cost = made.cost;
  how.move_elements = 4096;
  if (!check(*made.plan, how).pass())
    std::abort();
  const auto again = from_bytes(to_bytes(*made.plan, options.topology));
  if (!again || hash_value(*again->plan) != hash_value(*made.plan))
    std::abort();
  return {};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  std::array<std::string_view, 6> lines;
  for (std::string_view &line : lines) {
    const size_t end = std::min(text.find('\n'), text.size());
    line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  const Status status = plan(lines, text);
  if (!status && (status.error().message().empty() || status.error().code() == Code::internal))
    std::abort();
  return 0;
}
