// SPDX-License-Identifier: Apache-2.0
// The lowering from top to bottom: from a plan's loop nests to the device-local program.
#include "spmd/lowering.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"
#include "base/watch.hpp"
#include "ops/registry.hpp"
#include "spmd/naive/form.hpp"

namespace tw::spmd {

Lowering::Lowering(const partition::Plan &from, Options how, std::set<graph::OpId> known)
    : plan(from), options(std::move(how)), graph(from.graph()), mesh(from.mesh()),
      program(std::make_shared<Program>()), crossing_ops(std::move(known)),
      argument_code_(ops::code_of(ops::OpKind::argument)), result_code_(ops::code_of(ops::OpKind::result)) {
  program->graph_ = from.graph_ptr();
  program->rules_ = from.rules_ptr();
  program->mesh_ = mesh;
  program->moves_ = std::make_shared<redistribute::Moves>();
  program->actions_.assign(from.actions().begin(), from.actions().end());
  for (uint32_t i = 0; i < graph.arguments().size(); ++i)
    signature_index_[graph.arguments()[i]] = i;
  for (uint32_t i = 0; i < graph.results().size(); ++i)
    signature_index_[graph.results()[i]] = i;
}

ShardingId Lowering::intern(sharding::Sharding s, const graph::TensorType &type) {
  const auto trivial = [&](sharding::AxisId axis) { return mesh.size(axis) == 1; };
  for (size_t d = 0; d < s.dims.size(); ++d) {
    auto &[axes, rule] = s.dims[d];
    std::erase_if(axes, trivial);
    rule = normalise(std::move(rule), type.dims[d], num_tiles(s.dims[d], mesh));
  }
  std::erase_if(s.partial, [&](const sharding::Partial &partial) { return trivial(partial.axis); });
  return shardings_.intern(std::move(s));
}

bool Lowering::lies_in(graph::TypeId type, ShardingId inner, ShardingId outer) const {
  for (size_t d = 0; d < graph.type_at(type).rank(); ++d) {
    const sharding::DimSharding &fine = sharding(inner).dims[d], &coarse = sharding(outer).dims[d];
    const int64_t n = graph.type_at(type).dims[d], tiles = num_tiles(fine, mesh),
                  outer_tiles = num_tiles(coarse, mesh);
    if (coarse.axes.size() > fine.axes.size() ||
        !std::equal(coarse.axes.begin(), coarse.axes.end(), fine.axes.begin()))
      return false;
    for (int64_t t = 0; t < tiles; ++t) {
      const sharding::Interval wanted = tile(fine.rule, n, tiles, t),
                               held = tile(coarse.rule, n, outer_tiles, t / (tiles / outer_tiles));
      if (wanted.size() > 0 && (wanted.begin < held.begin || wanted.end > held.end))
        return false;
    }
  }
  return true;
}

bool Lowering::may_be_kept(graph::ValueId v, ShardingId type) const {
  const graph::TensorType &array = graph.type(v);
  return !options.hoist_limit || largest_tile_elements(sharding(type), array.dims, mesh) *
                                         static_cast<int64_t>(graph::byte_size(array.dtype)) <=
                                     *options.hoist_limit;
}

std::shared_ptr<const Program> Lowering::finish() {
  program->shardings_.assign(shardings_.begin(), shardings_.end());
  for (const auto &[argument, keep_halo] : given_halos) {
    const ShardingId tiles = intern(plan.result_sharding(argument, 0), graph.type(graph.result(argument)));
    if (const ShardingId given = node(argument).results[0]; given != tiles)
      program->given_.emplace(
          argument, Program::Given{given, {sharding(tiles), halos_around(*this, tiles, keep_halo)}});
  }
  return std::move(program);
}

ValueRef append(Program &program, Instr instr, std::span<const ValueRef> operands,
                graph::ValueId first_origin, std::span<const ShardingId> results) {
  const auto id = static_cast<uint32_t>(program.instrs_.size());
  instr.first_operand = static_cast<uint32_t>(program.operand_refs_.size());
  instr.num_operands = static_cast<uint32_t>(operands.size());
  instr.first_result = static_cast<ValueRef>(program.values_.size());
  instr.num_results = static_cast<uint32_t>(results.size());
  program.operand_refs_.insert(program.operand_refs_.end(), operands.begin(), operands.end());
  for (uint32_t i = 0; i < results.size(); ++i)
    program.values_.push_back({first_origin + i, results[i], id});
  program.instrs_.push_back(instr);
  return instr.first_result;
}

uint32_t add_collective(Program &program, Collective collective) {
  collective.instr = static_cast<uint32_t>(program.instrs_.size());
  program.collectives_.push_back(std::move(collective));
  return static_cast<uint32_t>(program.collectives_.size() - 1);
}

Program take_program(Lowering &lowering) {
  Program &program = *lowering.program;
  Program old = program;
  program.instrs_.clear();
  program.values_.clear();
  program.operand_refs_.clear();
  program.collectives_.clear();
  old.shardings_ = lowering.shardings();
  return old;
}

sharding::AxisSet axes_of(const redistribute::Summary &s) {
  sharding::AxisSet axes;
  for (const sharding::AxisId axis : s.axes)
    axes.add(axis);
  return axes;
}

namespace {

struct Pass {
  enum Kind { needed, optional } kind;
  std::string_view name;
  Status (*run)(Lowering &); // null: a choice of the pass before it
};

constexpr Pass kPasses[] = {
#define TW_PASS(name, kind) {Pass::kind, #name, name},
#define TW_CHOICE(name) {Pass::optional, #name, nullptr},
#include "spmd/pass_list.inc"
#undef TW_PASS
#undef TW_CHOICE
};

} // namespace

std::vector<std::string_view> optional_passes() {
  std::vector<std::string_view> names;
  for (const Pass &pass : kPasses)
    if (pass.kind == Pass::optional)
      names.push_back(pass.name);
  return names;
}

Status check_passes(std::span<const std::string> given, std::span<const std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string &name : given)
    if (std::ranges::count(names, name) == 0)
      return fail(Code::not_found, "TW-502",
                  fmt::format("there is no optional pass '{}'{}; there are {}", name,
                              nearest_text(name, names), fmt::join(names, ", ")));
  return {};
}

Status run_passes(Lowering &lowering, Status (*end)(Lowering &)) {
  const Options &options = lowering.options;
  TW_TRY(check_passes(options.without, optional_passes()));
  for (const Pass &pass : kPasses) {
    if (pass.run == nullptr)
      continue;
    if (pass.run == end)
      break;
    TW_TRY(check_watch());
    const size_t crossing_ops = lowering.crossing_ops.size();
    if (lowering.does(pass.name))
      TW_TRY(options.naive && pass.run == place_reductions ? naive::run(lowering) : pass.run(lowering));
    if (lowering.crossing_ops.size() != crossing_ops) // to be begun again
      break;
  }
  return {};
}

Result<std::shared_ptr<const Program>> lower(const partition::Plan &plan, const Options &options) {
  for (std::set<graph::OpId> crossing_ops;;) {
    Lowering lowering(plan, options, crossing_ops);
    TW_TRY(run_passes(lowering, nullptr));
    if (lowering.crossing_ops.size() != crossing_ops.size()) {
      crossing_ops = std::move(lowering.crossing_ops);
      continue;
    }
    auto program = lowering.finish();
    TW_TRY(verify(*program));
    return program;
  }
}

Result<std::shared_ptr<const Program>> lower_unpartitioned(std::shared_ptr<const graph::Graph> graph) {
  return lower(partition::Plan(std::move(graph), sharding::Mesh()));
}

} // namespace tw::spmd
