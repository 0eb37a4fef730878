// SPDX-License-Identifier: Apache-2.0
// fft: discrete Fourier transforms of the last one to three dimensions, of complex numbers either way, from
// and to real numbers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"
#include "ops/strided.hpp"

namespace tw::ops::fourier_ops {
namespace {

using graph::DType;

bool is_kind(std::string_view kind) {
  return kind == "FFT" || kind == "IFFT" || kind == "RFFT" || kind == "IRFFT";
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &from = *op.operands[0];
  const std::string_view kind = op.string(slot::fft::fft_type);
  const auto lengths = op.ints(slot::fft::fft_length);
  if (!is_kind(kind))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("fft_type is `{}`, expected FFT, IFFT, RFFT or IRFFT", kind));
  const bool takes_real = kind == "RFFT";
  const bool known =
      takes_real ? from.dtype == DType::f32 || from.dtype == DType::f64 : graph::is_complex(from.dtype);
  if (!known)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} does not take operand 0, {}, of element type {}: expected {}", kind,
                            graph::to_short_text(from), graph::name(from.dtype),
                            takes_real ? "f32 or f64" : "complex numbers"));
  if (lengths.empty() || lengths.size() > 3 || lengths.size() > from.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("fft_length [{}] must name the last 1 to 3 dimensions of operand 0, {}",
                            fmt::join(lengths, ", "), graph::to_short_text(from)));
  graph::TensorType to = from;
  const size_t first = from.rank() - lengths.size();
  for (size_t i = 0; i < lengths.size(); ++i) {
    const bool halved = kind == "IRFFT" && i + 1 == lengths.size();
    if (lengths[i] < 0 || from.dims[first + i] != (halved ? lengths[i] / 2 + 1 : lengths[i]))
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("fft_length [{}] wants size {} of dimension {} of operand 0, {}",
                              fmt::join(lengths, ", "), halved ? lengths[i] / 2 + 1 : lengths[i], first + i,
                              graph::to_short_text(from)));
  }
  if (kind == "RFFT") {
    to.dtype = from.dtype == DType::f32 ? DType::c64 : DType::c128;
    to.dims.back() = lengths.back() / 2 + 1;
  } else if (kind == "IRFFT") {
    to.dtype = from.dtype == DType::c64 ? DType::f32 : DType::f64;
    to.dims.back() = lengths.back();
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t rank = op.operands[0]->rank(), first = rank - op.ints(slot::fft::fft_length).size();
  for (size_t d = 0; d < rank; ++d) {
    if (d < first) {
      const FactorId f = rule.pass(op.operands[0]->dims[d]);
      rule.in(0, d, f).out(0, d, f);
    } else {
      rule.whole_in(0, d, op.operands[0]->dims[d]).whole_out(0, d, op.results[0]->dims[d]);
    }
  }
  return rule.build();
}

Cost cost(const OpView &op) {
  const auto n = static_cast<double>(product(op.ints(slot::fft::fft_length)));
  const auto elements = static_cast<double>(std::max(op.operands[0]->elements(), op.results[0]->elements()));
  return {5 * elements * std::log2(std::max(n, 2.0)), static_cast<double>(op.operands[0]->bytes()),
          static_cast<double>(op.results[0]->bytes())};
}

OpDef fft() {
  OpDef def{"stablehlo.fft",
            "Discrete Fourier transform of the last dimensions, forward or inverse, complex or with a real "
            "end. Spec: fft.",
            1,
            1,
            1,
            {{"fft_type", AttrKind::string, true, "FFT, IFFT, RFFT (from real) or IRFFT (to real)",
              AttrDims::none, "type"},
             {"fft_length", AttrKind::ints, true,
              "the lengths of the last 1 to 3 dimensions, real ends in full", AttrDims::none, "length"}}};
  def.flags |= kBatches;
  def.kind = OpKind::fft;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([i,n])->([i,n]) n:whole";
  def.cost = cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {fft()};
  return defs;
}

} // namespace tw::ops::fourier_ops
