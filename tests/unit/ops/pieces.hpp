// SPDX-License-Identifier: Apache-2.0
// The meaning of a factor rule, executed: cut the operands as the rule says, run a kernel on every piece, put
// the results together, and compare with the whole.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instances.hpp"
#include "kernels/ref/combiner.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/reduction.hpp"
#include "ops/strided.hpp"
#include "sharding/sharding.hpp"

namespace tw::test {

using ops::FactorId;
using ops::FactorKind;
using ops::Rule;

// How many tiles each factor is cut into; 1 = not cut.
using Cuts = std::vector<int64_t>;

// Cutting `f` into k tiles needs every more major factor of a dimension cut into single elements; nothing
// where one of these must stay whole.
inline std::optional<Cuts> cuts_for(const Rule &rule, FactorId f, int64_t k, Cuts cuts) {
  if (rule.factors[f].kind == FactorKind::whole)
    return std::nullopt;
  cuts[f] = std::max(cuts[f], k);
  for (const auto *values : {&rule.operands, &rule.results})
    for (const auto &dims : *values)
      for (const ops::DimFactors &factors : dims)
        for (size_t i = 1; i < factors.size(); ++i)
          if (factors[i] == f)
            for (size_t major = 0; major < i; ++major) {
              const FactorId m = factors[major];
              if (cuts[m] != rule.factors[m].size) {
                auto more = cuts_for(rule, m, rule.factors[m].size, cuts);
                if (!more)
                  return std::nullopt;
                cuts = *more;
              }
            }
  return cuts;
}

struct Piece {
  sharding::Box box;
  std::vector<std::byte> bytes;
  kernels::Buffer buffer(const TensorType &type) {
    return {bytes.data(), type.dtype, type.dims, box.offset, box.extent};
  }
};

// The box of a value when factor f holds only the indices of tiles[f]. `operand`: which one it is, -1 for a
// result.
inline sharding::Box box_of(const TensorType &type, const std::vector<ops::DimFactors> &dims,
                            const Rule &rule, const std::vector<sharding::Interval> &tiles, int operand) {
  sharding::Box box = sharding::Box::whole(type.dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].empty())
      continue;
    if (const ops::Window *window = operand < 0 ? nullptr : rule.window(static_cast<size_t>(operand), d)) {
      const sharding::Interval needed = rule.needed(*window, tiles);
      box.offset[d] = needed.begin;
      box.extent[d] = needed.size();
      continue;
    }
    int64_t offset = 0, extent = 1, inner = 1;
    for (size_t i = dims[d].size(); i-- > 0;) {
      const sharding::Interval tile = tiles[dims[d][i]];
      offset += tile.begin * inner;
      extent *= tile.size();
      inner *= rule.factors[dims[d][i]].size;
    }
    box.offset[d] = offset;
    box.extent[d] = extent;
  }
  return box;
}

inline void copy_box(std::vector<std::byte> &piece, std::vector<std::byte> &whole, const TensorType &type,
                     const sharding::Box &box, bool into_whole) {
  const size_t size = graph::byte_size(type.dtype);
  const std::vector<int64_t> steps = ops::dense_strides(type.dims), local = ops::dense_strides(box.extent);
  int64_t first = 0;
  for (size_t d = 0; d < steps.size(); ++d)
    first += box.offset[d] * steps[d];
  std::byte *at = whole.data() + first * static_cast<int64_t>(size);
  if (box.empty())
    return;
  if (into_whole)
    kernels::ref::copy_strided(at, steps, piece.data(), local, box.extent, size);
  else
    kernels::ref::copy_strided(piece.data(), local, at, steps, box.extent, size);
}

// What runs an op, whole or on pieces.
using Execute = std::function<Status(const ops::OpDef &, const kernels::KernelArgs &)>;
inline Status execute_reference(const ops::OpDef &def, const kernels::KernelArgs &args) {
  return (*kernels::ref::reference_of(def))(args);
}

// Whether two elements are the same, in a result whose partial values were combined in this way, or in one
// that has none.
using Combined = std::optional<sharding::Reduction>;
using Same = std::function<bool(const TensorType &, const std::byte *, const std::byte *, Combined)>;
inline bool same_bits(const TensorType &type, const std::byte *x, const std::byte *y, Combined) {
  const size_t size = graph::byte_size(type.dtype); // 0 of a token, which has no memory
  return size == 0 || std::memcmp(x, y, size) == 0;
}

struct Run {
  const Instance &instance;
  ops::OpViewHolder holder;
  Execute execute;
  Same same;
  std::vector<std::vector<std::byte>> whole;

