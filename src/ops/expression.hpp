// SPDX-License-Identifier: Apache-2.0
// What an elementwise op computes, as an expression over scalar operations with exact meanings: device source
// is made from it, and what the host runs is checked against it.
//
// Arithmetic is done in i1, integers, f32, f64, c64 and c128. Narrower floats are converted to f32 and the
// result back, so that they round once: ScalarBuilder::wide and ScalarBuilder::result do both.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

enum class ScalarOp : uint8_t {
#define TW_SCALAR_OP(name, arguments) name,
#include "ops/scalar_op_list.inc"
#undef TW_SCALAR_OP
};
const char *name(ScalarOp op);
size_t num_arguments(ScalarOp op);

// A function that is no exact scalar operation. On the host it is what the block of `op` computes at f32,
// f64, c64 or c128. A device has a function of its own within a bound.
struct ScalarFunction {
  const char *op;
  // The C function of f64; that of f32 has an `f` behind its name. Null: devices have none.
  const char *real = nullptr;
  // How far the device's function may be from the exact value, in units in the last place.
  double f32_bound = 0, f64_bound = 0;
  // C++ for complex numbers: an expression of `a` (and `b`), of their type C and the type T of their parts,
  // with the functions of the prelude of generated source. Null: devices have none.
  const char *complex = nullptr;
  // In source: what tells this function from others of its op, and declarations that it needs.
  const char *variant = "";
  const char *helpers = nullptr;
};

struct ScalarNode {
  ScalarOp op;
  graph::DType dtype;           // of its value
  std::vector<uint32_t> args{}; // earlier nodes
  uint32_t operand = 0;
  double literal = 0;
  const ScalarFunction *function = nullptr;
};

class Expression {
public:
  Expression(std::vector<ScalarNode> nodes, std::vector<graph::DType> operands, uint32_t result)
      : nodes_(std::move(nodes)), operands_(std::move(operands)), result_(result) {}
  const std::vector<ScalarNode> &nodes() const { return nodes_; }
  std::span<const graph::DType> operands() const { return operands_; }
  uint32_t result() const { return result_; } // a node
  graph::DType dtype() const { return nodes_[result_].dtype; }

private:
  std::vector<ScalarNode> nodes_;
  std::vector<graph::DType> operands_;
  uint32_t result_;
};

// f32 for narrower floats, any other type itself.
graph::DType wide_type(graph::DType dtype);
// Of the parts of a complex number; any other type itself.
graph::DType part_type(graph::DType dtype);

class ScalarBuilder;

// A node of the expression that a builder makes. The builder outlives it.
class Scalar {
public:
  Scalar(ScalarBuilder &builder, uint32_t node) : builder_(&builder), node_(node) {}
  ScalarBuilder &builder() const { return *builder_; }
  uint32_t node() const { return node_; }
  graph::DType dtype() const;
  bool is_complex() const { return graph::is_complex(dtype()); }

private:
  ScalarBuilder *builder_;
  uint32_t node_;
};

class ScalarBuilder {
public:
  explicit ScalarBuilder(const OpView &op); // operands and result of the op's types
  ScalarBuilder(std::vector<graph::DType> operands, graph::DType result)
      : operands_(std::move(operands)), result_(result) {}

  Scalar operand(uint32_t i);
  Scalar wide(uint32_t i); // as wide_type
  Scalar literal(graph::DType dtype, double value);
  Scalar make(ScalarOp op, graph::DType dtype, std::initializer_list<Scalar> args);
  Scalar call(const ScalarFunction &function, graph::DType dtype, std::initializer_list<Scalar> args);
  graph::DType dtype(uint32_t node) const { return nodes_[node].dtype; }

  Expression result(Scalar value) &&; // converted to the type of the result

private:
  Scalar add(ScalarNode node);

  std::vector<ScalarNode> nodes_;
  std::vector<graph::DType> operands_;
  graph::DType result_;
};

// Both operands have one type, which is the result's.
Scalar operator+(Scalar a, Scalar b);
Scalar operator-(Scalar a, Scalar b);
Scalar operator*(Scalar a, Scalar b);
Scalar operator/(Scalar a, Scalar b);
Scalar operator-(Scalar a);
Scalar operator&(Scalar a, Scalar b);
Scalar operator|(Scalar a, Scalar b);
Scalar operator^(Scalar a, Scalar b);
Scalar equal(Scalar a, Scalar b);
Scalar less(Scalar a, Scalar b);
Scalar select(Scalar condition, Scalar a, Scalar b);
Scalar maximum(Scalar a, Scalar b); // of complex numbers by their real, then their imaginary parts
Scalar minimum(Scalar a, Scalar b);
Scalar convert(Scalar a, graph::DType dtype);
Scalar recast(Scalar a, graph::DType dtype);
Scalar like(Scalar a, double value); // a literal of a's type
Scalar real(Scalar a);
Scalar imag(Scalar a);
Scalar complex(Scalar real, Scalar imag);
Scalar one_of(ScalarOp op, Scalar a); // an operation whose value has the type of its argument

// The expressions that most ops are: one operation or function of all operands, widened, and rounded once.
using ScalarFn = Expression (*)(const OpView &);
template <ScalarOp op> Expression unary_scalar(const OpView &view) {
  ScalarBuilder b(view);
  return std::move(b).result(one_of(op, b.wide(0)));
}
template <ScalarOp op> Expression binary_scalar(const OpView &view) {
  ScalarBuilder b(view);
  const Scalar x = b.wide(0), y = b.wide(1);
  return std::move(b).result(b.make(op, x.dtype(), {x, y}));
}
template <const ScalarFunction &function> Expression called_scalar(const OpView &view) {
  ScalarBuilder b(view);
  const Scalar x = b.wide(0);
  const graph::DType dtype = wide_type(view.results[0]->dtype);
  return std::move(b).result(view.operands.size() == 1 ? b.call(function, dtype, {x})
                                                       : b.call(function, dtype, {x, b.wide(1)}));
}

// The ops of a family with their expressions, by name.
std::vector<OpDef> with_scalars(OpFamily family,
                                std::initializer_list<std::pair<const char *, ScalarFn>> scalars);

} // namespace tw::ops
