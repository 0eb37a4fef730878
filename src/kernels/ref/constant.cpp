// SPDX-License-Identifier: Apache-2.0
// Literals: each device copies the part that it needs.
#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/literal.hpp"

namespace tw::kernels::ref::constant_reference {
namespace {

Status reference(const KernelArgs &args) {
  const graph::Constant &value = literal_of(args.op);
  const Buffer &out = args.results[0];
  const size_t size = graph::byte_size(out.dtype);
  if (value.splat) {
    fill(out.data, value.bytes->data(), out.elements(), size);
    return {};
  }
  const std::vector<int64_t> from = dense_strides(out.global);
  int64_t first = 0;
  for (size_t d = 0; d < from.size(); ++d)
    first += out.offset[d] * from[d];
  copy_strided(out.data, dense_strides(out.extent), value.bytes->data() + first * static_cast<int64_t>(size),
               from, out.extent, size);
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.constant", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::constant_reference