  explicit Run(const Instance &i, Execute by = execute_reference, Same equals = same_bits)
      : instance(i), holder(*i.graph, i.op), execute(std::move(by)), same(std::move(equals)) {
    std::vector<sharding::Interval> none;
    Rule rule;
    for (const TensorType *t : holder.view().operands)
      rule.operands.emplace_back(t->rank());
    for (const TensorType *t : holder.view().results)
      rule.results.emplace_back(t->rank());
    for (Piece &piece : run(rule, none, true))
      whole.push_back(std::move(piece.bytes));
  }

  // One device's results. Operands that must not be used here are filled with noise.
  std::vector<Piece> run(const Rule &rule, const std::vector<sharding::Interval> &tiles,
                         bool use_init) const {
    const ops::OpView &op = holder.view();
    std::vector<Piece> in(op.operands.size()), out(op.results.size());
    std::vector<kernels::Buffer> operands, results;
    for (size_t v = 0; v < in.size(); ++v) {
      in[v].box = box_of(*op.operands[v], rule.operands[v], rule, tiles, static_cast<int>(v));
      in[v].bytes.resize(static_cast<size_t>(in[v].box.elements()) * graph::byte_size(op.operands[v]->dtype));
      auto source = instance.operands[v];
      copy_box(in[v].bytes, source, *op.operands[v], in[v].box, false);
      if (!use_init && (rule.init_operands >> v & 1))
        std::fill(in[v].bytes.begin(), in[v].bytes.end(), std::byte{0x5a});
      operands.push_back(in[v].buffer(*op.operands[v]));
    }
    for (size_t v = 0; v < out.size(); ++v) {
      out[v].box = box_of(*op.results[v], rule.results[v], rule, tiles, -1);
      out[v].bytes.assign(static_cast<size_t>(out[v].box.elements()) * graph::byte_size(op.results[v]->dtype),
                          std::byte{0xa5});
      results.push_back(out[v].buffer(*op.results[v]));
    }
    const ops::OpDef &def = ops::op_def(instance.graph->op(instance.op).code);
    if (auto status = execute(def, {op, operands, results, use_init}); !status)
      failure = status.error().message();
    return out;
  }
  mutable std::string failure;
};

inline bool has_factor(const std::vector<ops::DimFactors> &dims, FactorId f) {
  for (const ops::DimFactors &factors : dims)
    if (std::find(factors.begin(), factors.end(), f) != factors.end())
      return true;
  return false;
}

// Pieces of all results together, put behind what the results hold already.
inline std::string fold_by_region(const ops::OpView &op, std::vector<Piece> &pieces,
                                  std::vector<std::vector<std::byte>> &results) {
  auto region = kernels::ref::RegionFn::make(op.graph, op.regions[0]);
  if (!region)
    return region.error().message();
  std::vector<Piece> held = pieces;
  for (size_t v = 0; v < pieces.size(); ++v)
    copy_box(held[v].bytes, results[v], *op.results[v], pieces[v].box, false);
  for (int64_t e = 0; e < pieces[0].box.elements(); ++e) {
    std::vector<const void *> in;
    std::vector<void *> out;
    for (auto *side : {&held, &pieces})
      for (size_t v = 0; v < pieces.size(); ++v)
        in.push_back((*side)[v].bytes.data() +
                     static_cast<size_t>(e) * graph::byte_size(op.results[v]->dtype));
    for (size_t v = 0; v < pieces.size(); ++v)
      out.push_back(const_cast<void *>(in[pieces.size() + v]));
    region->run(in, out, 1);
  }
  return "";
}

