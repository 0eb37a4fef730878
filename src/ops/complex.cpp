// SPDX-License-Identifier: Apache-2.0
// Complex numbers made of two floats and taken apart again.
#include "ops/elementwise.hpp"
#include "ops/linear.hpp"

namespace tw::ops::complex_ops {

OpFamily family() {
  static const OpDef defs[] = {
      linear::with(binary<TypeSet{DType::f32, DType::f64}, complex_of>(
                       "stablehlo.complex", "Complex numbers from real and imaginary parts. Spec: complex."),
                   linear::sums<0b11>),
      linear::with(
          unary<kFloats | kComplex, part_of_complex>("stablehlo.imag", "Imaginary part. Spec: imag."),
          linear::sums<0b1>),
      linear::with(unary<kFloats | kComplex, part_of_complex>("stablehlo.real", "Real part. Spec: real."),
                   linear::sums<0b1>),
  };
  return defs;
}

} // namespace tw::ops::complex_ops
