// SPDX-License-Identifier: Apache-2.0
// Axes of a mesh, their parts, and those that ranges make.
#include "loops/text_axes.hpp"

#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sharding/range.hpp"

namespace tw::loops {

using annotation::LoopDecl;
using partition::Plan;
using sharding::AxisId;

Error error(const char *id, const SourcePos &pos, std::string message) {
  Error made(Code::invalid_argument, id, std::move(message));
  made.info().pos = pos;
  return made;
}
Error at(Error cause, const SourcePos &pos) {
  cause.info().pos = pos;
  return cause;
}

Result<std::vector<AxisId>> make_axes(Plan &plan, const annotation::LoopProgram &program) {
  std::vector<sharding::Axis> named;
  std::map<std::string, int64_t> reached; // of axes in parts, how many places the parts so far have
  for (sharding::Axis axis : program.axes)
    if (!axis.name.starts_with("range<") && axis.kind == sharding::AxisKind::device) {
      const size_t part = axis.name.rfind(":(");
      axis.parent = axis.name.substr(0, part);
      if (part != std::string::npos)
        axis.pre = std::exchange(reached.try_emplace(axis.parent, 1).first->second,
                                 reached.try_emplace(axis.parent, 1).first->second * axis.size);
      named.push_back(std::move(axis));
    }
  TW_ASSIGN(const sharding::Mesh mesh, sharding::Mesh::create(std::move(named)));
  if (mesh.num_axes() != 0)
    TW_TRY(plan.set_mesh(mesh));
  for (const sharding::Axis &axis : program.axes)
    if (axis.name.starts_with("range<"))
      TW_TRY(find_axis(plan, axis.name, {}));
    else if (axis.kind != sharding::AxisKind::device)
      TW_TRY(plan.add_axis(axis.name, axis.size, axis.kind));
  std::vector<AxisId> axes;
  for (const LoopDecl &loop : program.loops) {
    TW_ASSIGN(const AxisId axis, find_axis(plan, loop.axis, loop.pos));
    axes.push_back(axis);
    if (plan.mesh().size(axis) != loop.tiles)
      return fail(error("TW-422", loop.pos,
                        fmt::format("a {} over the axis \"{}\" of {}", text_of(loop.range), loop.axis,
                                    plan.mesh().size(axis))));
  }
  return axes;
}

Result<AxisId> find_axis(Plan &plan, const std::string &name, const SourcePos &pos) {
  if (!name.starts_with("range<")) {
    if (const auto axis = plan.mesh().find(name))
      return *axis;
    return fail(error("TW-422", pos,
                      fmt::format("there is no axis \"{}\" in the mesh {}", name, plan.mesh().text())));
  }
  const size_t end = name.find('>');
  int64_t n = 0, w = 0;
  uint32_t instance = 0;
  const char *last = name.data() + name.size();
  auto [stop, wrong] = std::from_chars(name.data() + 6, last, n);
  if (wrong == std::errc() && *stop == ',')
    stop = std::from_chars(stop + 1, last, w).ptr;
  const bool numbered = stop != last && *stop == '>' && stop + 1 != last && stop[1] == '#';
  if (numbered)
    stop = std::from_chars(stop + 2, last, instance).ptr;
  else if (stop != last && *stop == '>')
    ++stop;
  if (wrong != std::errc() || end == std::string::npos || stop != last || n < 1 || w < 0 || w > n ||
      (w == 0 && name.find(',') != std::string::npos))
    return fail(error("TW-420", pos,
                      fmt::format("no axis is made by \"{}\": expected range<k> or range<n,w>", name)));
  auto axis = plan.anonymous_axis(n, w, instance);
  if (!axis)
    return fail(at(std::move(axis.error()), pos));
  return *axis;
}

} // namespace tw::loops
