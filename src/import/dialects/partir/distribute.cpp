// SPDX-License-Identifier: Apache-2.0
// PartIR:SPMD: `distribute` and its kin give a value a distributed type. It keeps standing for the whole
// array.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/partir/forms.hpp"

namespace tw::import::partir_dialect {

using graph::ValueId;

bool fail_type(Reader &r, const char *at, std::string message) {
  return r.s.fail("TW-425", at, std::move(message));
}

bool accept_sign(Reader &r) {
  return r.s.accept(':') || r.s.accept("as") || r.s.fail_here("':' or 'as'", "before a distributed type");
}

bool check_pieces(Reader &r, const Pieces &pieces, const DistType &type, std::string_view word,
                  const char *at) {
  const bool summed = word == "all_reduce" || word == "reduce_scatter";
  const auto is_scattered = [&](const std::string &axis) {
    const auto piece = std::ranges::find(pieces, axis, &Pieces::value_type::first);
    return word == "reduce_scatter" && piece != pieces.end() && piece->second.kind == LoopPart::Kind::partial;
  };
  for (uint32_t d = 0; d < type.dims.size(); ++d) {
    std::vector<std::string> made, stated;
    for (const auto &[axis, part] : pieces)
      if (part.kind == LoopPart::Kind::tile && part.dim == d)
        made.push_back(axis);
    for (const uint32_t axis : type.cuts[d])
      if (!is_scattered(type.axes[axis].name))
        stated.push_back(type.axes[axis].name);
    if (made != stated)
      return fail_type(r, at,
                       fmt::format("the pieces are tiles of dimension {} over [{}], and the type says [{}]",
                                   d, fmt::join(made, ", "), fmt::join(stated, ", ")));
  }
  for (const DistType::Axis &stated : type.axes)
    if (!stated.reduction.empty() &&
        std::ranges::none_of(pieces, [&](const auto &piece) { return piece.first == stated.name; }))
      return fail_type(
          r, at,
          fmt::format("the devices along \"{}\" have no parts of a {}", stated.name, stated.reduction));
  for (const auto &[axis, part] : pieces) {
    const DistType::Axis *stated = type.find(axis);
    const bool stacked = stated != nullptr && stated->stacked;
    const bool reduces = stated != nullptr && !stated->reduction.empty();
    if (reduces &&
        (part.kind != LoopPart::Kind::partial || sharding::name(part.reduction) != stated->reduction))
      return fail_type(
          r, at, fmt::format("the devices along \"{}\" have no parts of a {}", axis, stated->reduction));
    if (part.kind == LoopPart::Kind::partial && !summed && !stacked && !reduces)
      return fail_type(
          r, at, fmt::format("each device along \"{}\" has a part of a sum: add them with all_reduce", axis));
    if (part.kind == LoopPart::Kind::tile && stacked)
      return fail_type(r, at,
                       fmt::format("the pieces over \"{}\" are tiles, and the type stacks them", axis));
  }
  return true;
}

bool check_shape(Reader &r, const DistType &type, ValueId v, const char *at) {
  const graph::Shape &dims = r.c.type_of(v).dims;
  return type.dims == dims ||
         fail_type(r, at,
                   fmt::format("the type is of a whole array [{}], and the value is {}",
                               fmt::join(type.dims, ", "), graph::to_text(r.c.type_of(v))));
}

namespace {

// A page of slides shows a line that a step replaces beside the one that replaces it: the last one holds.
bool bind_distributed(Reader &r, OpText &op, std::span<const ValueId> values) {
  if (r.page && op.results.size() == 1 && r.scope->find(op.results[0].name) != nullptr) {
    r.c.notes.add(Note::Kind::ignored, fmt::format("a first line for %{}", op.results[0].name), op.at);
    r.read_at.insert(r.scope->find(op.results[0].name)->at);
    r.loops.take(r.scope->find(op.results[0].name)->at);
    r.scope->replace(op.results[0].name, values, op.results[0].at);
    return true;
  }
  return r.bind_results(op, values);
}

} // namespace

// distribute(%x) : T, redistribute y as T, tile_stacked_tensor 0, 1 (%x) : T, undistribute(%x) : tensor<..>
bool form_distribute(Reader &r, OpText &op) {
  const std::string_view word = op.name.substr(op.name.rfind('.') + 1);
  std::vector<int64_t> dims;
  while (word == "tile_stacked_tensor" && is_digit(r.s.peek())) {
    if (!r.s.integer(dims.emplace_back()))
      return false;
    r.s.accept(',');
  }
  if (!r.read_operand(op))
    return false;
  const ValueId value = op.operands[0];
  const char *from = op.operand_def[0], *at = op.operand_at[0];
  const auto known = r.loops.distributed.find(from);
  const bool is_distributed = known != r.loops.distributed.end();
  if (op.results.size() != 1 || op.results[0].count != 1)
    return fail_type(r, op.at, fmt::format("{} has one result", word));
  const char *to = op.results[0].at;
  if (word == "distribute" ? is_distributed : !is_distributed)
    return fail_type(r, at,
                     word == "distribute" ? "this is distributed already: redistribute it"
                                          : fmt::format("{} takes a distributed value", word));
  const bool in_pieces = is_distributed && known->second.is_in_pieces();
  const bool joins = word == "tile_stacked_tensor" || word == "all_reduce" || word == "reduce_scatter";
  if (in_pieces != joins)
    return fail_type(r, at,
                     in_pieces ? "this is in pieces: tile_stacked_tensor or all_reduce makes a whole of them"
                               : fmt::format("{} takes stacked pieces", word));
  const Pieces pieces = is_distributed ? r.loops.pieces[from] : Pieces();
  r.loops.copy_view(from, to);
  if (word == "undistribute") {
    graph::TypeId type = graph::kNone;
    if (!r.s.expect(':', "before the type of an array"))
      return false;
    const char *type_at = r.s.here();
    if (!r.c.types.parse(type))
      return false;
    if (type != r.c.local.type(value))
      return r.s.fail("TW-110", type_at,
                      fmt::format("the array is {}, and {} is stated", graph::to_text(r.c.type_of(value)),
                                  graph::to_text(r.c.builder.graph().type_at(type))));
    r.loops.distributed.erase(to);
    return bind_distributed(r, op, op.operands);
  }
  DistType type;
  if (!accept_sign(r))
    return false;
  const char *type_at = r.s.here();
  if (!read_dist_type(r, type) || !check_shape(r, type, value, type_at))
    return false;
  if (!joins && type.is_in_pieces())
    return fail_type(r, type_at, fmt::format("{} leaves nothing in pieces", word));
  for (const int64_t dim : dims)
    if (dim >= std::ssize(type.cuts) || type.cuts[static_cast<size_t>(dim)].empty())
      return fail_type(r, type_at, fmt::format("the type has no tiles of dimension {}", dim));
  if (joins && !check_pieces(r, pieces, type, word, type_at))
    return false;
  r.loops.distributed[to] = std::move(type);
  r.loops.pieces[to] = pieces;
  if (word == "distribute")
    r.loops.not_taken[to] = op.at;
  else if (const auto given = r.loops.not_taken.find(from); given != r.loops.not_taken.end())
    r.loops.not_taken[to] = given->second;
  return bind_distributed(r, op, op.operands);
}

// The names of results are bound when the form is read.
bool lower_distribute(Reader &, OpText &) { return true; }

} // namespace tw::import::partir_dialect
