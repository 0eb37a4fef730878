// SPDX-License-Identifier: Apache-2.0
// Ops that are short for others: einsum, unary_einsum, torch_index_select, the broadcasting arithmetic of CHLO, and questions whose
// answer is known where a whole program is read.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "import/body.hpp"
#include "import/implied.hpp"
#include "ops/einsum.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

using graph::ValueId;

std::vector<int64_t> numbers(int64_t first, int64_t last) {
  std::vector<int64_t> list;
  for (int64_t n = first; n < last; ++n)
    list.push_back(n);
  return list;
}

} // namespace

// "ab,bc->ac": dot_general gives batch, left and right dimensions in order; a transpose gives those asked for.
bool BodyReader::lower_einsum(OpText &op) {
  const AttrText *config = op.find_attr("einsum_config");
  if (!emitter_.check_operand_types(op))
    return false;
  if (!config || op.operands.size() != 2)
    return s_.fail("TW-105", op.at,
                   fmt::format("{} takes 2 operands and the attribute einsum_config", op.name));
  auto einsum =
      ops::parse_einsum(plain_text(config->raw), c_.type_of(op.operands[0]), c_.type_of(op.operands[1]));
  if (!einsum)
    return s_.adopt(std::move(einsum.error()), config->raw.data());
  Implied implied(c_, op);
  ValueId result = implied.add("stablehlo.dot_general", op.operands,
                               {{"lhs_batching_dimensions", einsum->lhs_batch},
                                {"rhs_batching_dimensions", einsum->rhs_batch},
                                {"lhs_contracting_dimensions", einsum->lhs_contract},
                                {"rhs_contracting_dimensions", einsum->rhs_contract}});
  if (!std::ranges::is_sorted(einsum->permutation))
    result = implied.add("stablehlo.transpose", {result}, {{"permutation", einsum->permutation}});
  return implied.ok() && stand_for(op, {result});
}

// "abc->ca": letters that the result lacks are summed, the others put in order.
bool BodyReader::lower_unary_einsum(OpText &op) {
  const AttrText *config = op.find_attr("einsum_config");
  if (!emitter_.check_operand_types(op))
    return false;
  if (!config || op.operands.size() != 1)
    return s_.fail("TW-105", op.at,
                   fmt::format("{} takes 1 operand and the attribute einsum_config", op.name));
  std::string text = plain_text(config->raw);
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  const std::string from = text.substr(0, arrow),
                    to = arrow == std::string::npos ? "" : text.substr(arrow + 2);
  const size_t rank = c_.type_of(op.operands[0]).rank();
  bool good = arrow != std::string::npos && from.size() == rank;
  for (const std::string &letters : {from, to})
    for (const char c : letters)
      good = good && c >= 'a' && c <= 'z' && std::ranges::count(letters, c) == 1 &&
             from.find(c) != std::string::npos;
  if (!good)
    return s_.fail(
        "TW-105", config->raw.data(),
        fmt::format("{}: expected a letter for each of {} dimensions, none twice, such as \"ab->b\"", op.name,
                    rank));
  std::vector<int64_t> summed, permutation;
  std::string kept;
  for (size_t d = 0; d < rank; ++d)
    if (to.find(from[d]) == std::string::npos)
      summed.push_back(static_cast<int64_t>(d));
    else
      kept += from[d];
  for (const char c : to)
    permutation.push_back(static_cast<int64_t>(kept.find(c)));
  Implied implied(c_, op);
  ValueId result = summed.empty() ? op.operands[0] : implied.sum(op.operands[0], summed);
  if (!std::ranges::is_sorted(permutation))
    result = implied.add("stablehlo.transpose", {result}, {{"permutation", permutation}});
  return implied.ok() && stand_for(op, {result});
}

