// SPDX-License-Identifier: Apache-2.0
// Shardy's meshes and shardings.
#include "import/shardings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::import {

using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;

namespace {

constexpr size_t kMaxAxes = 64;

// "x" or "x":(2)4
bool parse_axis(Scanner &s, AxisRef &axis) {
  std::string_view raw;
  if (!s.string(raw))
    return false;
  axis.name = unescape_name(raw);
  if (!s.accept(':'))
    return true;
  const char *at = s.here();
  if (!s.expect('(', "before the pre-size of a sub-axis") || !s.integer(axis.pre) ||
      !s.expect(')', "after the pre-size of a sub-axis") || !s.integer(axis.size))
    return false;
  return (axis.pre > 0 && axis.size > 1) ||
         s.fail("TW-107", at, "a sub-axis \"x\":(pre)size needs pre >= 1 and size >= 2");
}

// {"a", "b"}
bool parse_axes(Scanner &s, std::vector<AxisRef> &axes) {
  if (!s.expect('{', "before a list of axes"))
    return false;
  if (s.accept('}'))
    return true;
  do {
    if (!parse_axis(s, axes.emplace_back()))
      return false;
  } while (s.accept(','));
  return s.expect('}', "after a list of axes");
}

// {"a", "b", ?}p1
bool parse_dim(Scanner &s, DimAnnotation &dim) {
  if (!s.expect('{', "before the axes of a dimension"))
    return false;
  if (!s.accept('}')) {
    do {
      if ((dim.open = s.accept('?')))
        break;
      if (!parse_axis(s, dim.axes.emplace_back()))
        return false;
    } while (s.accept(','));
    if (!s.expect('}', "after the axes of a dimension"))
      return false;
  }
  const Cursor before = s.cursor();
  const std::string_view priority = s.word();
  if (priority.size() < 2 || priority.size() > 6 || priority[0] != 'p' ||
      !std::all_of(priority.begin() + 1, priority.end(), is_digit)) {
    s.seek(before);
    return priority.empty() || s.fail_here("a priority such as p0", {});
  }
  dim.priority = 0;
  for (char digit : priority.substr(1))
    dim.priority = dim.priority * 10 + (digit - '0');
  return true;
}

bool parse_ids(Scanner &s, std::vector<int64_t> &ids) {
  if (!s.expect('[', "before device ids"))
    return false;
  if (s.accept(']'))
    return true;
  do {
    if (!s.integer(ids.emplace_back()))
      return false;
  } while (s.accept(','));
  return s.expect(']', "after device ids");
}

} // namespace

bool parse_mesh(Scanner &s, MeshDecl &mesh) {
  const char *at = s.here();
  if (!s.expect('<', "before a mesh") || !s.expect('[', "before the axes of a mesh"))
    return false;
  if (!s.accept(']')) {
    do {
      std::string_view name;
      int64_t size = 0;
      const char *axis_at = s.here();
      if (!s.string(name) || !s.expect('=', "after the name of an axis") || !s.integer(size))
        return false;
      if (size < 1 || size > (int64_t{1} << 32))
        return s.fail("TW-107", axis_at, fmt::format("the axis \"{}\" has size {}", name, size));
      for (const auto &[other, other_size] : mesh.axes)
        if (other == name)
          return s.fail("TW-107", axis_at, fmt::format("the mesh has two axes \"{}\"", name));
      mesh.axes.emplace_back(unescape_name(name), size);
    } while (s.accept(','));
    if (!s.expect(']', "after the axes of a mesh"))
      return false;
  }
  if (mesh.axes.size() > kMaxAxes)
    return s.fail("TW-107", at, fmt::format("a mesh of more than {} axes", kMaxAxes));
  while (s.accept(',')) {
    if (!s.expect("device_ids", "in a mesh") || !s.expect('=', "after device_ids") ||
        !parse_ids(s, mesh.device_ids))
      return false;
  }
  return s.expect('>', "after a mesh");
}

