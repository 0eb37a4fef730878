// SPDX-License-Identifier: Apache-2.0
// An op of device-local code on its way to one whose operands have dimensions in front.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "import/device_local.hpp"
#include "ops/op_def.hpp"

namespace tw::import {

// What one op is made of; `operands` have all `axes` in front once a rule has expanded them.
struct DeviceLocal::Call {
  graph::OpCode code;
  const ops::OpDef &def;
  std::vector<graph::ValueId> operands;
  graph::Attrs attrs;
  std::span<const graph::TypeId> results; // local
  std::span<const graph::RegionId> regions;
  uint64_t axes;
  int64_t in_front;    // how many dimensions that is
  graph::ValueId made; // by a rule that adds the op itself; kNone: it is still to be added

  std::vector<int64_t> &ints(std::string_view name) {
    const auto at = std::ranges::find_if(def.attrs, [&](const auto &spec) { return name == spec.name; });
    auto &slot = attrs[static_cast<size_t>(at - def.attrs.begin())];
    if (slot.index() == 0)
      slot = std::vector<int64_t>();
    return std::get<std::vector<int64_t>>(slot);
  }
  int64_t &integer(std::string_view name, int64_t fallback) {
    const auto at = std::ranges::find_if(def.attrs, [&](const auto &spec) { return name == spec.name; });
    auto &slot = attrs[static_cast<size_t>(at - def.attrs.begin())];
    if (slot.index() == 0)
      slot = fallback;
    return std::get<int64_t>(slot);
  }
  bool has(std::string_view name) const {
    const auto at = std::ranges::find_if(def.attrs, [&](const auto &spec) { return name == spec.name; });
    return at != def.attrs.end() && attrs[static_cast<size_t>(at - def.attrs.begin())].index() != 0;
  }
  // One entry a dimension: those in front get `value`.
  void prepend(std::string_view name, int64_t value) {
    auto &list = ints(name);
    list.insert(list.begin(), static_cast<size_t>(in_front), value);
  }
  // What attributes say of dimensions, with `front` before them.
  void follow_dims(const graph::Shape &front) {
    for (const ops::AttrSpec &spec : def.attrs)
      switch (spec.dims) {
      case ops::AttrDims::none: break;
      case ops::AttrDims::named:
      case ops::AttrDims::paired: move_back(spec); break;
      case ops::AttrDims::zeros: prepend(spec.name, 0); break;
      case ops::AttrDims::ones: prepend(spec.name, 1); break;
      case ops::AttrDims::extents: {
        auto &list = ints(spec.name);
        list.insert(list.begin(), front.begin(), front.end());
      }
      }
  }

private:
  void move_back(const ops::AttrSpec &spec) {
    if (spec.kind == ops::AttrKind::integer) {
      if (int64_t *dim = has(spec.name) ? &integer(spec.name, 0) : nullptr; dim != nullptr && *dim >= 0)
        *dim += in_front; // below 0, or where it is absent, it counts from the end
      return;
    }
    auto &list = ints(spec.name);
    for (int64_t &d : list)
      d += in_front;
    for (int64_t d = spec.dims == ops::AttrDims::paired ? in_front : 0; d-- > 0;)
      list.insert(list.begin(), d);
  }
};

} // namespace tw::import
