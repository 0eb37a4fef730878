// SPDX-License-Identifier: Apache-2.0
// What a loop program means, by running it: a loop runs its body once for each place of its range, one after
// the other; slice cuts an array, tile puts parts side by side, sum and its like combine them, any asks that
// all are the same. Ops run by their reference kernels, and nothing of the compiler is asked but which part
// of its result an op makes.
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "annotation/loop_program.hpp"
#include "elements.hpp"
#include "kernels/ref/combiner.hpp"
#include "kernels/ref/evaluate.hpp"
#include "kernels/ref/references.hpp"
#include "loops/loops.hpp"
#include "ops/loop_names.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"

namespace tw::test {

class LoopInterpreter {
public:
  LoopInterpreter(const partition::Plan &plan, const annotation::LoopProgram &program)
      : plan_(plan), graph_(plan.graph()), program_(program), at_(program.loops.size(), 0) {}

  Result<std::vector<kernels::ref::Array>> run(std::span<const kernels::ref::Array> arguments) {
    scopes_.clear();
    scopes_.push_back({0, {}});
    for (size_t i = 0; i < arguments.size(); ++i)
      scopes_[0].values[graph_.result(graph_.arguments()[i])] =
          whole(graph_.result(graph_.arguments()[i]), arguments[i].bytes);
    TW_TRY(run_loops(0));
    std::vector<kernels::ref::Array> results;
    for (const graph::OpId op : graph_.results()) {
      TW_ASSIGN(const Piece *made, find(graph_.operands(op)[0]));
      results.push_back({graph_.type(graph_.operands(op)[0]), made->bytes});
    }
    return results;
  }

private:
  struct Piece {
    sharding::Box box;
    std::vector<int64_t> tiles, index; // of each dimension: in how many parts it is cut, and which this is
    std::vector<std::byte> bytes;
  };
  using Values = std::unordered_map<graph::ValueId, Piece>;
  struct Scope {
    graph::RegionId region; // kNone: the turn of a loop
    Values values;
  };

  Piece whole(graph::ValueId v, std::vector<std::byte> bytes) const {
    const size_t rank = graph_.type(v).rank();
    return {sharding::Box::whole(graph_.type(v).dims), std::vector<int64_t>(rank, 1),
            std::vector<int64_t>(rank, 0), std::move(bytes)};
  }
  size_t width(graph::ValueId v) const { return graph::byte_size(graph_.type(v).dtype); }

  bool is_there(graph::ValueId v) const {
    return std::ranges::any_of(scopes_, [&](const Scope &scope) { return scope.values.contains(v); });
  }

  // The value as the innermost scope knows it; ops outside all loops run when first asked for.
  Result<const Piece *> find(graph::ValueId v) {
    for (size_t s = scopes_.size(); s-- > 0;)
      if (const auto found = scopes_[s].values.find(v); found != scopes_[s].values.end())
        return &found->second;
    const graph::OpId op = graph_.value(v).def;
    if (op == graph::kNone)
      return fail(Code::internal, "TW-250",
                  fmt::format("{} is used before it is there", graph_.value_name(v)));
    std::vector<Piece> operands;
    for (const graph::ValueId operand : graph_.operands(op)) {
      TW_ASSIGN(const Piece *piece, find(operand));
      operands.push_back(*piece);
    }
    const auto scope = std::ranges::find(scopes_, graph_.op(op).parent, &Scope::region) - scopes_.begin();
    if (kernels::ref::reference_of(ops::op_def(graph_.op(op).code)) != nullptr) {
      TW_TRY(run_op(op, operands, {}, scopes_[static_cast<size_t>(scope)].values));
    } else {
      TW_ASSIGN(std::vector<Piece> results, run_control(op, std::move(operands)));
      for (uint32_t r = 0; r < results.size(); ++r)
        scopes_[static_cast<size_t>(scope)].values[graph_.result(op, r)] = std::move(results[r]);
    }
    return &scopes_[static_cast<size_t>(scope)].values.at(v);
  }

