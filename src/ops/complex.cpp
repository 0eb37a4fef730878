// SPDX-License-Identifier: Apache-2.0
// Complex numbers made of two floats and taken apart again.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"
#include "ops/linear.hpp"

namespace tw::ops::complex_ops {
namespace {

Expression complex_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar real = b.operand(0), imag = b.operand(1);
  return std::move(b).result(complex(real, imag));
}

Expression real_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.operand(0);
  return std::move(b).result(x.is_complex() ? real(x) : x);
}

Expression imag_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0);
  return std::move(b).result(x.is_complex() ? imag(x) : like(x, 0));
}

} // namespace

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
  static const std::vector<OpDef> expressed = with_scalars(defs, {{"stablehlo.complex", complex_scalar},
                                                                  {"stablehlo.imag", imag_scalar},
                                                                  {"stablehlo.real", real_scalar}});
  return expressed;
}

} // namespace tw::ops::complex_ops
