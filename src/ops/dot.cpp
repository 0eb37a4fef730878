// SPDX-License-Identifier: Apache-2.0
// dot_general: contractions of two arrays over any dimensions, with batch dimensions; matrix products are one
// case.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise.hpp"
#include "ops/linear.hpp"
#include "ops/products.hpp"
#include "ops/scalar.hpp"
#include "ops/strided.hpp"

namespace tw::ops::dot_ops {
namespace {

namespace slots = slot::dot_general;

// The dimensions of one side: batch and contracting as the attributes list them, free ones in order.
struct Side {
  std::span<const int64_t> batch, contracting;
  std::vector<int64_t> free;
};

Side side_of(const OpView &op, size_t operand) {
  Side side{op.ints(operand == 0 ? slots::lhs_batching_dimensions : slots::rhs_batching_dimensions),
            op.ints(operand == 0 ? slots::lhs_contracting_dimensions : slots::rhs_contracting_dimensions),
            {}};
  for (int64_t d = 0; d < static_cast<int64_t>(op.operands[operand]->rank()); ++d)
    if (std::find(side.batch.begin(), side.batch.end(), d) == side.batch.end() &&
        std::find(side.contracting.begin(), side.contracting.end(), d) == side.contracting.end())
      side.free.push_back(d);
  return side;
}

Status check_side(const OpView &op, size_t operand, const Side &side) {
  const graph::TensorType &type = *op.operands[operand];
  std::vector<bool> taken(type.rank());
  for (auto list : {side.batch, side.contracting})
    for (int64_t d : list) {
      if (d < 0 || d >= static_cast<int64_t>(type.rank()) || taken[static_cast<size_t>(d)])
        return fail(
            Code::invalid_argument, "TW-245",
            fmt::format("batching [{}] and contracting [{}] must name different dimensions of operand {}, {}",
                        fmt::join(side.batch, ", "), fmt::join(side.contracting, ", "), operand,
                        graph::to_short_text(type)));
      taken[static_cast<size_t>(d)] = true;
    }
  return {};
}

Status check_pairs(const OpView &op, std::span<const int64_t> l, std::span<const int64_t> r,
                   const char *what) {
  if (l.size() != r.size())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 has {} {} dimensions, operand 1 has {}", l.size(), what, r.size()));
  for (size_t i = 0; i < l.size(); ++i) {
    const int64_t a = op.operands[0]->dims[static_cast<size_t>(l[i])],
                  b = op.operands[1]->dims[static_cast<size_t>(r[i])];
    if (a != b)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} dimension {} of operand 0, {}, has size {}, but its partner, dimension {} "
                              "of operand 1, {}, has size {}",
                              what, l[i], graph::to_short_text(*op.operands[0]), a, r[i],
                              graph::to_short_text(*op.operands[1]), b));
  }
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const Side lhs = side_of(op, 0), rhs = side_of(op, 1);
  TW_TRY(check_side(op, 0, lhs));
  TW_TRY(check_side(op, 1, rhs));
  TW_TRY(check_pairs(op, lhs.batch, rhs.batch, "batching"));
  TW_TRY(check_pairs(op, lhs.contracting, rhs.contracting, "contracting"));
  graph::TensorType type;
  TW_ASSIGN(type.dtype, product_dtype(op));
  for (int64_t d : lhs.batch)
    type.dims.push_back(op.operands[0]->dims[static_cast<size_t>(d)]);
  for (int64_t d : lhs.free)
    type.dims.push_back(op.operands[0]->dims[static_cast<size_t>(d)]);
  for (int64_t d : rhs.free)
    type.dims.push_back(op.operands[1]->dims[static_cast<size_t>(d)]);
  return std::vector<graph::TensorType>{std::move(type)};
}

Rule rule(const OpView &op) {
  const Side lhs = side_of(op, 0), rhs = side_of(op, 1);
  RuleBuilder rule(op);
  size_t out = 0;
  for (size_t i = 0; i < lhs.batch.size(); ++i) {
    const FactorId f = rule.pass(op.results[0]->dims[out]);
    rule.in(0, static_cast<size_t>(lhs.batch[i]), f)
        .in(1, static_cast<size_t>(rhs.batch[i]), f)
        .out(0, out++, f);
  }
  for (size_t operand : {size_t(0), size_t(1)})
    for (int64_t d : operand == 0 ? lhs.free : rhs.free) {
      const FactorId f = rule.pass(op.results[0]->dims[out]);
      rule.in(operand, static_cast<size_t>(d), f).out(0, out++, f);
    }
  const auto kind = op.results[0]->dtype == DType::i1 ? sharding::Reduction::lor : sharding::Reduction::sum;
  for (size_t i = 0; i < lhs.contracting.size(); ++i) {
    const FactorId f = rule.reduce(op.operands[0]->dims[static_cast<size_t>(lhs.contracting[i])], kind);
    rule.in(0, static_cast<size_t>(lhs.contracting[i]), f).in(1, static_cast<size_t>(rhs.contracting[i]), f);
  }
  return rule.build();
}

