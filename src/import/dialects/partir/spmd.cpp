// SPDX-License-Identifier: Apache-2.0
// PartIR:SPMD: `spmd` computes on the pieces of distributed values. Its body stands in a loop over each axis
// that it runs over, and its arguments are slices of what is distributed.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/partir/forms.hpp"
#include "import/loop_parts.hpp"

namespace tw::import::partir_dialect {

using annotation::LoopDecl;
using annotation::LoopSlice;
using annotation::LoopView;
using graph::ValueId;

namespace {

struct Run {
  uint32_t loop;
  std::string axis;
};

class SpmdReader {
public:
  SpmdReader(Reader &r, OpText &op) : r_(r), op_(op), mark_(r.scope->mark()) {}

  bool read() {
    return read_operands() && read_axes() && r_.s.expect('(', "before the arguments of an spmd") &&
           read_parameters() && read_body() && read_results() && check_results() && close_loops() && bind();
  }

private:
  // (%x, %y), or x y
  bool read_operands() {
    if (r_.s.accept('(')) {
      if (!r_.read_values(op_) || !r_.s.expect(')', "after the operands"))
        return false;
    } else {
      while (r_.s.peek() != '(' && r_.s.peek() != '[')
        if (!r_.read_named(op_))
          return false;
    }
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      const auto found = r_.loops.distributed.find(op_.operand_def[i]);
      if (found == r_.loops.distributed.end() || found->second.is_in_pieces())
        return fail_type(r_, op_.operand_at[i],
                         "an spmd takes distributed values: distribute this, or put its pieces together");
      types_.push_back(found->second);
      r_.loops.take(op_.operand_def[i]);
    }
    return true;
  }

  // ["a", "b"]
  bool read_axes() {
    if (!r_.s.accept('[') || r_.s.accept(']'))
      return true;
    do {
      std::string_view axis;
      if (!r_.s.string(axis))
        return false;
      axes_.push_back(unescape_name(axis));
    } while (r_.s.accept(','));
    return r_.s.expect(']', "after the axes of an spmd");
  }

  bool open(std::string axis, sharding::Range range, std::string_view name, const char *at) {
    LoopDecl loop;
    loop.pos = statement_position(r_, op_);
    loop.axis = std::move(axis);
    loop.range = std::move(range);
    uint32_t id = 0;
    if (!settle_axis(r_, loop, at, at))
      return false;
    std::string settled = loop.axis;
    if (!open_loop(r_, std::move(loop), name, at, id))
      return false;
    runs_.push_back({id, std::move(settled)});
    return true;
  }

  // The axis over which a range of the earlier slides runs is that of the operands' types.
  std::string axis_of(const sharding::Range &range) const {
    for (const DistType &type : types_)
      for (const DistType::Axis &axis : type.axes)
        if (axis.range == range && std::ranges::find(runs_, axis.name, &Run::axis) == runs_.end())
          return axis.name;
    return {};
  }

  bool open_named() {
    for (const DistType &type : types_)
      for (const auto &cuts : type.cuts)
        for (const uint32_t axis : cuts)
          if (std::ranges::find(runs_, type.axes[axis].name, &Run::axis) == runs_.end() &&
              !open(type.axes[axis].name, type.axes[axis].range, r_.make_name(), op_.at))
            return false;
    return true;
  }

  // (%r:range<2>, %a : tensor<16x8xf32>, b : [8, 16])
  bool read_parameters() {
    values_ = r_.c.builder.graph().values().size();
    size_t next = 0;
    bool opened = false;
    while (r_.s.peek() != ')') {
      const char *at = r_.s.here();
      std::string_view name;
      if (!r_.read_name(name) || !r_.s.expect(':', "after the name of an argument"))
        return false;
      if (r_.s.looking_at("range") || r_.s.peek() == '!') {
        sharding::Range range;
        if (!read_range(r_, range))
          return false;
        const size_t place = runs_.size();
        std::string axis = place < axes_.size() ? axes_[place] : axis_of(range);
        if (!open(std::move(axis), std::move(range), name, at))
          return false;
      } else {
        if (!std::exchange(opened, true) && runs_.empty() && !open_named())
          return false;
        if (next == op_.operands.size())
          return fail_type(r_, at, fmt::format("there are {} operands, and more arguments", next));
        if (!bind_parameter(next++, name, at))
          return false;
      }
      if (!r_.s.accept(','))
        break;
    }
    if (next != op_.operands.size() || (!axes_.empty() && axes_.size() != runs_.size()))
      return fail_type(r_, r_.s.here(),
                       fmt::format("{} operands and {} axes, but {} arguments and {} ranges",
                                   op_.operands.size(), axes_.size(), next, runs_.size()));
    return r_.s.expect(')', "after the arguments of an spmd");
  }