  // A while, if or case.
  Result<std::vector<Piece>> run_control(graph::OpId op, std::vector<Piece> operands) {
    const std::string_view name = ops::op_def(graph_.op(op).code).name;
    const graph::RegionId first = graph_.op(op).first_region;
    if (name == "stablehlo.while")
      for (;;) {
        TW_ASSIGN(const std::vector<Piece> goes_on, run_region(first, operands));
        if (goes_on[0].bytes[0] == std::byte{0})
          return operands;
        TW_ASSIGN(operands, run_region(first + 1, operands));
      }
    if (name == "stablehlo.if")
      return run_region(first + (operands[0].bytes[0] == std::byte{0} ? 1 : 0), {});
    if (name != "stablehlo.case")
      return fail(Code::unimplemented, "TW-247", fmt::format("no kernel runs {}", name));
    int32_t index = 0;
    std::memcpy(&index, operands[0].bytes.data(), sizeof index);
    const auto last = static_cast<int32_t>(graph_.op(op).num_regions) - 1;
    return run_region(first + static_cast<uint32_t>(index < 0 || index > last ? last : index), {});
  }

  Result<std::vector<Piece>> run_region(graph::RegionId id, const std::vector<Piece> &arguments) {
    const graph::Region &region = graph_.region(id);
    scopes_.push_back({id, {}});
    for (size_t i = 0; i < region.args.size(); ++i)
      scopes_.back().values[region.args[i]] = arguments[i];
    TW_TRY(run_loops(id));
    std::vector<Piece> yielded;
    for (const graph::ValueId v : region.yields) {
      TW_ASSIGN(const Piece *made, find(v));
      yielded.push_back(*made);
    }
    scopes_.pop_back();
    return yielded;
  }

  // The loops of a body, in order.
  Status run_loops(graph::RegionId body) {
    for (size_t i = 0; i < program_.steps.size();)
      if (const annotation::LoopStep &step = program_.steps[i];
          step.kind == annotation::LoopStep::Kind::open && program_.loops[step.id].region == body) {
        TW_TRY(run_loop(i));
      } else {
        ++i;
      }
    return {};
  }

  Piece cut(graph::ValueId v, const Piece &from, uint32_t dim, const sharding::SplitRule &rule, int64_t tiles,
            int64_t at) const {
    Piece part = from;
    part.tiles[dim] *= tiles;
    part.index[dim] = part.index[dim] * tiles + at;
    const sharding::Interval range =
        sharding::tile(rule, graph_.type(v).dims[dim], part.tiles[dim], part.index[dim]);
    part.box.offset[dim] = range.begin;
    part.box.extent[dim] = range.size();
    return part;
  }
  void copy(graph::ValueId v, const Piece &from, Piece &to, const sharding::Box &box) const {
    each_element(box, [&](const std::vector<int64_t> &i) {
      std::memcpy(to.bytes.data() + position_in(to.box, i) * width(v),
                  from.bytes.data() + position_in(from.box, i) * width(v), width(v));
    });
  }

  Result<Piece> view(const annotation::LoopView &of) {
    TW_ASSIGN(const Piece *base, find(of.value));
    Piece part = *base;
    for (const annotation::LoopSlice &slice : of.slices) {
      const int64_t tiles = program_.loops[slice.loop].tiles;
      const sharding::SplitRule rule = sharding::rule_in(
          slice.range, {graph_.type(of.value).dims[slice.dim], part.tiles[slice.dim], tiles, {}});
      part = cut(of.value, part, slice.dim, rule, tiles, at_[slice.loop]);
    }
    part.bytes.assign(static_cast<size_t>(part.box.elements()) * width(of.value), {});
    if (!part.box.empty() && !base->box.contains(part.box))
      return fail(Code::internal, "TW-250", "a slice of a slice reaches out of it");
    copy(of.value, *base, part, part.box);
    return part;
  }