// Each element of the result sums its products in row-major order of the contracting dimensions, whatever the
// piece.
template <class V>
void multiply_accumulate(const V *lhs, const V *rhs, V *out, int64_t batch, int64_t rows, int64_t inner,
                         int64_t cols) {
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < rows; ++i) {
      V *sums = out + (b * rows + i) * cols;
      std::fill(sums, sums + cols, V(0));
      for (int64_t k = 0; k < inner; ++k) {
        const V a = lhs[(b * rows + i) * inner + k];
        const V *row = rhs + (b * inner + k) * cols;
        TW_INDEPENDENT_LOOP
        for (int64_t j = 0; j < cols; ++j)
          sums[j] = scalar::Add::apply(sums[j], scalar::Multiply::apply(a, row[j]));
      }
    }
}

// Narrow floats accumulate in f32, everything else in its own type.
DType accumulator(DType result) { return kFloats.has(result) && result != DType::f64 ? DType::f32 : result; }

std::vector<int64_t> joined(std::span<const int64_t> a, std::span<const int64_t> b,
                            std::span<const int64_t> c) {
  std::vector<int64_t> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

Status reference(const KernelArgs &args) {
  const Side lhs = side_of(args.op, 0), rhs = side_of(args.op, 1);
  const Buffer &out = args.results[0];
  auto extents = [](const Buffer &piece, std::span<const int64_t> dims) {
    int64_t n = 1;
    for (int64_t d : dims)
      n *= piece.extent[static_cast<size_t>(d)];
    return n;
  };
  const int64_t batch = extents(args.operands[0], lhs.batch), rows = extents(args.operands[0], lhs.free);
  const int64_t inner = extents(args.operands[0], lhs.contracting),
                cols = extents(args.operands[1], rhs.free);
  const DType type = accumulator(out.dtype);
  const std::vector<std::byte> a =
      packed(args.operands[0], joined(lhs.batch, lhs.free, lhs.contracting), type);
  const std::vector<std::byte> b =
      packed(args.operands[1], joined(rhs.batch, rhs.contracting, rhs.free), type);
  std::vector<std::byte> sums(static_cast<size_t>(out.elements()) * graph::byte_size(type));
  visit_dtype(type, [&]<class E>(E) {
    using V = typename E::Storage;
    if constexpr (std::is_same_v<V, typename E::Value>)
      multiply_accumulate(reinterpret_cast<const V *>(a.data()), reinterpret_cast<const V *>(b.data()),
                          reinterpret_cast<V *>(sums.data()), batch, rows, inner, cols);
    else if constexpr (E::dtype == DType::i1)
      multiply_accumulate(reinterpret_cast<const bool *>(a.data()), reinterpret_cast<const bool *>(b.data()),
                          reinterpret_cast<bool *>(sums.data()), batch, rows, inner, cols);
  });
  const void *in = sums.data();
  convert_block(type, out.dtype)(&in, out.data, out.elements());
  return {};
}

Cost cost(const OpView &op) {
  Cost cost;
  cost.flops = 2.0 * static_cast<double>(op.results[0]->elements());
  for (int64_t d : op.ints(slots::lhs_contracting_dimensions))
    cost.flops *= static_cast<double>(op.operands[0]->dims[static_cast<size_t>(d)]);
  cost.bytes_read =
      static_cast<double>(op.operands[0]->bytes()) + static_cast<double>(op.operands[1]->bytes());
  cost.bytes_written = static_cast<double>(op.results[0]->bytes());
  return cost;
}

OpDef dot_general() {
  OpDef def{
      "stablehlo.dot_general",
      "Sums of products over contracting dimensions, for each index of the batching ones. Spec: dot_general.",
      2,
      2,
      1,
      {{"lhs_batching_dimensions", AttrKind::ints, false,
        "dimensions of operand 0 that are kept as one with operand 1's", AttrDims::paired},
       {"rhs_batching_dimensions", AttrKind::ints, false, "their partners in operand 1", AttrDims::paired},
       {"lhs_contracting_dimensions", AttrKind::ints, false, "dimensions of operand 0 that are summed over",
        AttrDims::named},
       {"rhs_contracting_dimensions", AttrKind::ints, false, "their partners in operand 1", AttrDims::named},
       {"precision_config", AttrKind::string, false,
        "precision asked for, as text; all our kernels meet HIGHEST"},
       {"algorithm", AttrKind::string, false, "algorithm asked for, as text"}}};
  def.flags |= kPlaceless | kBatches;
  def.kind = OpKind::dot;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([b,i,k],[b,k,j])->([b,i,j]) k:sum";
  def.cost = cost;
  def.linear = linear::product;
  def.reference = reference;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {dot_general()};
  return defs;
}

} // namespace tw::ops::dot_ops
