// SPDX-License-Identifier: Apache-2.0
// Ops that are short for others: einsum, unary_einsum, torch_index_select.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/implied.hpp"
#include "ops/einsum.hpp"

namespace tw::import {

using graph::ValueId;

// "ab,bc->ac": dot_general gives batch, left and right dimensions in order; a transpose gives those asked
// for.
bool lower_einsum(Reader &r, OpText &op) {
  const AttrText *config = op.find_attr("einsum_config");
  if (!r.emitter.check_operand_types(op))
    return false;
  if (!config || op.operands.size() != 2)
    return r.s.fail("TW-105", op.at,
                    fmt::format("{} takes 2 operands and the attribute einsum_config", op.name));
  auto einsum =
      ops::parse_einsum(plain_text(config->raw), r.c.type_of(op.operands[0]), r.c.type_of(op.operands[1]));
  if (!einsum)
    return r.s.adopt(std::move(einsum.error()), config->raw.data());
  Implied implied(r.c, op);
  ValueId result = implied.add("stablehlo.dot_general", op.operands,
                               {{"lhs_batching_dimensions", einsum->lhs_batch},
                                {"rhs_batching_dimensions", einsum->rhs_batch},
                                {"lhs_contracting_dimensions", einsum->lhs_contract},
                                {"rhs_contracting_dimensions", einsum->rhs_contract}});
  if (!std::ranges::is_sorted(einsum->permutation))
    result = implied.add("stablehlo.transpose", {result}, {{"permutation", einsum->permutation}});
  return implied.ok() && r.stand_for(op, {result});
}

// "abc->ca": letters that the result lacks are summed, the others put in order.
bool lower_unary_einsum(Reader &r, OpText &op) {
  const AttrText *config = op.find_attr("einsum_config");
  if (!r.emitter.check_operand_types(op))
    return false;
  if (!config || op.operands.size() != 1)
    return r.s.fail("TW-105", op.at,
                    fmt::format("{} takes 1 operand and the attribute einsum_config", op.name));
  std::string text = plain_text(config->raw);
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  const std::string from = text.substr(0, arrow),
                    to = arrow == std::string::npos ? "" : text.substr(arrow + 2);
  const size_t rank = r.c.type_of(op.operands[0]).rank();
  bool good = arrow != std::string::npos && from.size() == rank;
  for (const std::string &letters : {from, to})
    for (const char c : letters)
      good = good && c >= 'a' && c <= 'z' && std::ranges::count(letters, c) == 1 &&
             from.find(c) != std::string::npos;
  if (!good)
    return r.s.fail(
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
  Implied implied(r.c, op);
  ValueId result = summed.empty() ? op.operands[0] : implied.sum(op.operands[0], summed);
  if (!std::ranges::is_sorted(permutation))
    result = implied.add("stablehlo.transpose", {result}, {{"permutation", permutation}});
  return implied.ok() && r.stand_for(op, {result});
}

// Rows of an array along `dim`, chosen by an array of indices; the first `batch_dims` dimensions of both go
// together.
bool lower_index_select(Reader &r, OpText &op) {
  int64_t dim = 0, batch = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "dim", dim) ||
      !r.read_attr(op, "batch_dims", batch))
    return false;
  if (op.operands.size() != 2)
    return r.s.fail("TW-110", op.at, fmt::format("{} takes 2 operands, has {}", op.name, op.operands.size()));
  const graph::TensorType array = r.c.type_of(op.operands[0]), index = r.c.type_of(op.operands[1]);
  const auto rank = static_cast<int64_t>(array.rank()), index_rank = static_cast<int64_t>(index.rank());
  if (batch < 0 || batch > dim || batch > index_rank || dim >= rank)
    return r.s.fail("TW-105", op.at,
                    fmt::format("{}: dim {} and batch_dims {} do not fit {} and {}", op.name, dim, batch,
                                graph::to_text(array), graph::to_text(index)));
  graph::Shape sizes = array.dims;
  for (int64_t d = 0; d < batch; ++d)
    sizes[static_cast<size_t>(d)] = 1;
  sizes[static_cast<size_t>(dim)] = 1;
  // The result has the array's dimensions before `dim`, those of the index without the batch, and the array's
  // after it.
  std::vector<int64_t> offset = numbers(batch, dim),
                       after = numbers(dim + index_rank - batch, rank + index_rank - batch - 1);
  offset.insert(offset.end(), after.begin(), after.end());
  Implied implied(r.c, op);
  const ValueId result = implied.add("stablehlo.gather", op.operands,
                                     {{"offset_dims", offset},
                                      {"collapsed_slice_dims", std::vector<int64_t>{dim}},
                                      {"operand_batching_dims", numbers(0, batch)},
                                      {"start_indices_batching_dims", numbers(0, batch)},
                                      {"start_index_map", std::vector<int64_t>{dim}},
                                      {"index_vector_dim", index_rank},
                                      {"slice_sizes", sizes}});
  return implied.ok() && r.stand_for(op, {result});
}

} // namespace tw::import