  Status run_op(graph::OpId op, std::vector<Piece> &operands, std::span<const uint32_t> loops, Values &into) {
    const ops::OpViewHolder holder(graph_, op);
    const auto buffer = [&](graph::ValueId v, Piece &piece) {
      return kernels::Buffer{piece.bytes.data(), graph_.type(v).dtype, graph_.type(v).dims, piece.box.offset,
                             piece.box.extent};
    };
    std::vector<Piece> results;
    bool first = true; // of the turns of each loop over a reduction
    for (uint32_t r = 0; r < graph_.op(op).num_results; ++r) {
      const graph::ValueId v = graph_.result(op, r);
      Piece made = whole(v, {});
      for (const uint32_t loop : loops)
        if (const auto found = plan_.result_cut(op, r, axis(loop)))
          made = cut(v, made, found->dim, found->rule, program_.loops[loop].tiles, at_[loop]);
      made.bytes.assign(static_cast<size_t>(made.box.elements()) * width(v), {});
      results.push_back(std::move(made));
    }
    for (const uint32_t loop : loops)
      if (const auto *e = plan_.entry(op, axis(loop));
          e != nullptr && e->factor != partition::kAny &&
          plan_.rule(op).factors[e->factor].kind == ops::FactorKind::reduce)
        first = first && at_[loop] == 0;
    std::vector<kernels::Buffer> in, out;
    for (size_t i = 0; i < operands.size(); ++i)
      in.push_back(buffer(graph_.operands(op)[i], operands[i]));
    for (uint32_t r = 0; r < results.size(); ++r)
      out.push_back(buffer(graph_.result(op, r), results[r]));
    const auto *reference = kernels::ref::reference_of(ops::op_def(graph_.op(op).code));
    TW_TRY((*reference)({holder.view(), in, out, first}));
    for (uint32_t r = 0; r < results.size(); ++r)
      into[graph_.result(op, r)] = std::move(results[r]);
    return {};
  }

  sharding::AxisId axis(uint32_t loop) const { return *plan_.mesh().find(program_.loops[loop].axis); }

  // From its step `open` on; `i` is behind `close` afterwards.
  Status run_loop(size_t &i) {
    const uint32_t id = program_.steps[i].id;
    const annotation::LoopDecl &loop = program_.loops[id];
    const size_t begin = i + 1;
    std::vector<Piece> results(loop.yields.size());
    for (at_[id] = 0; at_[id] < loop.tiles; ++at_[id]) {
      scopes_.push_back({graph::kNone, {}});
      for (i = begin; program_.steps[i].kind != annotation::LoopStep::Kind::close;)
        if (program_.steps[i].kind == annotation::LoopStep::Kind::open) {
          TW_TRY(run_loop(i));
        } else {
          const annotation::LoopOp &op = program_.ops[program_.steps[i++].id];
          std::vector<Piece> operands;
          for (const annotation::LoopView &operand : op.operands) {
            TW_ASSIGN(Piece piece, view(operand));
            operands.push_back(std::move(piece));
          }
          std::vector<uint32_t> around;
          for (uint32_t l = op.loop; l != graph::kNone; l = program_.loops[l].parent)
            around.insert(around.begin(), l);
          TW_TRY(run_op(op.op, operands, around, scopes_.back().values));
        }
      std::vector<Piece> parts;
      for (const annotation::LoopView &yielded : loop.yields) {
        TW_ASSIGN(Piece part, view(yielded));
        parts.push_back(std::move(part));
      }
      for (size_t r = 0; r < results.size(); ++r)
        if (loop.actions[r].kind == "region" && at_[id] != 0)
          TW_TRY(fold(loop, r, parts, results));
        else
          TW_TRY(gather(loop, r, std::move(parts[r]), results[r]));
      scopes_.pop_back();
    }
    ++i;
    // A dumb tile is another name of what was there, of which views say the slices.
    for (size_t r = 0; r < results.size(); ++r)
      if (!is_there(loop.yields[r].value))
        scopes_.back().values[loop.yields[r].value] = std::move(results[r]);
    return {};
  }

