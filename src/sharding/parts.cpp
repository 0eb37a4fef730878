// SPDX-License-Identifier: Apache-2.0
// Finds `:(`, the name before it and the numbers behind it.
#include "sharding/parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text_reader.hpp"

namespace tw::sharding {

namespace {

// The number at the front of a text, which is cut off; 0 where there is none.
int64_t take_number(std::string_view &text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return 0;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

} // namespace

std::vector<Part> parts_in(std::string_view text) {
  std::vector<Part> parts;
  for (size_t mark = text.find(":("); mark != std::string_view::npos; mark = text.find(":(", mark + 2)) {
    size_t begin = mark, end = mark; // of the name
    if (mark > 0 && (text[mark - 1] == '"' || text[mark - 1] == '\'')) {
      end = mark - 1;
      begin = text.substr(0, end).rfind(text[end]) + 1;
    } else {
      while (begin > 0 && is_name_char(text[begin - 1]))
        --begin;
    }
    std::string_view rest = text.substr(mark + 2);
    const int64_t pre = take_number(rest);
    if (!rest.starts_with(')'))
      continue;
    rest.remove_prefix(1);
    const int64_t size = take_number(rest);
    if (pre >= 1 && size >= 2 && pre <= kMaxDevices && size <= kMaxDevices)
      parts.push_back({text.substr(begin, end - begin), pre, size});
  }
  return parts;
}

int64_t whole_size(std::string_view name, const Mesh &mesh) {
  int64_t size = 1;
  for (const Axis &axis : mesh.axes())
    if (axis.parent == name)
      size *= axis.size;
  return size;
}

std::vector<AxisId> axes_of(const Part &part, const Mesh &mesh) {
  std::vector<AxisId> axes;
  int64_t reached = 1;
  for (size_t a = 0; a < mesh.num_axes(); ++a) {
    const Axis &axis = mesh.axis(static_cast<AxisId>(a));
    if (axis.parent != part.axis || axis.pre != part.pre * reached || axis.size > part.size / reached)
      continue;
    axes.push_back(static_cast<AxisId>(a));
    reached *= axis.size;
  }
  if (reached != part.size)
    axes.clear();
  return axes;
}

Result<std::optional<CutOfAxis>> cut_for_part(const Mesh &mesh, std::string_view name, int64_t pre) {
  int64_t size = 1;
  std::optional<AxisId> around;
  for (size_t i = 0; i < mesh.num_axes(); ++i) {
    const Axis &axis = mesh.axis(static_cast<AxisId>(i));
    if (axis.parent != name)
      continue;
    size = axis.pre * axis.size;
    if (pre == axis.pre || pre == size)
      return std::nullopt;
    if (pre > axis.pre && pre < size)
      around = static_cast<AxisId>(i);
  }
  if (!around)
    return std::nullopt;
  const Axis &axis = mesh.axis(*around);
  if (pre % axis.pre != 0 || (axis.pre * axis.size) % pre != 0)
    return fail(
        Code::invalid_argument, "TW-403",
        fmt::format("axis '{}' of {} has no part that begins or ends behind {} places: its part '{}' has {}",
                    name, mesh.text(), pre, axis.name, axis.size));
  return CutOfAxis{*around, pre / axis.pre};
}

Result<Mesh> with_parts(Mesh mesh, std::span<const Part> parts) {
  for (const Part &part : parts)
    for (const int64_t pre : {part.pre, part.pre * part.size}) {
      TW_ASSIGN(const auto cut, cut_for_part(mesh, part.axis, pre));
      if (!cut)
        continue;
      const std::array<int64_t, 2> sizes{cut->major, mesh.size(cut->axis) / cut->major};
      TW_ASSIGN(mesh, mesh.refine(cut->axis, sizes));
    }
  return mesh;
}

Result<Mesh> with_parts(Mesh mesh, std::string_view text) {
  return with_parts(std::move(mesh), parts_in(text));
}

Mesh whole_device_axes(const Mesh &mesh) {
  std::vector<Axis> axes;
  for (const Axis &axis : mesh.axes()) {
    if (axis.kind != AxisKind::device)
      continue;
    if (!axes.empty() && axes.back().name == axis.parent)
      axes.back().size *= axis.size;
    else
      axes.push_back({axis.parent, axis.size, axis.parent});
  }
  return *Mesh::create(std::move(axes), {mesh.device_ids().begin(), mesh.device_ids().end()});
}

} // namespace tw::sharding
