// SPDX-License-Identifier: Apache-2.0
// The index of each element along a dimension.
#include "kernels/ref/references.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::iota_reference {
namespace {

Status reference(const KernelArgs &args) {
  const Buffer &out = args.results[0];
  const auto dim = static_cast<size_t>(args.op.integer(slot::iota::iota_dimension));
  visit_dtype(out.dtype, [&]<class E>(E) {
    if constexpr (kNumbers.has(E::dtype)) {
      using V = typename E::Value;
      auto *y = static_cast<typename E::Storage *>(out.data);
      for (Walk w(out.extent); w.more(); w.next()) {
        const int64_t index = out.offset[dim] + w[dim];
        if constexpr (is_complex_value<V>)
          *y++ = E::store(V(static_cast<typename V::value_type>(index)));
        else
          *y++ = E::store(static_cast<V>(index));
      }
    }
  });
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.iota", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::iota_reference