bool parse_sharding(Scanner &s, std::vector<MeshDecl> &meshes, ShardingAnnotation &sharding) {
  const char *start = s.here();
  if (!s.expect('<', "before a sharding"))
    return false;
  if (s.accept("mesh")) { // written out in place
    MeshDecl mesh;
    if (!parse_mesh(s, mesh))
      return false;
    const auto same = std::find_if(meshes.begin(), meshes.end(), [&](const MeshDecl &m) {
      return m.axes == mesh.axes && m.device_ids == mesh.device_ids;
    });
    if (same != meshes.end()) {
      sharding.mesh = same->name;
    } else {
      sharding.mesh = mesh.name = fmt::format("mesh{}", meshes.size());
      meshes.push_back(std::move(mesh));
    }
  } else {
    std::string_view mesh;
    const char *at = s.here();
    if (!s.symbol(mesh))
      return false;
    sharding.mesh = mesh;
    if (std::none_of(meshes.begin(), meshes.end(), [&](const MeshDecl &m) { return m.name == mesh; }))
      return s.fail("TW-107", at, fmt::format("the mesh @{} is not defined", mesh));
  }
  if (!s.expect(',', "after the mesh of a sharding") || !s.expect('[', "before the dimensions of a sharding"))
    return false;
  if (!s.accept(']')) {
    do {
      if (!parse_dim(s, sharding.dims.emplace_back()))
        return false;
    } while (s.accept(','));
    if (!s.expect(']', "after the dimensions of a sharding"))
      return false;
  }
  while (s.accept(',')) {
    if (s.accept("replicated")) {
      if (!s.expect('=', "after replicated") || !parse_axes(s, sharding.replicated))
        return false;
    } else if (s.accept("unreduced")) {
      if (!s.expect('=', "after unreduced") || !parse_axes(s, sharding.unreduced))
        return false;
    } else {
      return s.fail_here("replicated={..} or unreduced={..}", "in a sharding");
    }
  }
  if (!s.expect('>', "after a sharding"))
    return false;
  sharding.text.assign(start, s.cursor().at);

  const auto mesh =
      std::find_if(meshes.begin(), meshes.end(), [&](const MeshDecl &m) { return m.name == sharding.mesh; });
  if (mesh->axes.empty() && mesh->device_ids.size() == 1) {
    sharding.kind = ShardingAnnotation::Kind::maximal;
    sharding.device = mesh->device_ids[0];
  }
  for (const DimAnnotation &dim : sharding.dims)
    if (!check_axes(s, *mesh, dim.axes, start))
      return false;
  return check_axes(s, *mesh, sharding.replicated, start) && check_axes(s, *mesh, sharding.unreduced, start);
}

bool check_axes(Scanner &s, const MeshDecl &mesh, const std::vector<AxisRef> &axes, const char *at) {
  for (const AxisRef &axis : axes) {
    const auto named =
        std::find_if(mesh.axes.begin(), mesh.axes.end(), [&](const auto &a) { return a.first == axis.name; });
    if (named == mesh.axes.end())
      return s.fail("TW-107", at, fmt::format("the mesh @{} has no axis \"{}\"", mesh.name, axis.name));
    int64_t part = 0;
    if (axis.size != 0 && (__builtin_mul_overflow(axis.pre, axis.size, &part) || named->second % part != 0))
      return s.fail("TW-107", at,
                    fmt::format("\"{}\":({}){} is no part of an axis of size {}", axis.name, axis.pre,
                                axis.size, named->second));
  }
  return true;
}

bool read_axis_list(Scanner &s, std::string_view raw, std::vector<AxisRef> &axes) {
  const Cursor back = s.cursor();
  const size_t open = std::min(raw.find_first_of("[{"), raw.size());
  s.seek({raw.data() + open, back.line, raw.data()});
  const char *end = s.set_end(raw.data() + raw.size());
  bool ok = true;
  while (ok && !s.at_end())
    if (s.peek() == '"')
      ok = parse_axis(s, axes.emplace_back());
    else
      s.accept(s.peek());
  s.set_end(end);
  s.seek(back);
  return ok;
}

bool read_names(Scanner &s, std::string_view raw, std::vector<std::string> &names) {
  const Cursor back = s.cursor();
  for (size_t quote = raw.find('"'); quote != std::string_view::npos;) {
    std::string_view name;
    s.seek({raw.data() + quote, back.line, raw.data()});
    if (!s.string(name))
      return false;
    names.push_back(unescape_name(name));
    quote = raw.find('"', static_cast<size_t>(s.cursor().at - raw.data()));
  }
  s.seek(back);
  return true;
}

bool parse_sharding_attribute(Scanner &s, std::string_view raw, std::vector<MeshDecl> &meshes,
                              std::vector<ShardingAnnotation> &shardings) {
  const Cursor back = s.cursor();
  s.seek({raw.data(), back.line, raw.data()});
  bool ok = true;
  if (s.accept("#sdy.sharding_per_value")) {
    ok = s.expect('<', "after sharding_per_value") && s.expect('[', "before shardings");
    if (ok && !s.accept(']')) {
      do {
        ok = parse_sharding(s, meshes, shardings.emplace_back());
      } while (ok && s.accept(','));
      ok = ok && s.expect(']', "after shardings");
    }
    ok = ok && s.expect('>', "after sharding_per_value");
  } else {
    s.accept("#sdy.sharding"); // a constraint has only the brackets
    ok = parse_sharding(s, meshes, shardings.emplace_back());
  }
  if (ok)
    s.seek(back);
  return ok;
}

} // namespace tw::import
