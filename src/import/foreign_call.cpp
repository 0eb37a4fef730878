// SPDX-License-Identifier: Apache-2.0
// The dictionary is in the order of names, as MLIR has them, so that two texts of one call read alike.
#include "import/foreign_call.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "import/emitter.hpp"
#include "import/loop_text.hpp"
#include "import/verbatim.hpp"

namespace tw::import {

namespace {

struct Kept {
  std::string_view name;
  std::string value;
};

// Attributes that the schema has, and those that say how the call is split.
bool is_understood(const AttrText &a, std::string_view value) {
  return a.name == "call_target_name" || a.name == "has_side_effect" || a.name == "api_version" ||
         (a.name == "backend_config" && value.starts_with('"')) || Emitter::is_sharding(a.name) ||
         a.name == "sdy.sharding_rule" || is_loop_attribute(a.name);
}

bool take_kept(Reader &r, OpText &op, std::vector<Kept> &kept) {
  std::vector<AttrText> understood;
  for (const AttrText &a : op.attrs) {
    std::string value;
    if (!append_verbatim(r, a.raw, value))
      return false;
    if (is_understood(a, value))
      understood.push_back(a);
    else
      kept.push_back({a.name, value.empty() ? "unit" : std::move(value)});
  }
  op.attrs = std::move(understood);
  std::ranges::stable_sort(kept, {}, &Kept::name);
  const auto twice = std::ranges::adjacent_find(kept, {}, &Kept::name);
  return twice == kept.end() ||
         r.s.fail("TW-105", op.at, fmt::format("{}: the attribute {} occurs twice", op.name, twice->name));
}

} // namespace

bool emit_foreign_call(Reader &r, OpText &op) {
  std::vector<Kept> kept;
  if (!take_kept(r, op, kept))
    return false;
  std::string dictionary, functions;
  for (const Kept &a : kept) {
    dictionary += fmt::format("{}\"{}\" = {}", dictionary.empty() ? "{" : ", ", a.name, a.value);
    if (a.name == "called_computations" && !functions_named_in(r, a.value, functions))
      return false;
  }
  dictionary += dictionary.empty() ? "" : "}";
  if (!dictionary.empty())
    op.attrs.push_back({"attributes", dictionary, nullptr});
  if (!functions.empty())
    op.attrs.push_back({"called_functions", functions, nullptr});
  return r.emit(op);
}

} // namespace tw::import
