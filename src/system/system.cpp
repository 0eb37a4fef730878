// SPDX-License-Identifier: Apache-2.0
// Figures of a system by type, size and axis.
#include "system/system.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"
#include "system/shipped.hpp"

namespace tw::system {

double Ladder::at(double size) const {
  double fraction = 1;
  for (const auto &[from, value] : points)
    if (from <= size)
      fraction = value;
  return fraction;
}

namespace {

// The figure that a type is computed at; null: there is none.
const std::pair<const std::string, double> *figure_of(const Device &device, graph::DType type) {
  // What is computed as, in the order in which it is looked for.
  static const std::map<std::string_view, std::vector<const char *>> kAs = {
      {"bf16", {"bf16", "f16", "f32"}}, {"f16", {"f16", "bf16", "f32"}}, {"f32", {"f32", "f64"}},
      {"f64", {"f64", "f32"}},          {"c64", {"c64", "f32"}},         {"c128", {"c128", "f64", "f32"}}};
  const std::string_view name = graph::name(type);
  const auto known = kAs.find(name);
  static const std::vector<const char *> kFloat8 = {"f8", "bf16", "f16", "f32"}, kInteger = {"i8", "f32"};
  const auto &as = known != kAs.end() ? known->second : name.starts_with("f8") ? kFloat8 : kInteger;
  for (const char *type_name : as)
    if (const auto found = device.flops.find(type_name); found != device.flops.end())
      return &*found;
  return device.flops.empty() ? nullptr : &*device.flops.begin();
}

} // namespace

double System::flops_of(graph::DType type) const {
  const auto *figure = figure_of(device, type);
  return figure != nullptr ? figure->second : 0;
}

double System::matmul_at(graph::DType type, double size) const {
  const auto *figure = figure_of(device, type);
  const auto own = figure != nullptr ? matmul_of.find(figure->first) : matmul_of.end();
  return (own == matmul_of.end() ? matmul : own->second).at(size);
}

const Link *System::find_link(std::string_view axis) const {
  auto found = axes.find(std::string(axis));
  if (found == axes.end())
    found = axes.find("*");
  return found == axes.end() ? nullptr : &found->second;
}

Status check_axes(const System &system, const std::vector<std::string> &names) {
  for (const auto &[axis, link] : system.axes) {
    if (axis == "*" || std::ranges::count(names, axis) != 0)
      continue;
    // A file may speak of axes that this mesh lacks; one that is almost there is a slip.
    const auto near = nearest_names(axis, names, 1);
    if (!near.empty() && edit_distance(axis, near[0]) <= 2 && system.axes.count(near[0]) == 0)
      return fail(Error(Code::not_found, "TW-443",
                        fmt::format("the mesh has no axis '{}'; nearest: '{}'", axis, near[0]))
                      .at({system.file, system.lines.at("axis " + axis), 1}));
  }
  for (const std::string &axis : names)
    if (system.find_link(axis) == nullptr) {
      std::vector<std::string> known;
      for (const auto &[name, link] : system.axes)
        known.push_back(name);
      return fail(
          Error(Code::not_found, "TW-443",
                fmt::format("{} says nothing of axis '{}'{}: add [axis {}], or [axis *] for every other axis",
                            system.file, axis, nearest_text(axis, known), axis)));
    }
  return {};
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto &[name, text] : shipped_systems())
    names.emplace_back(name);
  return names;
}

} // namespace tw::system
