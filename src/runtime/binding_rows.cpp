// SPDX-License-Identifier: Apache-2.0
// Chains over rows as one kernel, for kinds of device that have such.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ops/literal.hpp"
#include "ops/reduction.hpp"
#include "runtime/binding.hpp"
#include "runtime/members.hpp"

namespace tw::runtime {

using kernels::Kernel;
using kernels::RowChainRequest;
using spmd::Instr;
using spmd::ValueRef;

// A fold that begins with the identity, of all that a row has.
std::optional<RowChainRequest::Member> Binder::row_fold(const Step &step, Position position,
                                                        int64_t rows) const {
  const Instr &in = program_.instrs()[step.instrs[0]];
  const graph::Graph &graph = program_.graph();
  const ops::OpViewHolder view(graph, in.op);
  const ValueRef array = step.operands[0], made = step.results[0];
  const graph::DType dtype = program_.type(array).dtype;
  const auto kind =
      view.view().regions.empty() ? std::nullopt : ops::reduction_of(graph, view.view().regions[0]);
  if (step.results.size() != 1 || step.operands.size() != 2 || !kind || program_.type(made).dtype != dtype ||
      layouts_.elements(layouts_.of(made), position) != rows)
    return std::nullopt;
  if (program_.uses_init(in, position)) {
    const Instr &from = program_.instrs()[program_.values()[step.operands[1]].def];
    const graph::Constant *init = from.op == graph::kNone ? nullptr : ops::literal_of(graph, from.op);
    if (init == nullptr || !ops::is_identity(*init, dtype, *kind))
      return std::nullopt;
  }
  RowChainRequest::Member member;
  member.kind = *kind;
  member.dtype = dtype;
  member.columns = layouts_.elements(layouts_.of(array), position) / rows;
  return member;
}

bool Binder::has_row_chain(const Step &step, std::span<const View> views) {
  return have_kernel(step, [&](Position d) { return bind_row_chain(step, d, views); });
}

// Null: the kind has none, or not for this chain.
const Kernel *Binder::bind_row_chain(const Step &step, Position position, std::span<const View> views) {
  if (kind_ == nullptr)
    return nullptr;
  RowChainRequest request;
  request.rows = layouts_.elements(step.space, position);
  Key key{kChain, unit(position), -1, request.rows};
  std::vector<Fused> kept; // what requests point to
  kept.reserve(step.members.size());
  std::map<ValueRef, uint32_t> made; // by root
  std::vector<uint32_t> first_of_read;
  auto num_operands = static_cast<uint32_t>(step.operands.size());
  for (const FusedRead &read : step.reads)
    first_of_read.push_back(
        std::exchange(num_operands, num_operands + static_cast<uint32_t>(read.parts(program_.mesh()))));
  const auto where = [&](ValueRef v) -> RowChainRequest::Read {
    if (const auto known = made.find(views[v].root); known != made.end())
      return {true, known->second};
    return {false, static_cast<uint32_t>(std::ranges::find(step.operands, v) - step.operands.begin())};
  };
  for (const Step &from : step.members) {
    RowChainRequest::Member member;
    if (from.kind == Step::Kind::fused) {
      const Rows rows{from.row_dims, request.rows, request.rows};
      kept.push_back(fused(from, position, &rows));
      key.insert(key.end(), kept.back().key.begin(), kept.back().key.end());
      for (const FusedRead &r : from.reads) {
        if (!r.constant && !r.combined) {
          member.reads.push_back(where(r.value));
          member.reads.back().rows = read_rows(from, r, position);
          continue;
        }
        const auto at = std::ranges::find(step.reads, r.value, &FusedRead::value) - step.reads.begin();
        for (uint32_t part = 0; part < r.parts(program_.mesh()); ++part)
          member.reads.push_back(
              {false, first_of_read[static_cast<size_t>(at)] + part, read_rows(from, r, position)});
      }
      member.fused = std::move(kept.back().request);
    } else {
      auto fold = row_fold(from, position, request.rows);
      if (!fold)
        return nullptr;
      member = std::move(*fold);
      member.reads.push_back(where(from.operands[0]));
      member.reads.back().rows = {{request.rows, member.columns}};
      key.insert(key.end(), {kSingle, static_cast<int64_t>(member.kind), static_cast<int64_t>(member.dtype),
                             member.columns});
    }
    for (const auto &read : member.reads) {
      key.insert(key.end(), {read.is_made, read.index, std::ssize(read.rows)});
      for (const kernels::RowDim &d : read.rows)
        key.insert(key.end(), {d.extent, d.stride});
    }
    for (const ValueRef v : from.results)
      made.emplace(v, static_cast<uint32_t>(made.size()));
    request.members.push_back(std::move(member));
  }
  for (const ValueRef v : step.results) {
    request.results.push_back(made.at(v));
    key.push_back(request.results.back());
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  auto kernel = kind_->bind_row_chain(request);
  return kernel != nullptr ? keep(std::move(key), std::move(kernel)) : nullptr;
}

} // namespace tw::runtime
