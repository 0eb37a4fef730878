// SPDX-License-Identifier: Apache-2.0
// Which loops of an op know where they are follows from its rule and OpDef::mark_placed.
#include "emit/stablehlo/local_op.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/stablehlo/attributes.hpp"
#include "emit/stablehlo/exchange.hpp"
#include "emit/stablehlo/halo_tiles.hpp"
#include "ops/halo.hpp"
#include "ops/literal.hpp"
#include "ops/opaque_rule.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::emit::stablehlo {

using graph::TensorType;
using graph::ValueId;
using ops::FactorId;

namespace {

using Fixed = std::vector<bool>; // by factor: a tile of it must know its place

Fixed fixed_factors(const ops::OpView &op, const ops::OpDef &def, const ops::Rule &rule) {
  Fixed fixed(rule.factors.size());
  for (const ops::Window &window : rule.windows)
    for (const ops::Window::Term &term : window.terms)
      fixed[term.factor] = true;
  for (size_t f = 0; f < rule.factors.size(); ++f)
    if (rule.factors[f].kind == ops::FactorKind::reduce &&
        rule.factors[f].reduction == sharding::Reduction::pick)
      fixed[f] = true;
  if (def.mark_placed != nullptr)
    def.mark_placed(op, rule, fixed);
  // A dimension is whole or a tile: loops that share one with such a loop are like it.
  for (Fixed before; before != fixed;) {
    before = fixed;
    for (const auto *side : {&rule.operands, &rule.results})
      for (const auto &array : *side)
        for (const ops::DimFactors &dim : array)
          if (std::ranges::any_of(dim, [&](FactorId f) { return fixed[f]; }))
            ops::mark(dim, fixed);
  }
  return fixed;
}

class Writer {
public:
  Writer(DeviceText &text, const graph::Graph &graph, const sharding::Mesh &mesh, LocalOp &op)
      : text_(text), graph_(graph), mesh_(mesh), o_(op), def_(ops::op_def(graph.op(op.op).code)),
        holder_(graph, op.op), fixed_(fixed_factors(holder_.view(), def_, op.rule)) {}

  std::vector<Local> write() {
    fix_reshape();
    for (size_t p = 0; p < o_.operands.size(); ++p) {
      if (!o_.uses_init.empty() && (o_.rule.init_operands >> p & 1) != 0)
        o_.operands[p] =
            text_.select(text_.decide(o_.uses_init), o_.operands[p], identity(o_.operands[p].type));
      place(p);
    }
    std::vector<TensorType> types;
    for (uint32_t r = 0; r < graph_.op(o_.op).num_results; ++r)
      types.push_back(result_type(r));
    std::vector<Local> made = run(types);
    for (size_t r = 0; r < made.size(); ++r)
      made[r] = cut(made[r], r);
    return made;
  }

private:
  Local identity(const TensorType &type) {
    return text_.splat(ops::identity_of(o_.reduction, type.dtype), type);
  }
  bool is_fixed(const ops::DimFactors &dim) const {
    return std::ranges::any_of(dim, [&](FactorId f) { return fixed_[f]; });
  }

  // Tiles that have not as many elements before as behind are no reshape of each other.
  void fix_reshape() {
    if (def_.kind == ops::OpKind::reshape && o_.operands[0].type.elements() != result_type(0).elements())
      fixed_.assign(fixed_.size(), true);
  }

  // What is in the place of elements that a device does not have: it adds nothing to what is reduced, and
  // indices lead nowhere.
  Local filler(size_t p, const TensorType &type) {
    if (def_.kind == ops::OpKind::scatter && p == (o_.operands.size() - 1) / 2)
      return text_.splat(std::vector<std::byte>(graph::byte_size(type.dtype), std::byte{0xff}), type);
    return o_.uses_init.empty() ? text_.zeros(type) : identity(type);
  }

  // Puts the tile of an operand in its place, along those dimensions that must know it. Where tiles differ in
  // size, what is behind the end of one means nothing: there it must not be summed up, nor put anywhere.
  void place(size_t p) {
    Local &value = o_.operands[p];
    const TensorType &global = graph_.type(graph_.operands(o_.op)[p]);
    const Tiles tiles = tiles_of(o_.operand_shardings[p], global, mesh_);
    Starts sizes = meaningful_sizes(p, tiles);
    for (size_t d = 0; d < value.type.rank(); ++d) {
      const auto matters = [&](FactorId f) {
        return fixed_[f] || o_.rule.factors[f].kind == ops::FactorKind::reduce;
      };
      if (!std::ranges::any_of(o_.rule.operands[p][d], matters) && o_.rule.window(p, d) == nullptr)
        for (auto &size : sizes)
          size[d] = value.type.dims[d];
    }
    const auto whole = [&](const auto &size) { return std::ranges::equal(size, value.type.dims); };
    if (!std::ranges::all_of(sizes, whole))
      value = text_.first_of(value, sizes, filler(p, value.type));
    TensorType type = value.type;
    for (size_t d = 0; d < type.rank(); ++d)
      if (is_fixed(o_.rule.operands[p][d]) || o_.rule.window(p, d) != nullptr)
        type.dims[d] = global.dims[d];
    if (type == value.type)
      return;
    Starts starts = tiles.starts;
    for (auto &start : starts)
      for (size_t d = 0; d < type.rank(); ++d)
        if (type.dims[d] == value.type.dims[d])
          start[d] = 0;
    value = text_.update(filler(p, type), value, starts);
  }

