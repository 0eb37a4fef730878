// SPDX-License-Identifier: Apache-2.0
// A loop whose turns yield what no op was cut for: a sum of tiles, a tile of what is the same in each turn.
// It means what the turns make of it one by one. Ops that compute that come into the loop, and are cut for
// it.
#include <algorithm>

#include <fmt/format.h>

#include "import/dialects/partir/forms.hpp"
#include "import/implied.hpp"
#include "import/loop_parts.hpp"
#include "ops/rule_of.hpp"

namespace tw::import::partir_dialect {

using annotation::LoopOp;
using annotation::LoopStep;
using annotation::LoopView;
using graph::kNone;
using graph::ValueId;
using sharding::Reduction;

namespace {

std::optional<Reduction> reduction_of(std::string_view kind) {
  static constexpr std::pair<std::string_view, Reduction> kKinds[] = {
      {"and", Reduction::land},     {"max", Reduction::max}, {"min", Reduction::min}, {"or", Reduction::lor},
      {"product", Reduction::prod}, {"sum", Reduction::sum}, {"xor", Reduction::lxor}};
  const auto found = std::ranges::find(kKinds, kind, [](const auto &pair) { return pair.first; });
  return found == std::end(kKinds) ? std::nullopt : std::optional(found->second);
}

class PartMaker {
public:
  PartMaker(Reader &r, const OpText &op, uint32_t id, const Yield &yield)
      : r_(r), op_(op), id_(id), implied_(r.c, op), yielded_(yield.value), definition_(yield.definition),
        at_(yield.at), tiles_(r.loops.program.loops[id].tiles), dims_(r.c.type_of(yielded_).dims),
        slices_(open_slices(r, yield.definition)) {
    r.loops.state_identity(definition_);
  }

  // x of n rows as [before, tiles, width]: each turn reduces its one of the tiles.
  ValueId reduce_tiles(uint32_t dim, Reduction kind) {
    int64_t before = 1, width = 0;
    if (!cut(dim, before, width))
      return kNone;
    graph::Shape split = dims_, whole = dims_;
    split[dim] = width;
    split.insert(split.begin() + dim, tiles_);
    if (before > 1)
      split.insert(split.begin() + dim, before);
    whole[dim] = before * width;
    const ValueId rows = reshape(yielded_, split);
    const ValueId made = reduce(rows, dim + (before > 1), kind);
    return before > 1 ? reshape(made, whole) : made;
  }

  // Tiles of one dimension, one behind the other in another one.
  ValueId move_tiles(uint32_t from, uint32_t to) {
    int64_t before = 1, width = 0;
    if (!cut(from, before, width))
      return kNone;
    if (before > 1 || tiles_around(r_, definition_, yielded_, to, id_) > 1)
      return refuse("loops around this one cut the same dimensions");
    graph::Shape split = dims_, whole = dims_;
    split[from] = width;
    split.insert(split.begin() + from, tiles_);
    std::vector<int64_t> order = numbers(0, std::ssize(split));
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from); // before what was dimension `to`
    whole[from] = width;
    whole[to] *= tiles_;
    const ValueId rows = reshape(yielded_, split);
    return reshape(add("stablehlo.transpose", {rows}, {{"permutation", order}}, {}), whole);
  }

  // The same value in each turn.
  ValueId copies(uint32_t at) {
    graph::Shape all = dims_;
    all.insert(all.begin() + at, tiles_);
    std::vector<int64_t> kept = numbers(0, std::ssize(all));
    kept.erase(kept.begin() + at);
    const ValueId made = add("stablehlo.broadcast_in_dim", {yielded_}, {{"broadcast_dimensions", kept}},
                             graph::TensorType{type(yielded_).dtype, all});
    if (made != kNone)
      cut_result(made, at);
    return made;
  }
  ValueId tile_copies(uint32_t dim) {
    if (tiles_around(r_, definition_, yielded_, dim, id_) > 1)
      return refuse("loops around this one cut the same dimension");
    graph::Shape whole = dims_;
    whole[dim] *= tiles_;
    return reshape(copies(dim), whole);
  }
  ValueId reduce_copies(Reduction kind) { return reduce(copies(0), 0, kind); }

  // A slice, as an op that can be cut.
  ValueId sliced() { return reshape(yielded_, dims_); }

  bool finish(Yield &yield, ValueId made) {
    if (!implied_.ok() || made == kNone)
      return false;
    yield.value = made;
    yield.definition = r_.make_name().data();
    return true;
  }

private:
  const graph::TensorType &type(ValueId v) const { return r_.c.type_of(v); }

  ValueId refuse(std::string why) {
    r_.s.fail("TW-421", at_,
              fmt::format("the loop over \"{}\" cannot make a whole of what its turns yield: {}",
                          r_.loops.program.loops[id_].axis, why));
    return kNone;
  }

