// SPDX-License-Identifier: Apache-2.0
// Views: structs of the caller that a call fills in.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "partition/action.hpp"
#include "sharding/axis_set.hpp"
#include <tilewright/tw.h>

namespace tw::capi {

// A view that the caller may know less of, or more: its struct_size says how much.
template <class View> Status write_view(View view, View *out) {
  TW_TRY(require(out, "out_view"));
  TW_TRY(check_struct_size(out->struct_size, "out_view"));
  if (out->struct_size > sizeof(View))
    std::memset(reinterpret_cast<char *>(out) + sizeof(View), 0, out->struct_size - sizeof(View));
  view.struct_size = out->struct_size;
  std::memcpy(out, &view, std::min(out->struct_size, sizeof(View)));
  return {};
}

// Of `count` things the i-th is asked for.
inline Status check_index(size_t i, size_t count, const char *what) {
  return i < count
             ? Status()
             : fail(Code::out_of_range, "TW-707", fmt::format("there is no {} {}: of {}", what, i, count));
}

// Bit a is axis a of the mesh.
inline uint64_t bits_of(std::span<const sharding::AxisId> axes) {
  sharding::AxisSet set;
  for (const sharding::AxisId axis : axes)
    set.add(axis);
  return set.bits();
}

inline tw_action_view_t view_of(const partition::Action &action) {
  return {0, action.text.c_str(), action.pos.file.c_str(), action.pos.line, action.pos.column};
}

} // namespace tw::capi
