// SPDX-License-Identifier: Apache-2.0
// Einstein's notation to dot_general.
#include "ops/einsum.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace tw::ops {
namespace {

tl::unexpected<Error> wrong(std::string_view subscripts, std::string why) {
  return fail(Code::invalid_argument, "TW-230", fmt::format("einsum \"{}\": {}", subscripts, why));
}

Status check_operand(std::string_view subscripts, std::string_view which, std::string_view letters,
                     const graph::TensorType &type) {
  if (letters.size() != type.rank())
    return wrong(subscripts, fmt::format("\"{}\" names {} dimensions, the {} operand is {}", letters,
                                         letters.size(), which, graph::to_short_text(type)));
  for (size_t i = 0; i < letters.size(); ++i)
    if (letters.find(letters[i], i + 1) != std::string_view::npos)
      return wrong(subscripts, fmt::format("'{}' stands twice in the {} operand", letters[i], which));
  return {};
}

} // namespace

Result<Einsum> parse_einsum(std::string_view subscripts, const graph::TensorType &lhs,
                            const graph::TensorType &rhs) {
  const size_t comma = subscripts.find(','), arrow = subscripts.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || comma > arrow)
    return wrong(subscripts, "expected two operands and a result, as in \"bd,df->bf\"");
  const auto x = subscripts.substr(0, comma), y = subscripts.substr(comma + 1, arrow - comma - 1),
             z = subscripts.substr(arrow + 2);
  TW_TRY(check_operand(subscripts, "left", x, lhs));
  TW_TRY(check_operand(subscripts, "right", y, rhs));

  Einsum e;
  std::string batch, lhs_free, rhs_free; // the order in which dot_general makes its result
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t j = y.find(x[i]);
    const bool kept = z.find(x[i]) != std::string_view::npos;
    if (j == std::string_view::npos) {
      if (!kept)
        return wrong(subscripts,
                     fmt::format("'{}' is in one operand only, so the result must have it", x[i]));
      lhs_free += x[i];
      continue;
    }
    if (lhs.dims[i] != rhs.dims[j])
      return wrong(subscripts, fmt::format("'{}' is {} in the left operand and {} in the right one", x[i],
                                           lhs.dims[i], rhs.dims[j]));
    (kept ? e.lhs_batch : e.lhs_contract).push_back(static_cast<int64_t>(i));
    (kept ? e.rhs_batch : e.rhs_contract).push_back(static_cast<int64_t>(j));
    if (kept)
      batch += x[i];
  }
  for (char letter : y)
    if (x.find(letter) == std::string_view::npos) {
      if (z.find(letter) == std::string_view::npos)
        return wrong(subscripts,
                     fmt::format("'{}' is in one operand only, so the result must have it", letter));
      rhs_free += letter;
    }

  const std::string made = batch + lhs_free + rhs_free;
  for (char letter : z) {
    const size_t at = made.find(letter);
    if (at == std::string::npos)
      return wrong(subscripts, fmt::format("'{}' is in the result but in no operand", letter));
    e.permutation.push_back(static_cast<int64_t>(at));
  }
  if (z.size() != made.size())
    return wrong(subscripts, fmt::format("the result \"{}\" names a dimension twice", z));
  return e;
}

} // namespace tw::ops