  // Of equal tiles how wide they are, and how many the loops around this one make.
  bool cut(uint32_t dim, int64_t &before, int64_t &width) {
    before = tiles_around(r_, definition_, yielded_, dim, id_);
    width = local_dims(r_, definition_, yielded_)[dim];
    if (width >= 0 && width * before * tiles_ == dims_[dim])
      return true;
    return refuse(fmt::format("its tiles of {} elements differ in size", dims_[dim])), false;
  }

  ValueId reshape(ValueId x, const graph::Shape &to) {
    return x == kNone ? kNone : add("stablehlo.reshape", {x}, {}, graph::TensorType{type(x).dtype, to});
  }

  ValueId reduce(ValueId x, int64_t dim, Reduction kind) {
    if (x == kNone)
      return kNone;
    const ValueId made = implied_.reduce(x, {dim}, kind);
    return made == kNone ? kNone : place(made);
  }

  ValueId add(std::string_view name, std::vector<ValueId> operands, std::vector<ops::NamedAttr> attrs,
              const std::optional<graph::TensorType> &stated) {
    if (operands[0] == kNone)
      return kNone;
    const ValueId made = implied_.add(name, std::move(operands), std::move(attrs), stated);
    return made == kNone ? kNone : place(made);
  }

  // Puts the op that made a value into the open loops.
  ValueId place(ValueId made) {
    const graph::Graph &graph = r_.c.builder.graph();
    LoopOp told;
    told.op = graph.value(made).def;
    told.loop = r_.loops.innermost;
    told.pos = statement_position(r_, op_);
    for (const ValueId v : graph.operands(told.op))
      told.operands.push_back({v, v == yielded_ ? slices_ : std::vector<annotation::LoopSlice>()});
    r_.loops.program.ops.push_back(std::move(told));
    r_.loops.program.steps.push_back(
        {LoopStep::Kind::op, static_cast<uint32_t>(r_.loops.program.ops.size() - 1)});
    note_parts(r_, r_.loops.program.ops.back());
    return made;
  }

  // Each turn makes one of the copies, which nothing that is sliced says.
  void cut_result(ValueId made, uint32_t dim) {
    LoopOp &told = r_.loops.program.ops.back();
    const ops::Rule rule = ops::rule_of(r_.c.builder.graph(), told.op);
    std::string outer;
    for (size_t n = loops_around(r_, told.loop).size(); n > 1; --n)
      outer += "_, ";
    told.factors = fmt::format("[{}{}]", outer, rule.results[0][dim].empty() ? 0 : rule.results[0][dim][0]);
    r_.loops.parts[made].push_back({id_, LoopPart::Kind::tile, dim, {}});
  }

  Reader &r_;
  const OpText &op_;
  const uint32_t id_;
  Implied implied_;
  const ValueId yielded_;
  const char *definition_;
  const char *at_;
  const int64_t tiles_;
  const graph::Shape dims_;
  const std::vector<annotation::LoopSlice> slices_; // of what is yielded
};

// Whether loops before this one tile the value along one of its axes in another way: a value has one layout.
bool is_tiled_otherwise(const Reader &r, const LoopView &view) {
  const auto known = r.loops.tiled.find(view.value);
  return known != r.loops.tiled.end() &&
         std::ranges::any_of(view.slices, [&](const annotation::LoopSlice &slice) {
           const auto tiled = known->second.find(r.loops.program.loops[slice.loop].axis);
           return tiled != known->second.end() && tiled->second != slice.dim;
         });
}

} // namespace

bool make_part(Reader &r, const OpText &op, uint32_t id, annotation::LoopAction &action, Yield &yield) {
  if (r.untyped.contains(yield.value))
    return true;
  if (const LoopView view{yield.value, open_slices(r, yield.definition)};
      !view.slices.empty() && (yield.value >= r.loops.first_value || is_tiled_otherwise(r, view))) {
    PartMaker maker(r, op, id, yield);
    if (!maker.finish(yield, maker.sliced()))
      return false;
  }
  const auto part = part_of(r, yield.definition, yield.value, id);
  const auto kind = reduction_of(action.kind);
  const bool combines = action.kind == "tile" || kind;
  if (combines && r.loops.program.loops[id].tiles == 1 && !(part && part->kind == LoopPart::Kind::unknown)) {
    action = action_for(part); // all that its one turn makes
    return true;
  }
  if (part && part->kind != LoopPart::Kind::tile) // an op is cut for it, or the plan says why none is
    return true;
  PartMaker maker(r, op, id, yield);
  if (action.kind == "tile" && action.dim < r.c.type_of(yield.value).rank() &&
      (!part || part->dim != action.dim))
    return maker.finish(yield,
                        part ? maker.move_tiles(part->dim, action.dim) : maker.tile_copies(action.dim));
  if (kind)
    return maker.finish(yield, part ? maker.reduce_tiles(part->dim, *kind) : maker.reduce_copies(*kind));
  return true;
}

} // namespace tw::import::partir_dialect
