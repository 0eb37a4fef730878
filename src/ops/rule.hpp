// SPDX-License-Identifier: Apache-2.0
// Factor rules: which dimensions of an op's operands and results are the same loop, and what splitting that
// loop means.
// `([i,k],[k,j])->([i,j]) k:sum` says that dot_general may be split over i, j or k, and that splitting k
// leaves partial sums.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "sharding/sharding.hpp"

namespace tw::ops {

enum class FactorKind : uint8_t {
  pass,   // in the result: splitting it tiles the result
  reduce, // in no result: splitting it leaves partial values of kind `reduction`
  whole,  // must not be split
};

struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::pass;
  sharding::Reduction reduction = sharding::Reduction::sum; // kind reduce only
  int64_t picked = -1; // reduction pick only: the one index that is read, where that is known
};

using FactorId = uint8_t;

// The factors of one dimension, major to minor: one normally, several where a reshape splits or merges; none
// = a size-1 or broadcast dimension that is always whole. The product of the factor sizes is the dimension's
// size (an indexed dimension of gather or scatter too).
using DimFactors = std::vector<FactorId>;

// Sets of factors, by factor.
inline void mark(const DimFactors &dim, std::vector<bool> &factors) {
  for (const FactorId f : dim)
    factors[f] = true;
}
inline void mark_all(const std::vector<DimFactors> &dims, std::vector<bool> &factors) {
  for (const DimFactors &dim : dims)
    mark(dim, factors);
}

// A dimension of an operand over which windows slide: which index is read follows from several factors, the
// place of the window and the place under it,
//   index * dilation = offset + sum of step * (index of the factor),
// where that is a whole number and lies in the dimension. So tiles of these factors need tiles of the operand
// that overlap: the tile and its halo. One factor stands in Rule::operands, the one through which the
// dimension and the result are tiled alike; its size is that of the result, not of the dimension.
struct Window {
  struct Term {
    FactorId factor;
    int64_t step; // may be negative
  };
  uint32_t operand = 0, dim = 0;
  int64_t size = 0; // of the dimension
  std::vector<Term> terms;
  int64_t offset = 0, dilation = 1;
  // Where select_and_scatter finds windows in this way, of those it reads everything: window i begins at i *
  // stride + begin.
  struct Reach {
    int64_t windows = 0; // how many there are; 0: no such step
    int64_t stride = 1, begin = 0, span = 1;
  };
  Reach reach = {};
  // Whether the operand is tiled for the sake of the result: not where most of that is other elements.
  bool asks = true;
  // Whether the op needs this part alone, since it goes through several operands together; else a tile that
  // holds it does.
  bool exact = false;
};

// Over a dimension of `size` elements of what is written to elements offset + step * i of a dimension of
// `array` elements, which factor f runs through.
Window written_window(size_t operand, size_t dim, int64_t size, FactorId f, int64_t array, int64_t offset,
                      int64_t step = 1);

struct Rule {
  std::vector<Factor> factors;                   // at most 250
  std::vector<std::vector<DimFactors>> operands; // [operand][dimension]
  std::vector<std::vector<DimFactors>> results;  // [result][dimension]
  std::vector<Window> windows;                   // the operand dimensions over which windows slide
  // Operands that must enter a split reduction once (reduce's init, scatter's input): where a reduce factor
  // is split, only the device at coordinate 0 of those axes uses them, the others use the identity of the
  // reduction. Kernels call that `use_init`.
  uint64_t init_operands = 0;

  std::string text() const; // "([i,k],[k,j])->([i,j]) k:sum"; a dimension under a window is "i+k", or "i'"
  // The window over a dimension; null where none slides.
  const Window *window(size_t operand, size_t dim) const;
  // What a device needs of a dimension under a window when it runs `parts` of the factors (one interval
  // each); empty: [0, 0).
  sharding::Interval needed(const Window &window, std::span<const sharding::Interval> parts) const;
};

// Helper with which op files write their rules.
class RuleBuilder {
public:
  RuleBuilder(size_t num_operands, size_t num_results);
  // Takes the ranks from the types of an op's operands and results.
  explicit RuleBuilder(const struct OpView &op);
  // A new factor; then say where it occurs. Sizes of occurrences must agree.
  FactorId pass(int64_t size);
  FactorId reduce(int64_t size, sharding::Reduction kind);
  FactorId pick(int64_t size, int64_t picked = -1);
  FactorId whole(int64_t size);
  RuleBuilder &in(size_t operand, size_t dim, FactorId f); // appends as next minor factor of that dimension
  RuleBuilder &out(size_t result, size_t dim, FactorId f);
  RuleBuilder &init_operand(size_t operand);
  // A dimension of an operand under a window; `through` is the term by which it is tiled with the result.
  RuleBuilder &slide(Window window, size_t through);
  // Dimensions that stay whole; those of one size share a factor, and have none once 200 factors exist.
  RuleBuilder &whole_in(size_t operand, size_t dim, int64_t size);
  RuleBuilder &whole_out(size_t result, size_t dim, int64_t size);
  // Sets the number of dimensions of each operand and result before the first in/out.
  RuleBuilder &operand_rank(size_t operand, size_t rank);
  RuleBuilder &result_rank(size_t result, size_t rank);
  Rule build();

private:
  FactorId add(Factor factor);
  void append_whole(DimFactors &dim, int64_t size);
  Rule rule_;
  std::vector<FactorId> shared_wholes_;
};

} // namespace tw::ops