  // All results of one op together, element by element, by its region; once, at the first of them.
  Status fold(const annotation::LoopDecl &loop, size_t r, const std::vector<Piece> &parts,
              std::vector<Piece> &results) const {
    const graph::Value &value = graph_.value(loop.yields[r].value);
    if (value.index != 0)
      return {};
    const graph::Op &op = graph_.op(value.def);
    std::vector<size_t> all;
    for (uint32_t i = 0; i < op.num_results; ++i)
      for (size_t k = 0; k < loop.yields.size(); ++k)
        if (loop.yields[k].value == graph_.result(value.def, i))
          all.push_back(k);
    for (int64_t e = 0; e < results[r].box.elements(); ++e) {
      std::vector<kernels::ref::Array> arguments;
      for (const std::vector<Piece> *from : {static_cast<const std::vector<Piece> *>(&results), &parts})
        for (const size_t k : all) {
          const size_t bytes = width(loop.yields[k].value);
          const std::byte *begin = (*from)[k].bytes.data() + static_cast<size_t>(e) * bytes;
          arguments.push_back({{graph_.type(loop.yields[k].value).dtype, {}}, {begin, begin + bytes}});
        }
      TW_ASSIGN(const std::vector<kernels::ref::Array> folded,
                kernels::ref::evaluate_region(graph_, op.first_region, arguments));
      for (size_t i = 0; i < all.size(); ++i)
        std::ranges::copy(folded[i].bytes,
                          results[all[i]].bytes.begin() + e * static_cast<int64_t>(folded[i].bytes.size()));
    }
    return {};
  }

  Status gather(const annotation::LoopDecl &loop, size_t r, Piece part, Piece &result) const {
    const annotation::LoopAction &action = loop.actions[r];
    const graph::ValueId v = loop.yields[r].value;
    const bool first = at_[static_cast<size_t>(&loop - program_.loops.data())] == 0;
    if (action.kind == "tile") {
      const uint32_t d = action.dim;
      if (part.tiles[d] % loop.tiles != 0 ||
          part.index[d] % loop.tiles != (at_[static_cast<size_t>(&loop - program_.loops.data())]))
        return fail(Code::internal, "TW-250", "tile: the part is not the loop's");
      part.tiles[d] /= loop.tiles;
      part.index[d] /= loop.tiles;
      if (first) {
        result = std::move(part);
        return {};
      }
      if (result.box.offset[d] + result.box.extent[d] != part.box.offset[d])
        return fail(Code::internal, "TW-250", "tile: the parts do not lie side by side");
      Piece longer = part;
      longer.box.offset[d] = result.box.offset[d];
      longer.box.extent[d] = result.box.extent[d] + part.box.extent[d];
      longer.bytes.assign(static_cast<size_t>(longer.box.elements()) * width(v), {});
      copy(v, result, longer, result.box);
      copy(v, part, longer, part.box);
      result = std::move(longer);
      return {};
    }
    if (first) {
      result = std::move(part);
      return {};
    }
    if (action.kind == "any") {
      if (result.bytes != part.bytes)
        return fail(Code::internal, "TW-250", "any: the turns of the loop differ");
      return {};
    }
    for (const auto kind : {sharding::Reduction::sum, sharding::Reduction::max, sharding::Reduction::min,
                            sharding::Reduction::prod, sharding::Reduction::land, sharding::Reduction::lor,
                            sharding::Reduction::lxor, sharding::Reduction::pick})
      if (ops::reduction_word(kind) == action.kind) {
        const void *in[] = {result.bytes.data(), part.bytes.data()};
        kernels::ref::combine_block(kind, graph_.type(v).dtype)(in, result.bytes.data(),
                                                                result.box.elements());
        return {};
      }
    return fail(Code::internal, "TW-250", fmt::format("no reduction {}", action.kind));
  }

  const partition::Plan &plan_;
  const graph::Graph &graph_;
  const annotation::LoopProgram &program_;
  std::vector<int64_t> at_; // the turn of each loop
  std::vector<Scope> scopes_;
};

} // namespace tw::test
