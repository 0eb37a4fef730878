// SPDX-License-Identifier: Apache-2.0
// Makes meshes: parses their text, checks their limits, refines an axis into sub-axes.
#include "sharding/mesh.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "base/check_utf8.hpp"
#include "base/text_reader.hpp"
#include "base/trim.hpp"
#include "base/utf8.hpp"

namespace tw::sharding {

namespace {

bool is_plain_name(std::string_view name) { return !name.empty() && std::ranges::all_of(name, is_name_char); }

// "data=2", or in braces "data": 2
Result<Axis> parse_axis(std::string_view part, std::string_view whole, bool braces) {
  const auto equals = part.find(braces ? ':' : '=');
  if (equals == std::string_view::npos)
    return fail(Code::invalid_argument, "TW-301",
                fmt::format("mesh '{}': expected {}, found '{}'", whole,
                            braces ? "\"NAME\": SIZE, such as \"x\": 8" : "NAME=SIZE, such as x=8",
                            trim(part)));
  std::string_view name = trim(part.substr(0, equals));
  const std::string_view digits = trim(part.substr(equals + 1));
  if (braces && name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  if (!is_plain_name(name))
    return fail(Code::invalid_argument, "TW-301",
                fmt::format("mesh '{}': '{}' is no axis name (letters, digits, '_', '-', '.')", whole, name));
  int64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return fail(Code::invalid_argument, "TW-301",
                fmt::format("mesh '{}': '{}' is no size for axis '{}'{}", whole, digits, name,
                            digits.find('=') == std::string_view::npos ? "" : ": commas separate axes"));
  return Axis{std::string(name), size, std::string(name), 1};
}

// The first device that is negative or named before; none where all are good.
std::optional<int64_t> wrong_device(std::span<const int64_t> ids) {
  std::vector<int64_t> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  if (!sorted.empty() && sorted.front() < 0)
    return sorted.front();
  const auto twice = std::ranges::adjacent_find(sorted);
  return twice == sorted.end() ? std::nullopt : std::optional(*twice);
}

} // namespace

std::string_view name(AxisKind kind) {
  constexpr std::string_view names[] = {"device", "serial", "threads"};
  return names[static_cast<size_t>(kind)];
}

Result<Mesh> Mesh::parse(std::string_view text) {
  std::vector<Axis> axes;
  std::string_view rest = trim(text);
  const bool braces = rest.size() >= 2 && rest.front() == '{' && rest.back() == '}'; // as papers write it
  if (braces)
    rest = trim(rest.substr(1, rest.size() - 2));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    TW_ASSIGN(Axis axis, parse_axis(rest.substr(0, comma), text, braces));
    axes.push_back(std::move(axis));
    if (comma == std::string_view::npos)
      break;
    rest = trim(rest.substr(comma + 1));
    if (rest.empty())
      return fail(Code::invalid_argument, "TW-301",
                  fmt::format("mesh '{}': nothing follows the last ','", text));
  }
  return create(std::move(axes));
}

Result<Mesh> Mesh::create(std::vector<Axis> axes, std::vector<int64_t> device_ids) {
  if (axes.size() > kMaxAxes)
    return fail(Code::out_of_range, "TW-302",
                fmt::format("a mesh of {} axes: at most {} are supported", axes.size(), kMaxAxes));
  Mesh mesh;
  for (size_t i = 0; i < axes.size(); ++i) {
    Axis &axis = axes[i];
    if (axis.parent.empty())
      axis.parent = axis.name;
    TW_TRY(check_utf8(axis.name, "the name of a mesh axis"));
    if (const std::string text = shown(axis.name); text != axis.name)
      return fail(Code::invalid_argument, "TW-302",
                  fmt::format("mesh axis '{}' has a control character in its name", text));
    if (axis.size < 1)
      return fail(Code::invalid_argument, "TW-302",
                  fmt::format("mesh axis '{}' has size {}: at least 1 is needed", axis.name, axis.size));
    if (axis.size > kMaxDevices / mesh.num_positions_)
      return fail(Code::out_of_range, "TW-302",
                  fmt::format("mesh axis '{}' of size {} makes more than {} devices", axis.name, axis.size,
                              kMaxDevices));
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axis.name)
        return fail(Code::invalid_argument, "TW-302", fmt::format("mesh axis '{}' occurs twice", axis.name));
    mesh.num_positions_ *= axis.size;
    if (axis.kind == AxisKind::device)
      mesh.num_devices_ *= axis.size;
    else if (axis.size > 1)
      mesh.loop_axes_.add(static_cast<AxisId>(i));
  }
  mesh.strides_.resize(axes.size());
  int64_t stride = 1;
  for (size_t i = axes.size(); i-- > 0; stride *= axes[i].size)
    mesh.strides_[i] = stride;
  mesh.axes_ = std::move(axes);
  if (!device_ids.empty()) {
    if (static_cast<int64_t>(device_ids.size()) != mesh.num_devices_)
      return fail(
          Code::invalid_argument, "TW-303",
          fmt::format("{} device ids for a mesh of {} devices", device_ids.size(), mesh.num_devices_));
    if (const auto id = wrong_device(device_ids))
      return fail(Code::invalid_argument, "TW-303",
                  *id < 0 ? fmt::format("device id {}: ids count from 0", *id)
                          : fmt::format("device id {} stands at two mesh positions", *id));
    const bool identity = std::ranges::is_sorted(device_ids) && device_ids.back() == mesh.num_devices_ - 1;
    if (!identity) // which is not worth keeping
      mesh.device_ids_ = std::move(device_ids);
  }
  return mesh;
}