// Rows of an array along `dim`, chosen by an array of indices; the first `batch_dims` dimensions of both go together.
bool BodyReader::lower_index_select(OpText &op) {
  int64_t dim = 0, batch = 0;
  if (!emitter_.check_operand_types(op) || !read_attr(op, "dim", dim) || !read_attr(op, "batch_dims", batch))
    return false;
  if (op.operands.size() != 2)
    return s_.fail("TW-110", op.at, fmt::format("{} takes 2 operands, has {}", op.name, op.operands.size()));
  const graph::TensorType array = c_.type_of(op.operands[0]), index = c_.type_of(op.operands[1]);
  const auto rank = static_cast<int64_t>(array.rank()), index_rank = static_cast<int64_t>(index.rank());
  if (batch < 0 || batch > dim || batch > index_rank || dim >= rank)
    return s_.fail("TW-105", op.at,
                   fmt::format("{}: dim {} and batch_dims {} do not fit {} and {}", op.name, dim, batch,
                               graph::to_text(array), graph::to_text(index)));
  graph::Shape sizes = array.dims;
  for (int64_t d = 0; d < batch; ++d)
    sizes[static_cast<size_t>(d)] = 1;
  sizes[static_cast<size_t>(dim)] = 1;
  // The result has the array's dimensions before `dim`, those of the index without the batch, and the array's after it.
  std::vector<int64_t> offset = numbers(batch, dim),
                       after = numbers(dim + index_rank - batch, rank + index_rank - batch - 1);
  offset.insert(offset.end(), after.begin(), after.end());
  Implied implied(c_, op);
  const ValueId result = implied.add("stablehlo.gather", op.operands,
                                     {{"offset_dims", offset},
                                      {"collapsed_slice_dims", std::vector<int64_t>{dim}},
                                      {"operand_batching_dims", numbers(0, batch)},
                                      {"start_indices_batching_dims", numbers(0, batch)},
                                      {"start_index_map", std::vector<int64_t>{dim}},
                                      {"index_vector_dim", index_rank},
                                      {"slice_sizes", sizes}});
  return implied.ok() && stand_for(op, {result});
}

// chlo.broadcast_add and its like: the shorter operand gets dimensions in front, or where broadcast_dimensions says, and sizes 1 stretch.
bool BodyReader::lower_broadcasting(OpText &op) {
  static constexpr std::string_view kPrefix = "chlo.broadcast_";
  const std::string_view name = op.name.substr(kPrefix.size());
  std::optional<graph::OpCode> code;
  for (const std::string_view dialect : {"stablehlo.", "chlo."})
    if (!code)
      code = ops::find_op(fmt::format("{}{}", dialect, name));
  if (!emitter_.check_operand_types(op))
    return false;
  if (!code)
    return fail_unknown(op.name, op.at);
  graph::Shape to; // right-aligned, as NumPy does
  for (const ValueId v : op.operands) {
    const graph::Shape &dims = c_.type_of(v).dims;
    if (dims.size() > to.size())
      to.insert(to.begin(), dims.size() - to.size(), 1);
    for (size_t d = 0; d < dims.size(); ++d)
      if (int64_t &n = to[to.size() - dims.size() + d]; n == 1)
        n = dims[d];
  }
  std::vector<int64_t> given;
  if (const AttrText *attr = op.find_attr("broadcast_dimensions");
      attr && !c_.attributes.read_ints(attr->raw, given))
    return false;
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "broadcast_dimensions"; });
  Implied implied(c_, op);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const graph::TensorType type = c_.type_of(op.operands[i]);
    const bool clamp_bound = name == "clamp" && i != 1 && type.rank() == 0;
    if (type.dims == to || clamp_bound)
      continue;
    const auto rank = static_cast<int64_t>(to.size()), own = static_cast<int64_t>(type.rank());
    const bool stated = static_cast<int64_t>(given.size()) == own && own < rank;
    op.operands[i] = implied.broadcast(op.operands[i], stated ? given : numbers(rank - own, rank), to);
    if (!implied.ok())
      return false;
    op.operand_types[i] = c_.builder.graph().value(op.operands[i]).type;
  }
  op.code = *code;
  op.name = ops::op_def(op.code).name;
  return emit(op);
}

// chlo.constant_like: a number in the shape of an array.
bool BodyReader::lower_constant_like(OpText &op) {
  double value = 0;
  if (!emitter_.check_operand_types(op) || !read_attr(op, "value", value))
    return false;
  if (op.operands.size() != 1)
    return s_.fail("TW-110", op.at, fmt::format("{} takes 1 operand, has {}", op.name, op.operands.size()));
  Implied implied(c_, op);
  const graph::TensorType type = c_.type_of(op.operands[0]);
  const ValueId result = implied.number(type, value);
  return implied.ok() && stand_for(op, {result});
}

// Outside manual regions a program is one replica, one partition.
bool BodyReader::lower_device_id(OpText &op) {
  Implied implied(c_, op);
  const ValueId zero = implied.number({graph::DType::u32, {}}, 0);
  return implied.ok() && stand_for(op, {zero});
}

} // namespace tw::import
