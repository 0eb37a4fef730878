// SPDX-License-Identifier: Apache-2.0
// Finds the types of arguments that have none.
#include "import/untyped.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "import/reader.hpp"

namespace tw::import {

using graph::ValueId;

namespace {

constexpr int kMaxUntyped = 64; // each has the text read once more
constexpr int64_t kOpen = -1;   // a size that nothing said

bool fail_untyped(Reader &r, const char *at, std::string_view why) {
  return r.s.fail("TW-110", at,
                  fmt::format("{}: write the type of the argument, such as tensor<16x256xf32>", why));
}

// What an op's other operands and its stated types say of one operand.
std::optional<graph::TensorType> type_of_operand(Reader &r, const OpText &op, size_t i) {
  const auto known = [&](size_t n) { return !r.untyped.contains(op.operands[n]); };
  if (op.name == "matmul") {
    if (op.operands.size() != 2 || !known(1 - i))
      return std::nullopt;
    const graph::TensorType &other = r.c.type_of(op.operands[1 - i]);
    if (other.rank() != 2)
      return std::nullopt;
    return i == 0 ? graph::TensorType{other.dtype, {kOpen, other.dims[0]}}
                  : graph::TensorType{other.dtype, {other.dims[1], kOpen}};
  }
  if (!op.types.empty() && r.loops.innermost == graph::kNone && i < op.operand_types.size())
    return r.c.builder.graph().type_at(op.operand_types[i]);
  for (size_t n = 0; n < op.operands.size(); ++n)
    if (known(n))
      return r.c.type_of(op.operands[n]);
  return std::nullopt;
}

// A range<n,w> says the size; the result of the function does where it has as many dimensions. Else each tile
// of the loops gets one element.
int64_t open_size(Reader &r, const Untyped &untyped, uint32_t dim, size_t rank) {
  const auto slice = untyped.slices.find(dim);
  int64_t size = 0;
  if (slice != untyped.slices.end() && !slice->second.extent.empty()) {
    const std::string &extent = slice->second.extent;
    if (const auto [stop, error] = std::from_chars(extent.data(), extent.data() + extent.size(), size);
        error == std::errc() && stop == extent.data() + extent.size())
      return size;
  }
  if (r.stated_results.size() == 1)
    if (const graph::TensorType &result = r.c.builder.graph().type_at(r.stated_results[0]);
        result.rank() == rank)
      return result.dims[dim];
  size = slice == untyped.slices.end() ? 1 : std::max<int64_t>(sharding::count_tiles(slice->second), 1);
  r.c.findings.guess(untyped.at, dim, size);
  return size;
}

} // namespace

bool accept_untyped(Reader &r, Argument &argument) {
  const Cursor back = r.s.cursor();
  if (!r.s.accept("tensor") || !r.s.accept('<') || !r.s.accept('>')) {
    r.s.seek(back);
    return false;
  }
  const graph::TensorType *found = r.c.findings.type(argument.at);
  if (++r.untyped_arguments > kMaxUntyped)
    return r.s.fail("TW-110", argument.at, fmt::format("more than {} arguments have no type", kMaxUntyped));
  argument.type = r.c.builder.type(found != nullptr ? *found : graph::TensorType{graph::DType::f32, {}});
  argument.untyped = found == nullptr;
  if (found != nullptr)
    for (const auto &[dim, size] : r.c.findings.guesses(argument.at))
      r.c.notes.add(
          Note::Kind::ignored,
          fmt::format("that no size is stated of dimension {} of %{}: {} is taken", dim, argument.name, size),
          argument.at);
  return true;
}

void note_untyped(Reader &r, const Argument &argument, ValueId v) {
  if (argument.untyped)
    r.untyped.emplace(v, Untyped{argument.at, {}});
}

bool settle_untyped(Reader &r, const OpText &op) {
  if (r.untyped.empty())
    return true;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto untyped = r.untyped.find(op.operands[i]);
    if (untyped == r.untyped.end())
      continue;
    auto type = type_of_operand(r, op, i);
    if (!type)
      return fail_untyped(r, untyped->second.at, fmt::format("{} does not say what this is", op.name));
    for (uint32_t d = 0; d < type->dims.size(); ++d)
      if (type->dims[d] == kOpen)
        type->dims[d] = open_size(r, untyped->second, d, type->rank());
    r.c.findings.add_type(untyped->second.at, std::move(*type));
    return fail_untyped(r, untyped->second.at, "the text is to be read again");
  }
  return true;
}

bool all_typed(Reader &r) {
  return r.untyped.empty() ||
         fail_untyped(r, r.untyped.begin()->second.at, "no op says what this argument is");
}

} // namespace tw::import
