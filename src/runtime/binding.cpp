// SPDX-License-Identifier: Apache-2.0
// Requests are compared by everything a kernel may look at; where a tile lies in the global array counts only
// for ops that ask.
#include "runtime/binding.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/chain.hpp"
#include "kernels/fused.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/registry.hpp"
#include "ops/strided.hpp"
#include "runtime/accumulate.hpp"
#include "runtime/assign.hpp"
#include "runtime/members.hpp"

namespace tw::runtime {

using kernels::Kernel;
using spmd::Instr;
using spmd::ValueRef;

namespace {

void append(std::vector<int64_t> &key, std::span<const int64_t> values) {
  key.push_back(static_cast<int64_t>(values.size()));
  key.insert(key.end(), values.begin(), values.end());
}

enum : int64_t { kSingle, kFused, kAssign, kAccumulate, kChain };

// Of a chain: bytes of all values in a block of rows, and of all in a part.
constexpr int64_t kBlockBytes = 64 << 10, kFusedPartBytes = 1 << 20;

} // namespace

kernels::Tile Binder::tile(ValueRef v, Position position) const {
  const sharding::Box &box = layouts_.box(layouts_.of(v), position);
  return {program_.type(v).dtype, program_.type(v).dims, box.offset, box.extent};
}

const Kernel *Binder::keep(Key key, std::unique_ptr<Kernel> kernel) {
  const Kernel *kept = kernel.get();
  scratch_bytes_ = std::max(scratch_bytes_, kernel->scratch_bytes());
  shared_bytes_ = std::max(shared_bytes_, kernel->shared_bytes());
  kernels_.emplace(std::move(key), std::move(kernel));
  return kept;
}

Result<std::vector<const Kernel *>> Binder::bind(const Step &step) {
  std::vector<const Kernel *> kernels;
  for (Position d; d < layouts_.num_positions(); ++d) {
    if (!step.runs_at(program_.mesh(), d) || !devices_.contains(program_.mesh().device_of(d))) {
      kernels.push_back(nullptr);
      continue;
    }
    // A device without elements has nothing to do; a step without results (a check) is there for what it
    // does.
    const bool idle = !step.results.empty() &&
                      std::all_of(step.results.begin(), step.results.end(),
                                  [&](ValueRef v) { return layouts_.elements(layouts_.of(v), d) == 0; });
    const bool assigns = step.kind == Step::Kind::assign;
    if (idle || (!assigns && schedule_.sharing.leader(schedule_.sharing.of(step), d) != d)) {
      kernels.push_back(nullptr);
      continue;
    }
    if (assigns) {
      kernels.push_back(bind_assign(step, d));
      continue;
    }
    TW_ASSIGN(const Kernel *kernel, step.kind == Step::Kind::fused        ? bind_fused(step, d)
                                    : step.kind == Step::Kind::chain      ? bind_chain(step, d)
                                    : step.kind == Step::Kind::accumulate ? bind_accumulate(step, d)
                                                                          : bind_single(step, d));
    kernels.push_back(kernel);
  }
  // Devices that read one place read it in one order.
  const auto any_that = [&](bool packs) {
    return std::ranges::any_of(
        kernels, [&](const Kernel *kernel) { return kernel != nullptr && kernel->packs() == packs; });
  };
  if (offers_packing(step) && any_that(true) && any_that(false)) {
    may_pack_[step.operands[1]] = false;
    return bind(step);
  }
  return kernels;
}

bool Binder::offers_packing(const Step &step) const {
  return first_ == nullptr && step.kind == Step::Kind::kernel && step.operands.size() > 1 &&
         may_pack_[step.operands[1]];
}

Result<const Kernel *> Binder::bind_single(const Step &step, Position position, const Rows *rows) {
  const Instr &in = program_.instrs()[step.instrs[0]];
  const graph::Graph &graph = program_.graph();
  const graph::Op &op = graph.op(in.op);
  const ops::OpDef &def = ops::op_def(op.code);
  std::vector<kernels::Tile> operands, results;
  for (const ValueRef v : step.operands)
    operands.push_back(tile(v, position));
  for (const ValueRef v : step.results)
    results.push_back(tile(v, position));
  if (rows != nullptr) // a reduction, which does not look at where tiles lie
    for (kernels::Tile *t : {&operands[0], &results[0]}) {
      std::fill_n(t->extent.begin(), rows->dims, 1);
      t->extent[rows->dims - 1] = rows->some;
    }
  const bool use_init = program_.uses_init(in, position);

  const bool may_pack = offers_packing(step);
  Key key{kSingle,
          unit(position),
          by_host_,
          op.code,
          op.attrs,
          use_init,
          may_pack,
          op.num_regions == 0 ? -1 : static_cast<int64_t>(in.op)};
  const bool place_matters = (def.flags & (ops::kElementwise | ops::kPlaceless)) == 0;
  for (const auto *tiles : {&operands, &results})
    for (const kernels::Tile &t : *tiles) {
      key.push_back(static_cast<int64_t>(t.dtype));
      append(key, t.global);
      append(key, t.extent);
      if (place_matters)
        append(key, t.offset);
    }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();

  const ops::OpViewHolder view(graph, in.op);
  const kernels::Request request{view.view(), def,      operands,    results,
                                 use_init,    may_pack, idle_cores_, unit(position)};
  std::unique_ptr<Kernel> kernel = first_ != nullptr ? first_(request) : nullptr;
  if (kernel == nullptr) {
    auto bound = kernels::bind(request, calls_, by_host_ ? kernels::host_entries() : entries_);
    if (!bound) {
      const graph::Location at = graph.location(in.op);
      return fail(std::move(bound.error()).at({std::string(graph.file()), at.line, at.column}));
    }
    kernel = std::move(*bound);
  }
  return keep(std::move(key), std::move(kernel));
}

// The first step puts its partial value down, the others add theirs; of threads all are there.
Result<const Kernel *> Binder::bind_accumulate(const Step &step, Position position) {
  const sharding::Mesh &mesh = program_.mesh();
  const ValueRef from = step.operands[0], to = step.results[0];
  const sharding::Box &part = layouts_.box(layouts_.of(from), position);
  if (part.empty())
    return nullptr;
  const sharding::Box &whole = layouts_.box(layouts_.of(to), position);
  const sharding::Reduction reduction = program_.reduction_of(program_.instrs()[step.instrs[0]]);
  size_t operands = 1;
  bool onto = false;
  comm::Combine combine;
  if (reduction != sharding::Reduction::raw) {
    TW_ASSIGN(combine, comm::combiner(reduction, program_.type(to).dtype));
    const auto &left = program_.sharding(program_.values()[to].sharding).partial;
    for (const sharding::Partial &partial : program_.sharding(program_.values()[from].sharding).partial) {
      if (std::ranges::count(left, partial) != 0)
        continue;
      if (mesh.axis(partial.axis).kind == sharding::AxisKind::threads)
        operands = static_cast<size_t>(mesh.size(partial.axis));
      else
        onto = onto || mesh.coordinate(position, partial.axis) != 0;
    }
  }
  Key key{kAccumulate,
          unit(position),
          static_cast<int64_t>(reduction),
          static_cast<int64_t>(program_.type(to).dtype),
          static_cast<int64_t>(operands),
          onto};
  for (const sharding::Box *box : {&part, &whole}) {
    append(key, box->offset);
    append(key, box->extent);
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  if (kind_ != nullptr)
    if (auto own = kind_->bind_accumulation(
            {part, whole, program_.type(to).dtype,
             reduction == sharding::Reduction::raw ? std::nullopt : std::optional(reduction), operands,
             onto}))
      return keep(std::move(key), std::move(own));
  return keep(std::move(key), std::make_unique<Accumulate>(part, whole, operands, onto,
                                                           byte_size(program_.type(to).dtype), combine));
}

const Kernel *Binder::bind_assign(const Step &step, Position position) {
  std::vector<int64_t> bytes;
  for (const ValueRef v : step.results)
    bytes.push_back(schedule_.sharing.leader(schedule_.sharing.of(v), position) == position
                        ? tile(v, position).bytes()
                        : 0);
  Key key{kAssign, unit(position)};
  append(key, bytes);
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  if (kind_ != nullptr)
    if (auto own = kind_->bind_copies(bytes))
      return keep(std::move(key), std::move(own));
  return keep(std::move(key), std::make_unique<Assign>(std::move(bytes)));
}

// How a fused step walks over what it reads, on this device.
kernels::FusedInput Binder::fused_input(const FusedRead &read, std::span<const int64_t> space,
                                        Position position, const Rows *rows) const {
  kernels::FusedInput input{program_.type(read.value).dtype, std::vector<int64_t>(space.size(), 0)};
  if (!read.splat) {
    const auto &extent = layouts_.box(layouts_.of(read.value), position).extent;
    const std::vector<int64_t> dense = ops::dense_strides(extent);
    for (size_t k = 0; k < space.size(); ++k)
      if (read.dims[k] >= 0 && space[k] != 1) {
        const auto d = static_cast<size_t>(read.dims[k]);
        TW_ASSERT(extent[d] == space[k]);
        input.strides[k] = dense[d];
      }
  }
  if (rows != nullptr) {
    input.strides.erase(input.strides.begin(),
                        input.strides.begin() + static_cast<std::ptrdiff_t>(rows->dims));
    const bool varied = !read.splat && varies(read, rows->dims);
    input.strides.insert(input.strides.begin(),
                         varied ? layouts_.elements(layouts_.of(read.value), position) / rows->all : 0);
  }
  return input;
}

// Nodes of their own combine what several devices hold; those of the ops come behind them. Of each read:
// where it is found then, among inputs and such nodes; `first_input` is where its parts begin.
std::vector<uint32_t> Binder::add_combinations(const Step &step, std::span<const uint32_t> first_input,
                                               const ops::OpView &any, kernels::FusedRequest &request,
                                               Key &key) const {
  const auto num_inputs = static_cast<uint32_t>(request.inputs.size());
  std::vector<uint32_t> source(first_input.begin(), first_input.end());
  for (size_t r = 0; r < step.reads.size(); ++r) {
    const FusedRead &read = step.reads[r];
    if (!read.combined)
      continue;
    const sharding::Sharding &partial = program_.sharding(program_.values()[read.value].sharding);
    const sharding::Reduction kind = partial.find_partial(*read.combined)->kind;
    const graph::DType dtype = program_.type(read.value).dtype;
    std::vector<uint32_t> parts(static_cast<size_t>(read.parts(program_.mesh())));
    std::iota(parts.begin(), parts.end(), first_input[r]);
    source[r] = num_inputs + static_cast<uint32_t>(request.nodes.size());
    key.insert(key.end(), {static_cast<int64_t>(kind), std::ssize(parts), first_input[r], read.from_zero});
    const kernels::ref::Combiner by = kernels::ref::combiner(kind, dtype);
    const kernels::BlockFn all = by.of(std::ssize(parts));
    request.nodes.push_back({any, nullptr, dtype, std::move(parts), all, kind});
    if (read.from_zero)
      request.nodes.push_back({any, nullptr, dtype, {source[r]++}, by.add_zero, kind, true});
  }
  return source;
}

Result<const Kernel *> Binder::bind_fused(const Step &step, Position position, const Rows *rows) {
  const graph::Graph &graph = program_.graph();
  kernels::FusedRequest request;
  const std::vector<int64_t> &space = layouts_.box(step.space, position).extent;
  request.extent = space;
  if (rows != nullptr) { // its rows become one dimension
    request.extent.erase(request.extent.begin(),
                         request.extent.begin() + static_cast<std::ptrdiff_t>(rows->dims));
    request.extent.insert(request.extent.begin(), rows->some);
  }
  Key key{kFused, unit(position), by_host_};
  append(key, request.extent);
  std::vector<uint32_t> first_input; // by read
  for (const FusedRead &read : step.reads) {
    const kernels::FusedInput input = fused_input(read, space, position, rows);
    first_input.push_back(static_cast<uint32_t>(request.inputs.size()));
    for (int64_t part = 0; part < read.parts(program_.mesh()); ++part) {
      key.push_back(static_cast<int64_t>(input.dtype));
      append(key, input.strides);
      request.inputs.push_back(input);
    }
  }
  std::vector<ops::OpViewHolder> views;
  views.reserve(step.instrs.size());
  for (const uint32_t i : step.instrs)
    views.emplace_back(graph, program_.instrs()[i].op);
  const auto num_inputs = static_cast<uint32_t>(request.inputs.size());
  const std::vector<uint32_t> source = add_combinations(step, first_input, views[0].view(), request, key);
  const auto first_member = static_cast<uint32_t>(request.nodes.size());
  key.push_back(first_member);
  for (size_t m = 0; m < step.instrs.size(); ++m) {
    const Instr &in = program_.instrs()[step.instrs[m]];
    const graph::Op &op = graph.op(in.op);
    const graph::DType dtype = program_.type(in.first_result).dtype;
    std::vector<uint32_t> args;
    for (const uint32_t a : step.args[m])
      args.push_back(a < source.size()
                         ? source[a]
                         : num_inputs + first_member + a - static_cast<uint32_t>(source.size()));
    key.insert(key.end(), {op.code, op.attrs, static_cast<int64_t>(dtype)});
    key.insert(key.end(), args.begin(), args.end());
    request.nodes.push_back({views[m].view(), &ops::op_def(op.code), dtype, std::move(args)});
    if (std::find(step.results.begin(), step.results.end(), in.first_result) != step.results.end())
      request.outputs.push_back(first_member + static_cast<uint32_t>(m));
  }
  for (const uint32_t o : request.outputs)
    key.push_back(-1 - static_cast<int64_t>(o));
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  std::unique_ptr<Kernel> kernel = kind_ != nullptr && !by_host_ ? kind_->bind_fused(request) : nullptr;
  if (kernel == nullptr)
    kernel = kernels::bind_fused(request);
  if (kernel == nullptr)
    return fail(Code::internal, "TW-601",
                fmt::format("no fused kernel takes a group that begins with {}",
                            ops::op_def(graph.op(program_.instrs()[step.instrs[0]].op).code).name));
  return keep(std::move(key), std::move(kernel));
}

// Its members are bound for a block of rows and for what is left. What they read of each other and nobody
// else reads lies in buffers.
Result<const Kernel *> Binder::bind_chain(const Step &step, Position position) {
  using kernels::ChainPlace;
  const int64_t all = layouts_.elements(step.space, position);
  const auto row_bytes = [&](ValueRef v) {
    return layouts_.elements(layouts_.of(v), position) / all *
           static_cast<int64_t>(byte_size(program_.type(v).dtype));
  };
  std::map<ValueRef, ChainPlace> made; // by root
  int64_t bytes_each = 0;
  for (const Step &member : step.members)
    for (const ValueRef v : member.results) {
      const auto result = std::ranges::find(step.results, v);
      made[v] = result != step.results.end()
                    ? ChainPlace{ChainPlace::Where::result, result - step.results.begin(), row_bytes(v)}
                    : ChainPlace{ChainPlace::Where::buffer, 0, 0};
      bytes_each += row_bytes(v);
    }
  for (const ValueRef v : step.operands)
    if (layouts_.elements(layouts_.of(v), position) >= all)
      bytes_each += row_bytes(v);
  std::vector<int64_t> first_of_read; // among what the kernel is given
  int64_t num_operands = std::ssize(step.operands);
  for (const FusedRead &read : step.reads) {
    const int64_t parts = read.parts(program_.mesh());
    first_of_read.push_back(std::exchange(num_operands, num_operands + parts));
    bytes_each += read.combined ? parts * row_bytes(read.value) : 0;
  }
  kernels::ChainRequest request;
  request.rows = all;
  const bool own = kind_ != nullptr && !by_host_ && kind_->chain_block_bytes() > 0;
  request.block = std::clamp<int64_t>(
      (own ? kind_->chain_block_bytes() : kBlockBytes) / std::max<int64_t>(bytes_each, 1), 1, all);
  request.part_blocks =
      std::max<int64_t>(1, kFusedPartBytes / std::max<int64_t>(request.block * bytes_each, 1));
  for (auto &[v, place] : made)
    if (place.where == ChainPlace::Where::buffer) {
      place.index = request.buffer_bytes;
      request.buffer_bytes += (row_bytes(v) * request.block + 63) / 64 * 64;
    }

  Key key{kChain, unit(position), by_host_, request.rows, request.block};
  const auto read = [&](kernels::ChainMember &member, ValueRef v, bool varied) {
    const auto known = made.find(schedule_.views[v].root);
    const auto operand = std::ranges::find(step.operands, v) - step.operands.begin();
    member.operands.push_back(
        known != made.end() ? known->second
                            : ChainPlace{ChainPlace::Where::operand, operand, varied ? row_bytes(v) : 0});
  };
  for (const Step &from : step.members) {
    kernels::ChainMember member{};
    for (auto [kernel, some] :
         {std::pair(&member.block, request.block), std::pair(&member.last, all % request.block)}) {
      const Rows rows{from.row_dims, all, some};
      if (some > 0) {
        TW_ASSIGN(*kernel, from.kind == Step::Kind::fused ? bind_fused(from, position, &rows)
                                                          : bind_single(from, position, &rows));
      }
    }
    for (const ValueRef v : from.operands) // a reduction's: what it reduces, and where it begins
      read(member, v, v == from.operands[0]);
    for (const FusedRead &r : from.reads) {
      if (!r.splat && !r.combined) {
        read(member, r.value, varies(r, from.row_dims));
        continue;
      }
      const auto at = std::ranges::find(step.reads, r.value, &FusedRead::value) - step.reads.begin();
      for (int64_t part = 0; part < r.parts(program_.mesh()); ++part)
        member.operands.push_back({ChainPlace::Where::operand, first_of_read[static_cast<size_t>(at)] + part,
                                   r.combined ? row_bytes(r.value) : 0});
    }
    for (const ValueRef v : from.results)
      member.results.push_back(made.at(v));
    for (const Kernel *kernel : {member.block, member.last})
      key.push_back(static_cast<int64_t>(reinterpret_cast<intptr_t>(kernel)));
    for (const auto *places : {&member.operands, &member.results})
      for (const ChainPlace &at : *places)
        key.insert(key.end(), {static_cast<int64_t>(at.where), at.index, at.row_bytes});
    request.members.push_back(std::move(member));
  }
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  if (own && runs_members(request))
    return keep(std::move(key), kind_->bind_chain(std::move(request)));
  if (own) { // a member has no kernel there, so the host has them all
    by_host_ = true;
    auto bound = bind_chain(step, position);
    by_host_ = false;
    return bound;
  }
  return keep(std::move(key), kernels::bind_chain(std::move(request)));
}

bool Binder::runs_members(const kernels::ChainRequest &request) const {
  return std::ranges::all_of(request.members, [&](const kernels::ChainMember &m) {
    return (m.block == nullptr || kind_->adapt(*m.block, {}) == nullptr) &&
           (m.last == nullptr || kind_->adapt(*m.last, {}) == nullptr);
  });
}

std::vector<std::unique_ptr<Kernel>> Binder::take_kernels() {
  std::vector<std::unique_ptr<Kernel>> all;
  for (auto &[key, kernel] : kernels_)
    all.push_back(std::move(kernel));
  kernels_.clear();
  return all;
}

} // namespace tw::runtime
