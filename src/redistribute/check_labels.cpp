// SPDX-License-Identifier: Apache-2.0
// Reads from its pieces what a step should be called: kind, axes and group.
#include <algorithm>
#include <numeric>

#include "redistribute/check_parts.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Mesh;

void check_labels(const Plan &plan, const Tally &tally, Findings &findings) {
  const Problem &problem = *plan.problem;
  const Mesh &mesh = problem.src().mesh;
  std::vector<size_t> group(problem.num_devices()), size(problem.num_devices());
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const Step &step = plan.steps[s];
    std::iota(group.begin(), group.end(), size_t{0});
    std::vector<bool> apart(mesh.num_axes(), false);
    const auto head = [&](size_t d) {
      while (group[d] != d)
        d = group[d] = group[group[d]];
      return d;
    };
    for (size_t d = 0; d < group.size(); ++d)
      for (uint32_t i = step.first_piece[d]; i < step.first_piece[d + 1]; ++i)
        for (const Source &source : step.sources_of(i)) {
          group[head(static_cast<size_t>(source.device))] = head(d);
          for (size_t a = 0; problem.same_mesh() && a < apart.size(); ++a)
            apart[a] = apart[a] || mesh.coordinate(problem.src_position(source.device), AxisId(a)) !=
                                       mesh.coordinate(problem.src_position(Device(d)), AxisId(a));
        }
    std::ranges::fill(size, 0);
    for (size_t d = 0; d < group.size(); ++d)
      ++size[head(d)];
    std::string axes;
    for (size_t a = 0; a < apart.size(); ++a)
      if (apart[a])
        axes += (axes.empty() ? "" : ",") + mesh.axis(AxisId(a)).name;
    if (step.axes != axes)
      findings.add("step {}: data moves over axes '{}', and not '{}'", s, axes, step.axes);
    if (const auto most = static_cast<int64_t>(size.empty() ? 1 : *std::ranges::max_element(size));
        step.group != most)
      findings.add("step {}: up to {} devices exchange among themselves, and not {}", s, most, step.group);
    if (step.kind == Kind::copy && tally.steps[s].moves)
      findings.add("step {} is called a copy, and data moves between devices", s);
    if ((step.kind == Kind::all_reduce || step.kind == Kind::reduce_scatter) && problem.combined().empty())
      findings.add("step {} is called {}, and nothing is to be reduced", s, name(step.kind));
  }
}

} // namespace tw::redistribute
