// SPDX-License-Identifier: Apache-2.0
// Parts of values in loops, by slices and rules.
#include "import/loop_parts.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "import/reader.hpp"
#include "ops/registry.hpp"
#include "ops/rule_of.hpp"

namespace tw::import {

using annotation::LoopOp;
using annotation::LoopSlice;
using graph::kNone;
using graph::ValueId;

namespace {

constexpr int64_t kMaxCompared = 1 << 12; // tiles whose sizes are compared one by one

struct Cut {
  uint32_t loop, dim;
  sharding::Range range;
};

bool is_open(const Reader &r, uint32_t loop) {
  for (uint32_t open = r.loops.innermost; open != kNone; open = r.loops.program.loops[open].parent)
    if (open == loop)
      return true;
  return false;
}

// The cuts that the open loops make, outer before inner where they share a dimension.
std::vector<Cut> cuts_of(const Reader &r, const char *definition, ValueId v) {
  std::vector<Cut> cuts;
  if (const auto made = r.loops.parts.find(v); made != r.loops.parts.end())
    for (const LoopPart &part : made->second)
      if (part.kind == LoopPart::Kind::tile && is_open(r, part.loop))
        cuts.push_back({part.loop, part.dim, r.loops.program.loops[part.loop].range});
  for (const LoopSlice &slice : open_slices(r, definition))
    cuts.push_back({slice.loop, slice.dim, slice.range});
  return cuts;
}

// The factor of a dimension that one more loop cuts: the first that those around it leave uncut.
std::optional<ops::FactorId> cut_factor(const ops::Rule &rule, const ops::DimFactors &dim,
                                        const std::vector<int64_t> &tiles) {
  for (const ops::FactorId f : dim)
    if (dim.size() == 1 || tiles[f] < rule.factors[f].size)
      return f;
  return std::nullopt;
}

class Parts {
public:
  Parts(const Reader &r, const LoopOp &told)
      : r_(r), graph_(r.c.builder.graph()), told_(told), results_(graph_.op(told.op).num_results) {}

  std::vector<std::vector<LoopPart>> run() {
    const std::vector<uint32_t> loops = loops_around(r_, told_.loop);
    const bool known =
        told_.factors.empty() && !ops::is_opaque(graph_, told_.op) && graph_.op(told_.op).num_regions <= 1;
    if (!known) {
      for (const uint32_t loop : loops)
        add_unknown(loop);
      return std::move(results_);
    }
    rule_ = ops::rule_of(graph_, told_.op);
    tiles_.assign(rule_.factors.size(), 1);
    for (const uint32_t loop : loops)
      add(loop);
    return std::move(results_);
  }

private:
  void add_unknown(uint32_t loop) {
    for (auto &parts : results_)
      parts.push_back({loop, LoopPart::Kind::unknown, 0, {}});
  }

  // The factor that a loop cuts; none where nothing is cut, nullopt where that is not clear.
  std::optional<std::optional<ops::FactorId>> factor_of(uint32_t loop) const {
    std::optional<ops::FactorId> found;
    const auto agree = [&](const ops::DimFactors &dim) {
      const auto factor = cut_factor(rule_, dim, tiles_);
      if (!factor || (found && *found != *factor))
        return false;
      found = factor;
      return true;
    };
    for (size_t p = 0; p < told_.operands.size() && p < rule_.operands.size(); ++p) {
      const annotation::LoopView &view = told_.operands[p];
      std::optional<LoopPart> part = part_of(r_, nullptr, view.value, loop);
      for (const LoopSlice &slice : view.slices)
        if (slice.loop == loop)
          part = LoopPart{loop, LoopPart::Kind::tile, slice.dim, {}};
      if (part && (part->kind != LoopPart::Kind::tile || !agree(rule_.operands[p][part->dim])))
        return std::nullopt;
    }
    for (size_t i = 0; i < results_.size() && told_.typed; ++i)
      for (const annotation::LoopTypeCut &cut : told_.stated[told_.operands.size() + i])
        if (std::ranges::find(cut.loops, loop) != cut.loops.end() &&
            (cut.dim >= rule_.results[i].size() || !agree(rule_.results[i][cut.dim])))
          return std::nullopt;
    return found;
  }

  void add(uint32_t loop) {
    const auto factor = factor_of(loop);
    if (!factor)
      return add_unknown(loop);
    if (!*factor)
      return;
    const ops::FactorId f = **factor;
    tiles_[f] *= r_.loops.program.loops[loop].tiles;
    for (size_t i = 0; i < results_.size(); ++i) {
      const auto dim = std::ranges::find_if(rule_.results[i], [&](const ops::DimFactors &factors) {
        return std::ranges::find(factors, f) != factors.end();
      });
      if (dim != rule_.results[i].end())
        results_[i].push_back(
            {loop, LoopPart::Kind::tile, static_cast<uint32_t>(dim - rule_.results[i].begin()), {}});
      else if (rule_.factors[f].kind == ops::FactorKind::reduce)
        results_[i].push_back({loop, LoopPart::Kind::partial, 0, rule_.factors[f].reduction});
      else
        results_[i].push_back({loop, LoopPart::Kind::unknown, 0, {}});
    }
  }

