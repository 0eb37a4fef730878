// SPDX-License-Identifier: Apache-2.0
// Picks the dimensions that are rows, columns and batch of a product; all others become loops around it.
#include "device/cuda/product_form.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "kernels/dot_layout.hpp"
#include "ops/attributes.hpp"
#include "ops/expression.hpp"

namespace tw::device::cuda {
namespace {

using graph::DType;
using kernels::DotLayout;
using kernels::DotOperand;
using Dim = DotOperand::Dim;

std::optional<tw_cuda_type> type_of(DType dtype) {
  switch (dtype) {
  case DType::f64: return TW_CUDA_F64;
  case DType::f32: return TW_CUDA_F32;
  case DType::f16: return TW_CUDA_F16;
  case DType::bf16: return TW_CUDA_BF16;
  case DType::f8e4m3fn: return TW_CUDA_F8E4M3FN;
  case DType::f8e5m2: return TW_CUDA_F8E5M2;
  case DType::s8: return TW_CUDA_S8;
  case DType::s32: return TW_CUDA_S32;
  case DType::c64: return TW_CUDA_C64;
  case DType::c128: return TW_CUDA_C128;
  default: return std::nullopt;
  }
}

bool is_f8(tw_cuda_type type) { return type == TW_CUDA_F8E4M3FN || type == TW_CUDA_F8E5M2; }

// In which type the sums are made; null where the library has no such product.
std::optional<tw_cuda_compute> compute_of(tw_cuda_type a, tw_cuda_type b, tw_cuda_type c, bool tf32) {
  if (is_f8(a) && is_f8(b))
    return (a != TW_CUDA_F8E5M2 || b != TW_CUDA_F8E5M2) &&
                   (c == TW_CUDA_F32 || c == TW_CUDA_F16 || c == TW_CUDA_BF16)
               ? std::optional(TW_CUDA_IN_F32)
               : std::nullopt;
  if (a != b)
    return std::nullopt;
  switch (a) {
  case TW_CUDA_F64:
  case TW_CUDA_C128: return c == a ? std::optional(TW_CUDA_IN_F64) : std::nullopt;
  case TW_CUDA_F32: return c == a ? std::optional(tf32 ? TW_CUDA_IN_TF32 : TW_CUDA_IN_F32) : std::nullopt;
  case TW_CUDA_C64: return c == a ? std::optional(TW_CUDA_IN_F32) : std::nullopt;
  case TW_CUDA_F16:
  case TW_CUDA_BF16: return c == a || c == TW_CUDA_F32 ? std::optional(TW_CUDA_IN_F32) : std::nullopt;
  case TW_CUDA_S8: return c == TW_CUDA_S32 ? std::optional(TW_CUDA_IN_S32) : std::nullopt;
  default: return std::nullopt;
  }
}

// Steps between rows and between columns; where there is one of either, its step says nothing.

std::optional<tw_cuda_matrix> matrix(tw_cuda_type type, Dim rows, Dim columns) {
  if (rows.extent == 1)
    rows.stride = columns.stride == 1 ? columns.extent : 1;
  if (columns.extent == 1)
    columns.stride = rows.stride == 1 ? rows.extent : 1;
  if (columns.stride == 1 && rows.stride >= columns.extent)
    return tw_cuda_matrix{type, 1, rows.extent, columns.extent, rows.stride, 0};
  if (rows.stride == 1 && columns.stride >= rows.extent)
    return tw_cuda_matrix{type, 0, rows.extent, columns.extent, columns.stride, 0};
  return std::nullopt;
}

// Dimensions of two operands that are walked together, cut where either is.
std::vector<ProductForm::Loop> joined(std::span<const Dim> a, std::span<const Dim> b, int64_t c_stride) {
  std::vector<ProductForm::Loop> loops;
  std::vector<Dim> left(a.begin(), a.end()), right(b.begin(), b.end());
  while (!left.empty() && !right.empty()) {
    Dim &l = left.back(), &r = right.back();
    const int64_t count = std::min(l.extent, r.extent);
    loops.push_back({count, l.stride, r.stride, c_stride});
    c_stride *= count;
    for (auto [dims, dim] : {std::pair{&left, &l}, {&right, &r}}) {
      dim->extent /= count;
      dim->stride *= count;
      if (dim->extent == 1)
        dims->pop_back();
    }
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

Dim only(std::span<const Dim> dims) { return dims.empty() ? Dim{1, 1} : dims[0]; }

// Steps in the result of the dimensions that it keeps of an operand, which lie one inside the other.
std::vector<int64_t> steps(std::span<const Dim> dims, int64_t step) {
  std::vector<int64_t> all(dims.size());
  for (size_t d = dims.size(); d-- > 0; step *= dims[d].extent)
    all[d] = step;
  return all;
}

struct Choice {
  tw_cuda_matrix a, b, c;
  std::vector<ProductForm::Loop> loops;
};

// The largest dimension of the left operand for rows, and the innermost of the right one for columns, since
// the result has those contiguous.
std::optional<Choice> choose(const DotLayout &dot, tw_cuda_type a, tw_cuda_type b, tw_cuda_type c) {
  const auto left = dot.lhs.free_dims(), right = dot.rhs.free_dims();
  const Dim k_left = only(dot.lhs.k_dims()), k_right = only(dot.rhs.k_dims());
  const Dim columns = right.empty() ? Dim{1, 1} : right.back();
  const std::vector<int64_t> down = steps(left, dot.n), across = steps(right, 1);
  const auto second = matrix(b, k_right, columns);
  std::optional<Choice> best;
  for (size_t d = 0; d < std::max<size_t>(left.size(), 1) && second; ++d) {
    const Dim rows = left.empty() ? Dim{1, 1} : left[d];
    const auto first = matrix(a, rows, k_left);
    if (!first || (best && best->a.rows >= rows.extent))
      continue;
    best = Choice{*first, *second, {c, 1, rows.extent, columns.extent, 0, 0}, {}};
    best->c.leading = left.empty() || rows.extent == 1 ? columns.extent : down[d];
    for (size_t other = 0; other < left.size(); ++other)
      if (other != d)
        best->loops.push_back({left[other].extent, left[other].stride, 0, down[other]});
    for (size_t other = 0; other + 1 < right.size(); ++other)
      best->loops.push_back({right[other].extent, 0, right[other].stride, across[other]});
  }
  return best;
}

// Factors of 8 bits: as the tensor cores of all architectures take them.
bool fits_tensor_cores(const tw_cuda_product_form &form) {
  if (form.a.type != TW_CUDA_S8 && !is_f8(form.a.type))
    return true;
  const int64_t unit = form.a.type == TW_CUDA_S8 ? 4 : 16;
  const auto whole = [&](int64_t n) { return n % unit == 0; };
  return form.a.by_rows && !form.b.by_rows && whole(form.a.columns) && whole(form.b.columns) &&
         whole(form.a.leading) && whole(form.b.leading) &&
         whole(form.c.leading * static_cast<int64_t>(byte_size(form.c.type)));
}

// How many elements lie behind each other in the innermost dimensions, where all others repeat them; 0: it is
// walked in another way.
int64_t repeated_elements(std::span<const int64_t> extent, std::span<const int64_t> strides) {
  int64_t elements = 1;
  bool repeats = false;
  for (size_t d = extent.size(); d-- > 0;) {
    if (extent[d] == 1)
      continue;
    repeats = repeats || strides[d] == 0;
    if (strides[d] != (repeats ? 0 : elements))
      return 0;
    elements *= repeats ? 1 : extent[d];
  }
  return elements;
}

// The one scalar operation of its operands that an op is; null: it is more.
std::optional<ops::ScalarOp> only_operation(const kernels::FusedNode &node) {
  if (node.def->scalar == nullptr)
    return std::nullopt;
  const ops::Expression made = node.def->scalar(node.op);
  const ops::ScalarNode &last = made.nodes()[made.result()];
  const bool is_all = std::ranges::all_of(
      last.args, [&](uint32_t a) { return made.nodes()[a].op == ops::ScalarOp::operand; });
  return is_all ? std::optional(last.op) : std::nullopt;
}

// What the group does with the product; null: nothing that the library does with the same bits.
std::optional<tw_cuda_after> after_product(const tw_cuda_product_form &form,
                                           const kernels::FusedRequest &group, uint32_t made) {
  if (group.nodes.size() != 1 || group.nodes[0].def == nullptr || group.outputs.size() != 1)
    return std::nullopt;
  const kernels::FusedNode &node = group.nodes[0];
  const kernels::FusedInput &product = group.inputs[made];
  int64_t elements = 1;
  for (const int64_t n : group.extent)
    elements *= n;
  if (repeated_elements(group.extent, product.strides) != elements)
    return std::nullopt;
  const auto operation = only_operation(node);
  if (operation == ops::ScalarOp::convert)
    // Factors of 8 bits have other kernels for each type of the result.
    return product.dtype == DType::f32 && (form.a.type == TW_CUDA_F16 || form.a.type == TW_CUDA_BF16) &&
                   type_of(node.dtype) == form.a.type
               ? std::optional(TW_CUDA_CONVERTED)
               : std::nullopt;
  if (operation != ops::ScalarOp::add || node.args.size() != 2 || group.inputs.size() != 2)
    return std::nullopt;
  // Complex numbers are multiplied by one first, and infinities would not stay as they are.
  const bool is_f32 = product.dtype == DType::f32;
  const kernels::FusedInput &added = group.inputs[1 - made];
  if ((!is_f32 && product.dtype != DType::f64) || added.dtype != product.dtype ||
      node.args[0] == node.args[1])
    return std::nullopt;
  const int64_t repeated = repeated_elements(group.extent, added.strides);
  if (repeated == elements)
    return TW_CUDA_PLUS_MATRIX;
  // A bias for factors of 8 bits has another type.
  return is_f32 && !is_f8(form.a.type) && repeated == form.c.columns ? std::optional(TW_CUDA_PLUS_BIAS)
                                                                     : std::nullopt;
}

} // namespace

size_t byte_size(tw_cuda_type type) {
  switch (type) {
  case TW_CUDA_C128: return 16;
  case TW_CUDA_F64:
  case TW_CUDA_C64: return 8;
  case TW_CUDA_F32:
  case TW_CUDA_S32: return 4;
  case TW_CUDA_F16:
  case TW_CUDA_BF16: return 2;
  default: return 1;
  }
}

bool asks_for_tf32(std::string_view algorithm) {
  const auto is_tf32 = [&](std::string_view key) {
    const size_t at = algorithm.find(key);
    const size_t value = at == algorithm.npos ? at : algorithm.find_first_not_of(" =", at + key.size());
    return value != algorithm.npos && algorithm.substr(value, 4) == "tf32";
  };
  return is_tf32("lhs_precision_type") && is_tf32("rhs_precision_type");
}

int64_t ProductForm::calls() const {
  int64_t n = 1;
  for (const Loop &loop : loops)
    n *= loop.count;
  return n;
}

uint32_t ProductForm::alignment() const {
  uint32_t all = 16;
  const auto see = [&](int64_t stride, tw_cuda_type type) {
    while (static_cast<uint64_t>(stride) * byte_size(type) % all != 0)
      all /= 2;
  };
  for (const tw_cuda_matrix *m : {&form.a, &form.b, &form.c})
    see(m->batch_stride, m->type);
  for (const Loop &loop : loops) {
    see(loop.a, form.a.type);
    see(loop.b, form.b.type);
    see(loop.c, form.c.type);
  }
  return all;
}

std::optional<ProductForm> product_form(const kernels::Request &request) {
  const auto a = type_of(request.operands[0].dtype), b = type_of(request.operands[1].dtype),
             c = type_of(request.results[0].dtype);
  if (!a || !b || !c)
    return std::nullopt;
  const auto compute = compute_of(
      *a, *b, *c, request.tf32 || asks_for_tf32(request.op.string(ops::slot::dot_general::algorithm)));
  const DotLayout dot(request);
  if (!compute || dot.batch == 0 || dot.m == 0 || dot.n == 0 || dot.k == 0 || dot.lhs.k_dims().size() > 1 ||
      dot.rhs.k_dims().size() > 1)
    return std::nullopt;
  auto choice = choose(dot, *a, *b, *c);
  if (!choice)
    return std::nullopt;
  ProductForm product{{choice->a, choice->b, choice->c, 1, *compute},
                      joined(dot.lhs.batch_dims(), dot.rhs.batch_dims(), dot.m * dot.n)};
  product.loops.insert(product.loops.end(), choice->loops.begin(), choice->loops.end());
  // The longest loop is the library's, which runs its products at once.
  const auto longest = std::ranges::max_element(product.loops, {}, &ProductForm::Loop::count);
  if (longest != product.loops.end() && longest->count <= std::numeric_limits<int32_t>::max()) {
    product.form.batch = longest->count;
    product.form.a.batch_stride = longest->a;
    product.form.b.batch_stride = longest->b;
    product.form.c.batch_stride = longest->c;
    product.loops.erase(longest);
  }
  return fits_tensor_cores(product.form) ? std::optional(std::move(product)) : std::nullopt;
}

std::optional<ProductForm> product_form(const kernels::Request &request, const kernels::FusedRequest &group,
                                        uint32_t made) {
  auto product = product_form(request);
  const auto after = product ? after_product(product->form, group, made) : std::nullopt;
  if (!after)
    return std::nullopt;
  product->form.after = *after;
  if (*after == TW_CUDA_CONVERTED)
    product->form.c.type = product->form.a.type;
  return product;
}

} // namespace tw::device::cuda