  bool bind_parameter(size_t i, std::string_view name, const char *at) {
    const DistType &type = types_[i];
    LoopView view{op_.operands[i], {}};
    for (uint32_t d = 0; d < type.dims.size(); ++d)
      for (const uint32_t axis : type.cuts[d]) {
        const auto run = std::ranges::find(runs_, type.axes[axis].name, &Run::axis);
        if (run == runs_.end())
          return fail_type(r_, at,
                           fmt::format("operand {} is tiled over \"{}\", over which the spmd does not run", i,
                                       type.axes[axis].name));
        view.slices.push_back({run->loop, d, type.axes[axis].range, r_.s.position(at)});
      }
    r_.loops.views[at] = std::move(view);
    const ValueId value = op_.operands[i];
    LocalType stated;
    return read_tile_type(value, stated) && check_local_type(r_, at, value, stated, at) &&
           r_.define({name}, {&value, 1}, at);
  }

  // tensor<16x8xf32>, or [16, 8]
  bool read_tile_type(ValueId v, LocalType &stated) {
    const char *at = r_.s.here();
    if (r_.s.peek() != '[')
      return read_local_type(r_, stated);
    DistType type;
    if (!read_dist_type(r_, type))
      return false;
    stated.type = r_.c.builder.type({r_.c.type_of(v).dtype, type.dims});
    return type.axes.empty() || fail_type(r_, at, "expected the sizes of a tile, such as [8, 10]");
  }

  bool read_body() {
    const bool returns = std::exchange(r_.loops.returns, true);
    r_.loops.yielded = false;
    if (!r_.s.expect('{', "before the body of an spmd") || !r_.read_block() ||
        !r_.close('}', "after the body of an spmd"))
      return false;
    r_.loops.returns = returns;
    r_.loops.yielded = false;
    r_.scope->rewind(mark_);
    return true;
  }

  bool read_results() {
    if (!accept_sign(r_))
      return false;
    types_at_ = r_.s.here();
    do {
      if (!read_dist_type(r_, results_.emplace_back()))
        return false;
    } while (r_.s.accept(','));
    return results_.size() == r_.yields.size() ||
           fail_type(r_, types_at_,
                     fmt::format("the body gives {} values, {} types are stated", r_.yields.size(),
                                 results_.size()));
  }

  bool check_results() {
    for (size_t i = 0; i < results_.size(); ++i) {
      Pieces &pieces = pieces_.emplace_back();
      for (const Run &run : runs_) {
        const auto part = part_of(r_, r_.yields_def[i], r_.yields[i], run.loop);
        if (part && part->kind == LoopPart::Kind::unknown)
          return fail_type(
              r_, r_.yields_at[i],
              fmt::format("what the devices along \"{}\" have of this is not known: no op is cut so",
                          run.axis));
        if (part)
          pieces.emplace_back(run.axis, *part);
      }
      const DistType &type = results_[i];
      const graph::Shape local = local_dims(r_, r_.yields_def[i], r_.yields[i]);
      if (!type.is_stacked()) {
        if (!check_shape(r_, type, r_.yields[i], types_at_) ||
            !check_pieces(r_, pieces, type, "spmd", types_at_))
          return false;
      } else if (!check_stacked(type, i, local)) {
        return false;
      }
    }
    return true;
  }

  // Of dimensions that the type tiles all is stated, of others what a piece has.
  bool check_stacked(const DistType &type, size_t i, graph::Shape piece) {
    const graph::Shape &whole = r_.c.type_of(r_.yields[i]).dims;
    for (size_t d = 0; d < piece.size() && d < type.cuts.size(); ++d)
      if (!type.cuts[d].empty())
        piece[d] = whole[d];
    return type.dims == piece || fail_type(r_, types_at_,
                                           fmt::format("a piece is [{}], and [{}] is stated",
                                                       fmt::join(piece, ", "), fmt::join(type.dims, ", ")));
  }

  bool close_loops() {
    while (!runs_.empty()) {
      const uint32_t id = runs_.back().loop;
      r_.loops.first_value = values_;
      for (size_t i = 0; i < r_.yields.size(); ++i) {
        const auto part = part_of(r_, r_.yields_def[i], r_.yields[i], id);
        r_.loops.program.loops[id].actions.push_back(action_for(part));
        const char *whole = r_.make_name().data();
        if (auto pending = yield_from(r_, id, r_.yields[i], r_.yields_def[i]))
          r_.loops.identities.insert_or_assign(whole, std::move(*pending));
        r_.yields_def[i] = whole;
      }
      close_loop(r_, id);
      runs_.pop_back();
    }
    return true;
  }

  bool bind() {
    if (!r_.bind_results(op_, r_.yields))
      return false;
    size_t i = 0;
    for (const OpText::Result &result : op_.results)
      for (uint32_t n = 0; n < result.count; ++n, ++i) {
        r_.loops.distributed[result.at] = results_[i];
        r_.loops.pieces[result.at] = pieces_[i];
      }
    return true;
  }

  Reader &r_;
  OpText &op_;
  const size_t mark_;             // of the scope
  std::vector<DistType> types_;   // of operands
  std::vector<std::string> axes_; // as the text lists them
  std::vector<Run> runs_;         // the loops, outer to inner
  size_t values_ = 0;             // made before
  const char *types_at_ = nullptr;
  std::vector<DistType> results_;
  std::vector<Pieces> pieces_;
};

} // namespace

bool form_spmd(Reader &r, OpText &op) { return SpmdReader(r, op).read(); }

bool lower_spmd(Reader &, OpText &) { return true; }

} // namespace tw::import::partir_dialect
