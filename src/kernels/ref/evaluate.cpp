// SPDX-License-Identifier: Apache-2.0
// Runs graphs op by op on whole arrays with the references.
#include "kernels/ref/evaluate.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/custom_calls.hpp"
#include "ops/placement.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"

namespace tw::kernels::ref {
namespace {

class Evaluator {
public:
  explicit Evaluator(const graph::Graph &graph, ForeignKernel foreign = {}, Observer observe = {})
      : graph_(graph), foreign_(std::move(foreign)), observe_(std::move(observe)),
        arrays_(graph.values().size()), uses_left_(graph.values().size()) {
    for (graph::ValueId v = 0; v < arrays_.size(); ++v)
      uses_left_[v] = graph.uses(v).size();
    for (graph::RegionId r = 0; r < graph.num_regions(); ++r)
      for (graph::ValueId v : graph.region(r).yields)
        keep(v);
    size_t rank = 0;
    for (graph::TypeId t = 0; t < graph.num_types(); ++t)
      rank = std::max(rank, graph.type_at(t).rank());
    zeros_.resize(rank);
  }

  // Keeps a value that someone wants after its last use.
  void keep(graph::ValueId v) { ++uses_left_[v]; }

  void set(graph::ValueId v, const Array &array) { arrays_[v] = array.bytes; }
  Array get(graph::ValueId v) const { return {graph_.type(v), arrays_[v]}; }

  Status run(graph::OpId id) {
    const OpDef &def = op_def(graph_.op(id).code);
    if ((def.flags & kControlFlow) != 0)
      return is_loop(graph_, id) ? run_loop(id) : run_branch(id);
    const OpViewHolder holder(graph_, id);
    const Reference *reference =
        reference_of(is_placement(def, holder.view()) ? op_def(code_of(OpKind::barrier)) : def);
    const bool is_known =
        reference != nullptr || foreign_ || find_kernel(nullptr, def, holder.view()) != nullptr;
    if (!is_known)
      return fail(
          at(id, Error(Code::unimplemented, "TW-247", fmt::format("{} has no kernel", describe(id, def)))));
    std::vector<Buffer> operands, results;
    for (graph::ValueId v : graph_.operands(id))
      operands.push_back(whole(v));
    for (uint32_t i = 0; i < graph_.op(id).num_results; ++i) {
      const graph::ValueId v = graph_.result(id, i);
      arrays_[v].resize(static_cast<size_t>(graph_.type(v).bytes()));
      results.push_back(whole(v));
    }
    const KernelArgs args{holder.view(), operands, results, true};
    if (auto status = reference != nullptr ? (*reference)(args)
                      : foreign_           ? foreign_(def, args)
                                           : run_whole(def, args, nullptr);
        !status) {
      status.error().info().message = fmt::format("{}: {}", describe(id, def), status.error().message());
      return fail(at(id, std::move(status.error())));
    }
    TW_TRY(observe(results_of(id)));
    if (depth_ == 0) // what a body reads may be read again
      for (graph::ValueId v : graph_.operands(id))
        if (--uses_left_[v] == 0)
          std::vector<std::byte>().swap(arrays_[v]);
    return {};
  }

private:
  Status run_body(const graph::Region &body) {
    ++depth_;
    for (graph::OpId id : body.ops)
      TW_TRY(run(id));
    --depth_;
    return {};
  }

  Status observe(std::span<const graph::ValueId> made) const {
    for (size_t i = 0; i < made.size() && observe_; ++i)
      TW_TRY(observe_(made[i], arrays_[made[i]]));
    return {};
  }

  // All at once: what is assigned may be among what is read.
  Status assign(std::span<const graph::ValueId> to, std::span<const graph::ValueId> from) {
    std::vector<std::vector<std::byte>> values;
    for (graph::ValueId v : from)
      values.push_back(arrays_[v]);
    for (size_t i = 0; i < to.size(); ++i)
      arrays_[to[i]] = std::move(values[i]);
    return observe(to);
  }

  std::vector<graph::ValueId> results_of(graph::OpId id) const {
    std::vector<graph::ValueId> all;
    for (uint32_t i = 0; i < graph_.op(id).num_results; ++i)
      all.push_back(graph_.result(id, i));
    return all;
  }