// Runs the op in pieces; an empty answer means equal to the whole.
inline std::string check_cuts(const Run &whole, const Rule &rule, const Cuts &cuts,
                              sharding::SplitRule::Kind split) {
  const ops::OpView &op = whole.holder.view();
  std::vector<std::vector<std::byte>> results;
  std::vector<std::vector<int64_t>> covered;
  std::vector<int64_t>
      copies; // of each result: devices that differ only in tiles of factors it does not have make it alike
  for (size_t v = 0; v < op.results.size(); ++v) {
    results.emplace_back(static_cast<size_t>(op.results[v]->bytes()));
    covered.emplace_back(static_cast<size_t>(op.results[v]->elements()));
    copies.push_back(1);
    for (FactorId f = 0; f < rule.factors.size(); ++f)
      if (rule.factors[f].kind != FactorKind::reduce && !has_factor(rule.results[v], f))
        copies.back() *= cuts[f];
  }
  Combined combined;
  for (FactorId f = 0; f < rule.factors.size(); ++f)
    if (rule.factors[f].kind == FactorKind::reduce && cuts[f] > 1)
      combined = rule.factors[f].reduction;
  // Devices: every combination of tiles; factors that reduce vary fastest, so partial values of one place
  // come one after the other.
  std::vector<FactorId> order;
  for (const bool reduced : {false, true})
    for (FactorId f = 0; f < rule.factors.size(); ++f)
      if ((rule.factors[f].kind == FactorKind::reduce) == reduced)
        order.push_back(f);
  std::vector<int64_t> extent;
  for (FactorId f : order)
    extent.push_back(cuts[f]);
  for (ops::Walk w(extent); w.more(); w.next()) {
    std::vector<sharding::Interval> tiles(rule.factors.size());
    bool first = true; // of the devices that share a place in the results
    std::optional<sharding::Reduction> kind;
    for (size_t i = 0; i < order.size(); ++i) {
      const FactorId f = order[i];
      sharding::SplitRule cut;
      cut.kind = split;
      tiles[f] = sharding::tile(cut, rule.factors[f].size, cuts[f], w[i]);
      if (rule.factors[f].kind == FactorKind::reduce && cuts[f] > 1) {
        kind = rule.factors[f].reduction;
        first = first && w[i] == 0;
      }
    }
    std::vector<Piece> pieces = whole.run(rule, tiles, first || rule.init_operands == 0);
    const bool by_region = !first && kind == sharding::Reduction::region;
    if (by_region && box_of(*op.operands[0], rule.operands[0], rule, tiles, 0).empty())
      continue; // nothing to add
    if (by_region)
      if (std::string wrong = fold_by_region(op, pieces, results); !wrong.empty())
        return wrong;
    for (size_t v = 0; v < pieces.size(); ++v) {
      Piece &piece = pieces[v];
      const TensorType &type = *op.results[v];
      if (!first && !by_region) {
        Piece sum = piece;
        copy_box(sum.bytes, results[v], type, piece.box, false);
        const kernels::BlockFn combine = kernels::ref::combine_block(*kind, type.dtype);
        if (!combine)
          return fmt::format("no way to combine {} by {}", graph::name(type.dtype), sharding::name(*kind));
        const void *in[2] = {sum.bytes.data(), piece.bytes.data()};
        combine(in, piece.bytes.data(), piece.box.elements());
      } else if (first) {
        for (ops::Walk e(piece.box.extent); e.more(); e.next()) {
          int64_t at = 0;
          for (size_t d = 0; d < type.rank(); ++d)
            at = at * type.dims[d] + piece.box.offset[d] + e[d];
          ++covered[v][static_cast<size_t>(at)];
        }
      }
      if (Piece expected = piece; copies[v] > 1) {
        auto source = whole.whole[v];
        copy_box(expected.bytes, source, type, piece.box, false);
        for (size_t at = 0; at < piece.bytes.size(); at += graph::byte_size(type.dtype))
          if (!whole.same(type, piece.bytes.data() + at, expected.bytes.data() + at, combined))
            return fmt::format("a copy of result {} differs from the whole", v);
      }
      copy_box(piece.bytes, results[v], type, piece.box, true);
    }
  }
  for (size_t v = 0; v < results.size(); ++v) {
    for (size_t i = 0; i < covered[v].size(); ++i)
      if (covered[v][i] != copies[v])
        return fmt::format("result {} element {} is made {} times, not {}", v, i, covered[v][i], copies[v]);
    const size_t size = graph::byte_size(op.results[v]->dtype);
    for (size_t i = 0; i < covered[v].size(); ++i)
      if (!whole.same(*op.results[v], results[v].data() + i * size, whole.whole[v].data() + i * size,
                      combined))
        return fmt::format("result {} element {} differs from the whole", v, i);
  }
  return whole.failure;
}

// Cuts each factor, and pairs of them, into 2 and 3; counts the cuts tried.
inline std::string check_rule(const Run &whole, const Rule &rule, RandomChoices &random, int64_t &tried) {
  if (!whole.failure.empty())
    return whole.failure;
  const Cuts uncut(rule.factors.size(), 1);
  for (FactorId f = 0; f < rule.factors.size(); ++f)
    for (int64_t k : {2, 3}) {
      auto cuts = cuts_for(rule, f, k, uncut);
      if (!cuts)
        continue;
      std::vector<Cuts> all = {*cuts};
      const auto other =
          static_cast<FactorId>(random.range(0, static_cast<int64_t>(rule.factors.size()) - 1));
      if (auto both = cuts_for(rule, other, 2, *cuts); both && other != f)
        all.push_back(*both);
      for (const Cuts &c : all)
        for (const auto split : {sharding::SplitRule::Kind::balanced, sharding::SplitRule::Kind::ceil}) {
          ++tried;
          if (std::string wrong = check_cuts(whole, rule, c, split); !wrong.empty())
            return fmt::format("factor {} in {} tiles: {}", f, k, wrong);
        }
    }
  return {};
}

} // namespace tw::test