  Starts meaningful_sizes(size_t p, const Tiles &tiles) const {
    const TensorType &global = graph_.type(graph_.operands(o_.op)[p]);
    const Tiles needed = tiles_of(o_.needed_shardings[p], global, mesh_);
    Starts sizes = tiles.sizes;
    for (size_t device = 0; device < sizes.size(); ++device)
      for (size_t d = 0; d < global.rank(); ++d) {
        const int64_t end = needed.starts[device][d] + needed.sizes[device][d] - tiles.starts[device][d];
        sizes[device][d] = needed.sizes[device][d] == 0 ? 0 : std::min(sizes[device][d], end);
      }
    return sizes;
  }

  TensorType result_type(uint32_t r) const {
    const TensorType &global = graph_.type(graph_.result(o_.op, r));
    TensorType type{global.dtype, tiles_of(o_.result_shardings[r], global, mesh_).extent};
    for (size_t d = 0; d < type.rank(); ++d)
      if (is_fixed(o_.rule.results[r][d]))
        type.dims[d] = global.dims[d];
    return type;
  }
  Local cut(const Local &value, size_t r) {
    const TensorType &global = graph_.type(graph_.result(o_.op, static_cast<uint32_t>(r)));
    Tiles tiles = tiles_of(o_.result_shardings[r], global, mesh_);
    for (auto &start : tiles.starts)
      for (size_t d = 0; d < start.size(); ++d)
        if (!is_fixed(o_.rule.results[r][d]))
          start[d] = 0;
    return text_.slice(value, tiles.starts, tiles.extent);
  }

  std::vector<Local> run(const std::vector<TensorType> &types) {
    if (const auto *literal = ops::literal_of(graph_, o_.op); literal != nullptr && literal->splat)
      return {text_.splat(*literal->bytes, types[0])};
    Dictionaries attributes = dictionaries(graph_, def_, local_attributes());
    if (def_.kind == ops::OpKind::custom_call && !o_.stated_rule.empty())
      add_rule(attributes, types);
    name_captures();
    const std::string regions = text_.writer().regions_text(o_.op, text_.depth());
    std::vector<Local> made =
        text_.ops(def_.name, o_.operands, attributes.properties, types, regions + attributes.others);
    if (def_.kind == ops::OpKind::dynamic_slice)
      made[0].is_clamped = std::ranges::any_of(graph_.operands(o_.op).subspan(1), [&](ValueId start) {
        return ops::literal_of_value(graph_, start) == nullptr;
      });
    return made;
  }

  // What is said of the loops of a call, as long as they are in a tile. No rule says of tiles of several
  // sizes.
  void add_rule(Dictionaries &attributes, const std::vector<TensorType> &types) const {
    std::vector<graph::Shape> operands, results;
    for (const Local &operand : o_.operands)
      operands.push_back(operand.type.dims);
    for (const TensorType &type : types)
      results.push_back(type.dims);
    if (const auto text = ops::sharding_rule_of_tiles(o_.stated_rule, holder_.view(), operands, results))
      add_attribute(attributes, fmt::format("sdy.sharding_rule = #sdy.op_sharding_rule<{}>", *text));
  }

  // Attributes that say how much of an operand is taken.
  graph::Attrs local_attributes() const {
    graph::Attrs attrs = graph_.attrs(o_.op);
    const TensorType &global = graph_.type(graph_.operands(o_.op)[0]);
    for (size_t at = 0; at < attrs.size(); ++at)
      if (def_.attrs[at].taken) {
        auto &sizes = std::get<std::vector<int64_t>>(attrs[at]);
        for (size_t d = 0; d < sizes.size(); ++d)
          if (sizes[d] == global.dims[d])
            sizes[d] = o_.operands[0].type.dims[d];
      }
    return attrs;
  }

  // Constants from outside that regions use are made again here.
  void name_captures() {
    const graph::Op &op = graph_.op(o_.op);
    for (uint32_t r = 0; r < op.num_regions; ++r)
      for (const graph::OpId inner : graph_.region(op.first_region + r).ops)
        for (const ValueId v : graph_.operands(inner))
          name_capture(v, op.first_region, op.first_region + op.num_regions);
  }
  void name_capture(ValueId v, graph::RegionId first, graph::RegionId last) {
    const graph::Value &value = graph_.value(v);
    if (value.def == graph::kNone ||
        (graph_.op(value.def).parent >= first && graph_.op(value.def).parent < last))
      return;
    for (const ValueId operand : graph_.operands(value.def))
      name_capture(operand, first, last);
    text_.writer().write_op(value.def, text_.depth(), text_.text());
  }

  DeviceText &text_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
  LocalOp &o_;
  const ops::OpDef &def_;
  const ops::OpViewHolder holder_;
  Fixed fixed_;
};

} // namespace

std::vector<Local> write_local(DeviceText &text, const graph::Graph &graph, const sharding::Mesh &mesh,
                               LocalOp op) {
  if (ops::tile_cuts(graph, op.op))
    return {write_halo_tiles(text, graph, mesh, op)};
  return Writer(text, graph, mesh, op).write();
}

} // namespace tw::emit::stablehlo