  Status run_loop(graph::OpId id) {
    const graph::Region &condition = graph_.region(graph_.op(id).first_region);
    const graph::Region &body = graph_.region(graph_.op(id).first_region + 1);
    TW_TRY(assign(condition.args, graph_.operands(id)));
    for (;;) {
      TW_TRY(run_body(condition));
      if (arrays_[condition.yields[0]][0] == std::byte{0})
        break;
      TW_TRY(assign(body.args, condition.args));
      TW_TRY(run_body(body));
      TW_TRY(assign(condition.args, body.yields));
    }
    return assign(results_of(id), condition.args);
  }

  Status run_branch(graph::OpId id) {
    const auto &selector = arrays_[graph_.operands(id)[0]];
    const graph::Op &op = graph_.op(id);
    const graph::Region &branch = graph_.region(op.first_region + chosen_branch(selector, op.num_regions));
    TW_TRY(run_body(branch));
    return assign(results_of(id), branch.yields);
  }

  Buffer whole(graph::ValueId v) {
    const graph::TensorType &type = graph_.type(v);
    return {arrays_[v].data(), type.dtype, type.dims, std::span<const int64_t>(zeros_).first(type.rank()),
            type.dims};
  }
  std::string describe(graph::OpId id, const OpDef &def) const {
    if (def.kind == OpKind::custom_call)
      return fmt::format("{} @{}", def.name, OpViewHolder(graph_, id).view().string(0));
    return def.name;
  }
  Error at(graph::OpId id, Error error) const {
    const graph::Location where = graph_.location(id);
    if (error.info().pos.line == 0)
      error.info().pos = {std::string(graph_.file()), where.line, where.column};
    return error;
  }

  const graph::Graph &graph_;
  ForeignKernel foreign_;
  Observer observe_;
  std::vector<std::vector<std::byte>> arrays_; // per value
  std::vector<size_t> uses_left_;
  std::vector<int64_t> zeros_; // offsets of whole arrays
  size_t depth_ = 0;           // of bodies that are being run
};

Status check_argument(const Array &array, const graph::TensorType &type, size_t i) {
  if (array.type == type && static_cast<int64_t>(array.bytes.size()) == type.bytes())
    return {};
  return fail(Code::invalid_argument, "TW-249",
              fmt::format("argument {} is {} with {} bytes, expected {} with {} bytes", i,
                          graph::to_short_text(array.type), array.bytes.size(), graph::to_short_text(type),
                          type.bytes()));
}

Status check_count(size_t have, size_t expected) {
  if (have == expected)
    return {};
  return fail(Code::invalid_argument, "TW-249",
              fmt::format("{} arguments given, {} expected", have, expected));
}

} // namespace

Result<std::vector<Array>> evaluate(const graph::Graph &graph, std::span<const Array> arguments,
                                    const ForeignKernel &foreign, const Observer &observe) {
  TW_TRY(check_count(arguments.size(), graph.arguments().size()));
  Evaluator evaluator(graph, foreign, observe);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const graph::ValueId v = graph.result(graph.arguments()[i]);
    TW_TRY(check_argument(arguments[i], graph.type(v), i));
    evaluator.set(v, arguments[i]);
  }
  const std::span<const graph::OpId> ends = graph.results();
  std::vector<bool> boundary(graph.ops().size());
  for (graph::OpId id : graph.arguments())
    boundary[id] = true;
  for (graph::OpId id : ends)
    boundary[id] = true;
  for (graph::OpId id : graph.region(0).ops)
    if (!boundary[id])
      TW_TRY(evaluator.run(id));
  std::vector<Array> results;
  for (graph::OpId id : ends)
    results.push_back(evaluator.get(graph.operands(id)[0]));
  return results;
}

Result<std::vector<Array>> evaluate_region(const graph::Graph &graph, graph::RegionId id,
                                           std::span<const Array> arguments) {
  const graph::Region &region = graph.region(id);
  TW_TRY(check_count(arguments.size(), region.args.size()));
  Evaluator evaluator(graph);
  for (size_t i = 0; i < arguments.size(); ++i) {
    TW_TRY(check_argument(arguments[i], graph.type(region.args[i]), i));
    evaluator.set(region.args[i], arguments[i]);
    evaluator.keep(region.args[i]);
  }
  for (graph::ValueId v : region.yields)
    evaluator.keep(v);
  for (graph::OpId op : region.ops)
    TW_TRY(evaluator.run(op));
  std::vector<Array> results;
  for (graph::ValueId v : region.yields)
    results.push_back(evaluator.get(v));
  return results;
}

} // namespace tw::kernels::ref
