// SPDX-License-Identifier: Apache-2.0
// Ranges of loops, and the axes that they run over.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "import/dialects/partir/forms.hpp"

namespace tw::import::partir_dialect {

using annotation::LoopDecl;
using graph::kNone;

namespace {

// Of loops around each other that ranges of one text make, each has an axis of its own.
std::string free_axis(const Reader &r, const std::string &text) {
  std::string axis = text;
  const auto taken = [&] {
    for (uint32_t outer = r.loops.innermost; outer != kNone; outer = r.loops.program.loops[outer].parent)
      if (r.loops.program.loops[outer].axis == axis)
        return true;
    return false;
  };
  for (int n = 1; taken(); ++n)
    axis = fmt::format("{}#{}", text, n);
  return axis;
}

// The range that makes an axis, where one does: "range<6>", "range<16,8>#1". It says how many places the axis
// has, whatever a loop over it cuts.
std::optional<sharding::Range> range_of_axis(std::string_view axis) {
  const size_t end = axis.find('>');
  if (!axis.starts_with("range<") || end == std::string_view::npos)
    return std::nullopt;
  auto range = sharding::parse_range(axis.substr(6, end - 6));
  return range ? std::optional(std::move(*range)) : std::nullopt;
}

} // namespace

bool read_range(Reader &r, sharding::Range &range) {
  r.s.accept('!');
  const char *at = r.s.here();
  const std::string_view word = r.s.word();
  if (word != "range" && word != "partir.range")
    return r.s.fail("TW-420", at, "expected a range such as !partir.range<2>");
  const char close = r.s.accept('<') ? '>' : ')';
  if (close == ')' && !r.s.expect('(', "after range"))
    return false;
  const char *begin = r.s.here();
  std::string_view term;
  while (r.s.peek() != close && !r.s.at_end())
    if (r.s.peek() == '[' ? !r.s.skip_term(term) : !r.s.accept(r.s.peek()))
      return false;
  const std::string_view inside(begin, static_cast<size_t>(r.s.here() - begin));
  if (!r.s.accept(close))
    return r.s.fail_here("the end of a range", {});
  auto parsed = sharding::parse_range(inside);
  if (!parsed)
    return r.s.adopt(std::move(parsed.error()), at);
  range = std::move(*parsed);
  return true;
}

bool find_declared_range(Reader &r, std::string_view name, sharding::Range &range) {
  const auto declared = r.loops.declared_ranges.find(name);
  if (declared != r.loops.declared_ranges.end())
    range = declared->second;
  return true;
}

bool settle_axis(Reader &r, LoopDecl &loop, const char *axis_at, const char *range_at) {
  const bool counts = loop.range.tiles != 0 || !loop.range.extent.empty();
  if (loop.axis.empty() && counts)
    loop.axis = free_axis(r, sharding::text_of(loop.range));
  auto &axes = r.loops.program.axes;
  const auto known = std::ranges::find(axes, loop.axis, &sharding::Axis::name);
  if (known != axes.end()) {
    if (!counts)
      loop.range.tiles = known->size;
    if (loop.range.extent.empty() && loop.range.tiles != known->size)
      return r.s.fail("TW-422", range_at,
                      fmt::format("a {} over the axis \"{}\" of {}", sharding::text_of(loop.range), loop.axis,
                                  known->size));
    loop.tiles = known->size;
    return true;
  }
  loop.tiles = sharding::count_tiles(range_of_axis(loop.axis).value_or(loop.range));
  if (!counts)
    return r.s.fail("TW-422", range_at,
                    "nothing says how many tiles this range has: write it as r : range<4>");
  if (!loop.axis.starts_with("range<") && r.loops.states_axes)
    return r.s.fail("TW-422", axis_at,
                    fmt::format("there is no axis \"{}\" among the attributes of the function", loop.axis));
  if (loop.tiles < 1 || loop.tiles > sharding::kMaxDevices)
    return r.s.fail("TW-422", range_at,
                    fmt::format("a {} does not say how many tiles it has", sharding::text_of(loop.range)));
  if (axes.size() == sharding::kMaxAxes)
    return r.s.fail("TW-422", range_at, fmt::format("loops run over more than {} axes", sharding::kMaxAxes));
  if (!loop.axis.starts_with("range<"))
    axes.push_back({loop.axis, loop.tiles, loop.axis, 1});
  return true;
}

} // namespace tw::import::partir_dialect