  const Reader &r_;
  const graph::Graph &graph_;
  const LoopOp &told_;
  std::vector<std::vector<LoopPart>> results_;
  ops::Rule rule_;
  std::vector<int64_t> tiles_; // by factor
};

} // namespace

std::vector<uint32_t> loops_around(const Reader &r, uint32_t loop) {
  std::vector<uint32_t> loops;
  for (; loop != kNone; loop = r.loops.program.loops[loop].parent)
    loops.push_back(loop);
  std::ranges::reverse(loops);
  return loops;
}

std::vector<LoopSlice> open_slices(const Reader &r, const char *definition) {
  std::vector<LoopSlice> slices;
  if (const annotation::LoopView *view = r.loops.view(definition))
    return view->slices;
  if (const auto nested = r.loops.identities.find(definition); nested != r.loops.identities.end())
    slices = nested->second.view.slices;
  std::erase_if(slices, [&](const LoopSlice &slice) { return !is_open(r, slice.loop); });
  return slices;
}

std::optional<LoopPart> part_of(const Reader &r, const char *definition, ValueId v, uint32_t loop) {
  if (definition != nullptr)
    for (const LoopSlice &slice : open_slices(r, definition))
      if (slice.loop == loop)
        return LoopPart{loop, LoopPart::Kind::tile, slice.dim, {}};
  if (const auto made = r.loops.parts.find(v); made != r.loops.parts.end())
    if (const auto part = std::ranges::find(made->second, loop, &LoopPart::loop); part != made->second.end())
      return *part;
  return std::nullopt;
}

int64_t tiles_around(const Reader &r, const char *definition, ValueId v, uint32_t dim, uint32_t but) {
  int64_t tiles = 1;
  for (const Cut &cut : cuts_of(r, definition, v))
    if (cut.dim == dim && cut.loop != but)
      tiles *= r.loops.program.loops[cut.loop].tiles;
  return tiles;
}

bool is_cut_by(const Reader &r, const char *definition, ValueId v, uint32_t dim, uint32_t loop) {
  return std::ranges::any_of(cuts_of(r, definition, v),
                             [&](const Cut &cut) { return cut.dim == dim && cut.loop == loop; });
}

graph::Shape local_dims(const Reader &r, const char *definition, ValueId v) {
  const graph::Shape whole = r.c.type_of(v).dims;
  graph::Shape dims = whole;
  std::vector<int64_t> before(whole.size(), 1);
  for (const Cut &cut : cuts_of(r, definition, v)) {
    if (cut.dim >= whole.size()) // of an argument whose type is not known yet
      continue;
    const int64_t tiles = r.loops.program.loops[cut.loop].tiles;
    const auto rule = sharding::checked_rule_in(cut.range, {whole[cut.dim], before[cut.dim], tiles, {}});
    const int64_t all = before[cut.dim] *= tiles;
    int64_t &size = dims[cut.dim];
    if (!rule || all > kMaxCompared) {
      size = rule && *rule == sharding::SplitRule{} && whole[cut.dim] % all == 0 ? whole[cut.dim] / all : -1;
      continue;
    }
    size = sharding::tile(*rule, whole[cut.dim], all, 0).size();
    for (int64_t t = 1; t < all && size >= 0; ++t)
      if (sharding::tile(*rule, whole[cut.dim], all, t).size() != size)
        size = -1;
  }
  return dims;
}

std::string local_text(const Reader &r, const char *definition, ValueId v) {
  const graph::Shape dims = local_dims(r, definition, v);
  std::string text = "tensor<";
  for (size_t d = 0; d < dims.size(); ++d) {
    std::string name = fmt::format("{}", dims[d]);
    for (const auto &[range, loop] : r.loops.ranges)
      if (dims[d] < 0 && is_cut_by(r, definition, v, static_cast<uint32_t>(d), loop))
        name = fmt::format("%{}", range);
    text += name + "x";
  }
  return text + graph::to_text({r.c.type_of(v).dtype, {}}).substr(7); // f32>
}

void note_parts(Reader &r, const LoopOp &told) {
  auto parts = Parts(r, told).run();
  for (uint32_t i = 0; i < parts.size(); ++i)
    if (!parts[i].empty())
      r.loops.parts[r.c.builder.graph().result(told.op, i)] = std::move(parts[i]);
}

} // namespace tw::import
