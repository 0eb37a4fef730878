// SPDX-License-Identifier: Apache-2.0
// Requests are compared by everything a kernel may look at; where a tile lies in the global array counts only
// for ops that ask.
#include "runtime/binding.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/fused.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/registry.hpp"
#include "ops/strided.hpp"
#include "runtime/accumulate.hpp"
#include "runtime/assign.hpp"
#include "runtime/members.hpp"
#include "runtime/runnable.hpp"

namespace tw::runtime {

using kernels::Kernel;
using spmd::Instr;
using spmd::ValueRef;

void Binder::append(Key &key, std::span<const int64_t> values) {
  key.push_back(static_cast<int64_t>(values.size()));
  key.insert(key.end(), values.begin(), values.end());
}

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

// Null is of nobody.
bool Binder::is_of_host(const Kernel *kernel) const {
  return kernel != nullptr && kind_ != nullptr && kind_->adapt(*kernel, {}) != nullptr;
}

// Right behind its binding: a kind knows the last reason for each op.
void Binder::note_host(const Kernel &kernel, const ops::OpDef &def) {
  if (is_of_host(&kernel))
    on_host_[&kernel].why =
        kernels::is_custom_call(def) ? "it is a function of the program" : kind_->why_on_host(def.name);
}

Binder::OnHost Binder::on_host(const Kernel *kernel) const {
  const auto known = on_host_.find(kernel);
  return known != on_host_.end() ? known->second : OnHost();
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
    if (step.kind == Step::Kind::product) {
      kernels.push_back(bind_product(step, d));
      if (kernels.back() == nullptr)
        return fail(Code::internal, "TW-601", "a product that devices had a kernel for has none any more");
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

  const bool may_pack = offers_packing(step),
             is_static = !step.results.empty() && schedule_.is_static[step.results[0]];
  Key key{kSingle,  unit(position), op.code,   op.attrs,
          use_init, may_pack,       is_static, op.num_regions == 0 ? -1 : static_cast<int64_t>(in.op)};
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
  const kernels::Request request{view.view(), def,       operands,        results,
                                 use_init,    may_pack,  how_.idle_cores, unit(position),
                                 is_static,   how_.tf32, how_.same_bits};
  std::unique_ptr<Kernel> kernel = first_ != nullptr ? first_(request) : nullptr;
  if (kernel == nullptr) {
    auto bound = kernels::bind(request, calls_, entries_);
    if (!bound)
      return fail(at_op(std::move(bound.error()), graph, in.op));
    kernel = std::move(*bound);
  }
  note_host(*kernel, def);
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
  const Kernel *const kept =
      keep(std::move(key), std::make_unique<Accumulate>(part, whole, operands, onto,
                                                        byte_size(program_.type(to).dtype), combine));
  if (is_of_host(kept))
    on_host_[kept].why = kind_->why_on_host("accumulate");
  return kept;
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

namespace {

// Neighbours that are walked as one become one; nothing where all rows are one.
std::vector<kernels::RowDim> merged_rows(std::span<const int64_t> extent, std::span<const int64_t> strides) {
  std::vector<kernels::RowDim> rows;
  for (size_t d = 0; d < extent.size(); ++d) {
    if (extent[d] == 1)
      continue;
    if (!rows.empty() && rows.back().stride == extent[d] * strides[d])
      rows.back() = {rows.back().extent * extent[d], strides[d]};
    else
      rows.push_back({extent[d], strides[d]});
  }
  if (rows.size() == 1 && rows[0].stride == 0)
    rows.clear();
  return rows;
}

} // namespace

// How a fused step walks over what it reads, on this device.
kernels::FusedInput Binder::fused_input(const FusedRead &read, std::span<const int64_t> space,
                                        Position position, const Rows *rows) const {
  kernels::FusedInput input{program_.type(read.value).dtype, read_strides(read, space, position)};
  if (rows != nullptr) {
    const auto counted = merged_rows(space.first(rows->dims), input.strides);
    input.strides.erase(input.strides.begin(),
                        input.strides.begin() + static_cast<std::ptrdiff_t>(rows->dims));
    input.strides.insert(input.strides.begin(), counted.empty() ? 0 : counted.back().stride);
  }
  return input;
}

std::vector<int64_t> Binder::read_strides(const FusedRead &read, std::span<const int64_t> space,
                                          Position position) const {
  std::vector<int64_t> strides(space.size(), 0);
  const auto &extent = layouts_.box(layouts_.of(read.value), position).extent;
  const std::vector<int64_t> dense = ops::dense_strides(extent);
  for (size_t k = 0; k < space.size(); ++k)
    if (read.dims[k] >= 0 && space[k] != 1) {
      const auto d = static_cast<size_t>(read.dims[k]);
      TW_ASSERT(read.constant || extent[d] == space[k]);
      strides[k] = read.constant ? 1 : dense[d];
    }
  return strides;
}

// Where the rows of a chain's member begin in what it reads, in elements.
std::vector<kernels::RowDim> Binder::read_rows(const Step &member, const FusedRead &read,
                                               Position position) const {
  const auto &space = layouts_.box(member.space, position).extent;
  return merged_rows(std::span(space).first(member.row_dims), read_strides(read, space, position));
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

Binder::Fused Binder::fused(const Step &step, Position position, const Rows *rows) const {
  const graph::Graph &graph = program_.graph();
  Fused made;
  auto &[request, key, views] = made;
  const std::vector<int64_t> &space = layouts_.box(step.space, position).extent;
  request.extent = space;
  request.same_bits = how_.same_bits;
  if (rows != nullptr) { // its rows become one dimension
    request.extent.erase(request.extent.begin(),
                         request.extent.begin() + static_cast<std::ptrdiff_t>(rows->dims));
    request.extent.insert(request.extent.begin(), rows->some);
  }
  key = {kFused, unit(position)};
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
  return made;
}

Result<const Kernel *> Binder::bind_fused(const Step &step, Position position, const Rows *rows) {
  auto [request, key, views] = fused(step, position, rows);
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  std::unique_ptr<Kernel> kernel = kind_ != nullptr ? kind_->bind_fused(request) : nullptr;
  if (kernel == nullptr)
    kernel = kernels::bind_fused(request);
  if (kernel == nullptr)
    return fail(
        Code::internal, "TW-601",
        fmt::format("no fused kernel takes a group that begins with {}",
                    ops::op_def(program_.graph().op(program_.instrs()[step.instrs[0]].op).code).name));
  note_host(*kernel,
            *std::ranges::find_if(request.nodes, [](const auto &n) { return n.def != nullptr; })->def);
  return keep(std::move(key), std::move(kernel));
}

std::vector<std::unique_ptr<Kernel>> Binder::take_kernels() {
  std::vector<std::unique_ptr<Kernel>> all;
  for (auto &[key, kernel] : kernels_)
    all.push_back(std::move(kernel));
  for (auto &kernel : adapted_)
    all.push_back(std::move(kernel));
  kernels_.clear();
  adapted_.clear();
  return all;
}

} // namespace tw::runtime