std::optional<AxisId> Mesh::find(std::string_view name) const {
  for (size_t i = 0; i < axes_.size(); ++i)
    if (axes_[i].name == name)
      return static_cast<AxisId>(i);
  return std::nullopt;
}

Result<Mesh> Mesh::refine(AxisId a, std::span<const int64_t> parts) const {
  const Axis &whole = axes_[a];
  int64_t product = 1;
  for (const int64_t part : parts) {
    if (part < 2)
      return fail(Code::invalid_argument, "TW-304",
                  fmt::format("a part of size {} of mesh axis '{}': at least 2 is needed", part, whole.name));
    if (part > whole.size / product)
      return fail(Code::invalid_argument, "TW-304",
                  fmt::format("the parts of mesh axis '{}' exceed its size {}", whole.name, whole.size));
    product *= part;
  }
  if (product != whole.size)
    return fail(
        Code::invalid_argument, "TW-304",
        fmt::format("the parts of mesh axis '{}' make {}, not its size {}", whole.name, product, whole.size));
  if (parts.size() < 2)
    return *this;
  std::vector<Axis> axes(axes_.begin(), axes_.begin() + a);
  int64_t pre = whole.pre;
  for (const int64_t part : parts) {
    axes.push_back(
        Axis{fmt::format("{}:({}){}", whole.parent, pre, part), part, whole.parent, pre, whole.kind});
    pre *= part;
  }
  axes.insert(axes.end(), axes_.begin() + a + 1, axes_.end());
  return create(std::move(axes), device_ids_);
}

Result<Mesh> Mesh::with_axis(std::string name, int64_t size, AxisKind kind) const {
  if (!device_ids_.empty())
    return fail(Code::unimplemented, "TW-303", "a mesh with its own device order takes no further axis");
  std::vector<Axis> axes = axes_;
  axes.push_back(Axis{name, size, name, 1, kind});
  return create(std::move(axes));
}

Mesh Mesh::collapsed(AxisSet axes) const {
  std::vector<Axis> left = axes_;
  for (size_t i = 0; i < left.size(); ++i)
    if (axes.contains(i))
      left[i].size = 1;
  auto mesh = create(std::move(left));
  TW_ASSERT(mesh.has_value());
  return std::move(*mesh);
}

AxisSet Mesh::loop_axes(AxisKind kind) const {
  AxisSet axes;
  for (size_t a = 0; a < axes_.size(); ++a)
    if (axes_[a].kind == kind)
      axes.add(static_cast<AxisId>(a));
  return axes & loop_axes_;
}

Position Mesh::without(Position position, AxisSet axes) const {
  int64_t index = position;
  for (const AxisId axis : axes)
    index -= coordinate(position, axis) * strides_[axis];
  return Position(index);
}

DeviceIndex Mesh::device_of(Position position) const {
  if (loop_axes_.empty())
    return DeviceIndex(position);
  int64_t device = 0;
  for (size_t i = 0; i < axes_.size(); ++i)
    if (axes_[i].kind == AxisKind::device)
      device = device * axes_[i].size + coordinate(position, static_cast<AxisId>(i));
  return DeviceIndex(device);
}

std::string Mesh::text() const {
  std::string text;
  for (size_t i = 0; i < axes_.size();) {
    int64_t size = 1;
    size_t end = i;
    for (; end < axes_.size() && axes_[end].parent == axes_[i].parent; ++end)
      size *= axes_[end].size;
    text += i == 0 ? "" : ",";
    text += axes_[i].kind == AxisKind::device
                ? fmt::format("{}={}", axes_[i].parent, size)
                : fmt::format("{}({}={})", name(axes_[i].kind), axes_[i].parent, size);
    i = end;
  }
  return text;
}

bool Mesh::operator==(const Mesh &other) const {
  return device_ids_ == other.device_ids_ &&
         std::ranges::equal(axes_, other.axes_, [](const Axis &a, const Axis &b) {
           return a.name == b.name && a.size == b.size && a.kind == b.kind;
         });
}

} // namespace tw::sharding
