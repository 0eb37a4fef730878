// SPDX-License-Identifier: Apache-2.0
// Reads integers back from what makes them, op by op, as functions of one index. Choices that comparisons
// decide the same way everywhere are followed: programs make negative indices count from the end, and keep
// indices in bounds.
#include "ops/index_pattern.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using graph::OpId;
using graph::ValueId;
using Pattern = std::optional<IndexPattern>;

struct Range {
  int64_t low, high;
};

// `base + step * count`; nothing where that is out of bounds.
std::optional<int64_t> plus(int64_t base, int64_t step, int64_t count) {
  int64_t product = 0, sum = 0;
  if (__builtin_mul_overflow(step, count, &product) || __builtin_add_overflow(base, product, &sum))
    return std::nullopt;
  return sum;
}

class PatternReader {
public:
  explicit PatternReader(const graph::Graph &graph) : graph_(graph) {}

  Pattern read(ValueId v, IndexComponent at) {
    if (++visited_ > kMostVisits || !graph::is_int(graph_.type(v).dtype))
      return std::nullopt;
    if (at.dim >= static_cast<int>(dims(v).size())) // the implied dimension of vectors of one number
      at = {};
    const OpId op = graph_.value(v).def;
    Pattern found = op == graph::kNone ? std::nullopt : made_by(op, v, at);
    if (found && found->dim >= 0 && (found->step == 0 || dims(v)[static_cast<size_t>(found->dim)] == 1))
      *found = {found->offset, 0, -1};
    return found && fits(v, *found) ? found : std::nullopt;
  }

private:
  static constexpr int kMostVisits = 200; // of values; programs use about ten

  const graph::Shape &dims(ValueId v) const { return graph_.type(v).dims; }
  // An operand of rank 0 stands for every index.
  IndexComponent of(ValueId v, IndexComponent at) const { return dims(v).empty() ? IndexComponent{} : at; }

  std::optional<Range> range(const graph::Shape &shape, const IndexPattern &p) const {
    const int64_t last = p.dim < 0 ? 0 : std::max<int64_t>(shape[static_cast<size_t>(p.dim)] - 1, 0);
    const auto end = plus(p.offset, p.step, last);
    return end ? std::optional(Range{std::min(p.offset, *end), std::max(p.offset, *end)}) : std::nullopt;
  }
  bool fits(ValueId v, const IndexPattern &p) const {
    const auto r = range(dims(v), p);
    return r && visit_dtype(graph_.type(v).dtype, [&]<class E>(E) {
             if constexpr (is_int_value<typename E::Value>) {
               for (const int64_t n : {r->low, r->high})
                 if (!std::in_range<typename E::Value>(n) ||
                     static_cast<int64_t>(E::load(E::store(static_cast<typename E::Value>(n)))) != n)
                   return false;
               return true;
             } else {
               return false;
             }
           });
  }

  Pattern made_by(OpId op, ValueId v, IndexComponent at) {
    const OpViewHolder holder(graph_, op);
    const OpView &view = holder.view();
    const std::string_view name = op_def(graph_.op(op).code).name;
    const auto operands = graph_.operands(op);
    switch (op_def(graph_.op(op).code).kind) {
    case OpKind::constant: return literal(v, at);
    case OpKind::iota: {
      const auto dim = static_cast<int>(view.integer(slot::iota::iota_dimension));
      return dim == at.dim ? IndexPattern{at.at, 0, -1} : IndexPattern{0, 1, dim};
    }
    case OpKind::broadcast: return moved(operands[0], broadcast_from(view), at, view);
    case OpKind::reshape: {
      const auto from = reshaped_from(view);
      return from ? moved(operands[0], *from, at, view) : std::nullopt;
    }
    case OpKind::slice: return sliced(operands[0], view, at);
    case OpKind::concatenate: return joined(op, view, at);
    default: break;
    }
    if (name == "stablehlo.convert")
      return read(operands[0], at);
    if (name == "stablehlo.select") {
      const auto chosen = decide(operands[0], of(operands[0], at));
      return chosen ? read(operands[*chosen ? 1 : 2], at) : std::nullopt;
    }
    if (name == "stablehlo.clamp") {
      const Pattern low = read(operands[0], of(operands[0], at)),
                    high = read(operands[2], of(operands[2], at));
      const Pattern raised = lower_of(low, read(operands[1], at), dims(v), true);
      return lower_of(high, raised, dims(v), false);
    }
    if (operands.size() != 2)
      return std::nullopt;
    const Pattern a = read(operands[0], at), b = a ? read(operands[1], at) : std::nullopt;
    if (!b)
      return std::nullopt;
    if (name == "stablehlo.add")
      return sum(*a, *b, 1);
    if (name == "stablehlo.subtract")
      return sum(*a, *b, -1);
    if (name == "stablehlo.multiply")
      return a->dim < 0 ? scaled(*b, a->offset) : b->dim < 0 ? scaled(*a, b->offset) : std::nullopt;
    if (name == "stablehlo.maximum" || name == "stablehlo.minimum")
      return lower_of(a, b, dims(v), name == "stablehlo.maximum");
    if (name == "stablehlo.remainder") { // of what is smaller already
      const auto r = range(dims(v), *a);
      return b->dim < 0 && r && r->low >= 0 && r->high < b->offset ? a : std::nullopt;
    }
    return std::nullopt;
  }

  // --- arithmetic ---
  static Pattern scaled(const IndexPattern &p, int64_t by) {
    const auto offset = plus(0, p.offset, by), step = plus(0, p.step, by);
    return offset && step ? Pattern({*offset, *step, p.dim}) : std::nullopt;
  }
  static Pattern sum(const IndexPattern &a, const IndexPattern &b, int64_t sign) {
    if (a.dim >= 0 && b.dim >= 0 && a.dim != b.dim)
      return std::nullopt;
    const auto offset = plus(a.offset, b.offset, sign), step = plus(a.step, b.step, sign);
    return offset && step ? Pattern({*offset, *step, std::max(a.dim, b.dim)}) : std::nullopt;
  }
  // The lower or higher of two, where that is the same one everywhere.
  Pattern lower_of(const Pattern &a, const Pattern &b, const graph::Shape &shape, bool higher) const {
    if (!a || !b)
      return std::nullopt;
    if (is_less(*a, *b, shape, true) == true)
      return higher ? b : a;
    return is_less(*b, *a, shape, true) == true ? (higher ? a : b) : std::nullopt;
  }
  // Whether a < b everywhere, or a <= b; nothing where that differs.
  std::optional<bool> is_less(const IndexPattern &a, const IndexPattern &b, const graph::Shape &shape,
                              bool or_equal) const {
    const Pattern difference = sum(a, b, -1);
    const auto r = difference ? range(shape, *difference) : std::nullopt;
    const int64_t bound = or_equal ? 0 : -1;
    if (!r || (r->low <= bound && r->high > bound))
      return std::nullopt;
    return r->high <= bound;
  }

  // --- choices ---
  std::optional<bool> decide(ValueId v, IndexComponent at) {
    const OpId op = graph_.value(v).def;
    if (++visited_ > kMostVisits || op == graph::kNone)
      return std::nullopt;
    const OpViewHolder holder(graph_, op);
    const std::string_view name = op_def(graph_.op(op).code).name;
    const auto operands = graph_.operands(op);
    if (const graph::Constant *known = literal_of(graph_, op))
      return known->splat && graph_.type(v).dtype == DType::i1
                 ? std::optional((*known->bytes)[0] != std::byte{0})
                 : std::nullopt;
    if (op_def(graph_.op(op).code).kind == OpKind::broadcast)
      return decide(operands[0], through(operands[0], broadcast_from(holder.view()), at));
    if (name == "stablehlo.not") {
      const auto a = decide(operands[0], at);
      return a ? std::optional(!*a) : std::nullopt;
    }
    if (name == "stablehlo.and" || name == "stablehlo.or") {
      const auto a = decide(operands[0], at), b = decide(operands[1], at);
      const bool strong = name == "stablehlo.or"; // decides alone
      if ((a && *a == strong) || (b && *b == strong))
        return strong;
      return a && b ? std::optional(!strong) : std::nullopt;
    }
    return op_def(graph_.op(op).code).kind == OpKind::compare ? compared(operands, holder.view(), at)
                                                              : std::nullopt;
  }
  std::optional<bool> compared(std::span<const ValueId> operands, const OpView &view, IndexComponent at) {
    const Pattern a = read(operands[0], at), b = a ? read(operands[1], at) : std::nullopt;
    if (!b)
      return std::nullopt;
    const graph::Shape &shape = dims(operands[0]);
    const std::string_view direction = view.string(slot::compare::comparison_direction);
    const auto negated = [](std::optional<bool> x) { return x ? std::optional(!*x) : std::nullopt; };
    if (direction == "LT" || direction == "LE")
      return is_less(*a, *b, shape, direction == "LE");
    if (direction == "GT" || direction == "GE")
      return negated(is_less(*a, *b, shape, direction == "GT"));
    const auto below = is_less(*a, *b, shape, false), above = is_less(*b, *a, shape, false);
    const bool equal = *a == *b;
    if (!equal && (!below || !above || (!*below && !*above)))
      return std::nullopt;
    return equal == (direction == "EQ");
  }

  // --- other shapes ---
  // Per dimension of a result the operand's dimension that it is; -1 for one that only the result has.
  using From = std::vector<int>;
  static From broadcast_from(const OpView &view) {
    From from(view.results[0]->rank(), -1);
    const auto to = view.ints(slot::broadcast_in_dim::broadcast_dimensions);
    for (size_t k = 0; k < to.size(); ++k)
      from[static_cast<size_t>(to[k])] = static_cast<int>(k);
    return from;
  }
  // Where only dimensions of size 1 come and go.
  static std::optional<From> reshaped_from(const OpView &view) {
    const graph::Shape &before = view.operands[0]->dims, &after = view.results[0]->dims;
    From from(after.size(), -1);
    size_t k = 0;
    for (size_t d = 0; d < after.size(); ++d) {
      if (after[d] == 1)
        continue;
      while (k < before.size() && before[k] == 1)
        ++k;
      if (k == before.size() || before[k] != after[d])
        return std::nullopt;
      from[d] = static_cast<int>(k++);
    }
    return std::all_of(before.begin() + static_cast<ptrdiff_t>(k), before.end(),
                       [](int64_t n) { return n == 1; })
               ? std::optional(from)
               : std::nullopt;
  }
  IndexComponent through(ValueId operand, const From &from, IndexComponent at) const {
    if (at.dim < 0 || from[static_cast<size_t>(at.dim)] < 0)
      return {};
    const int dim = from[static_cast<size_t>(at.dim)];
    return {dim, dims(operand)[static_cast<size_t>(dim)] == 1 ? 0 : at.at};
  }
  Pattern moved(ValueId operand, const From &from, IndexComponent at, const OpView &view) {
    Pattern found = read(operand, through(operand, from, at));
    if (!found || found->dim < 0)
      return found;
    const auto to = std::ranges::find(from, found->dim);
    if (to == from.end() || view.results[0]->dims[static_cast<size_t>(to - from.begin())] !=
                                dims(operand)[static_cast<size_t>(found->dim)])
      return std::nullopt;
    found->dim = static_cast<int>(to - from.begin());
    return found;
  }
  Pattern sliced(ValueId operand, const OpView &view, IndexComponent at) {
    const auto start = view.ints(slot::slice::start_indices), stride = view.ints(slot::slice::strides);
    if (at.dim >= 0)
      at.at = start[static_cast<size_t>(at.dim)] + at.at * stride[static_cast<size_t>(at.dim)];
    Pattern found = read(operand, at);
    if (!found || found->dim < 0)
      return found;
    const auto d = static_cast<size_t>(found->dim);
    const auto offset = plus(found->offset, found->step, start[d]), step = plus(0, found->step, stride[d]);
    return offset && step ? Pattern({*offset, *step, found->dim}) : std::nullopt;
  }
  // The operand that holds the component, where they are joined along its dimension.
  Pattern joined(OpId op, const OpView &view, IndexComponent at) {
    if (view.integer(slot::concatenate::dimension) != at.dim)
      return std::nullopt;
    for (const ValueId v : graph_.operands(op)) {
      const int64_t size = dims(v)[static_cast<size_t>(at.dim)];
      if (at.at < size)
        return read(v, at);
      at.at -= size;
    }
    return std::nullopt;
  }
  // --- literals ---
  Pattern literal(ValueId v, IndexComponent at) const {
    const graph::Constant &known = *literal_of_value(graph_, v);
    int64_t first = 0, stride = 0, count = 1, inner = 1; // along the one dimension in which it may differ
    int along = -1;
    for (size_t d = dims(v).size(); d-- > 0; inner *= dims(v)[d]) {
      if (static_cast<int>(d) == at.dim) {
        first += at.at * inner;
      } else if (dims(v)[d] != 1) {
        if (!known.splat && (along >= 0 || dims(v)[d] == 0 || dims(v)[d] > kMostElements))
          return std::nullopt;
        along = static_cast<int>(d), stride = inner, count = dims(v)[d];
      }
    }
    const auto begin = element(v, known, first);
    if (!begin || known.splat || count == 1)
      return begin ? Pattern({*begin, 0, -1}) : std::nullopt;
    const auto second = element(v, known, first + stride);
    const auto step = second ? plus(*second, *begin, -1) : std::nullopt;
    for (int64_t i = 2; step && i < count; ++i)
      if (element(v, known, first + i * stride) != plus(*begin, *step, i))
        return std::nullopt;
    return step ? Pattern({*begin, *step, along}) : std::nullopt;
  }
  static constexpr int64_t kMostElements = 1 << 16;

  std::optional<int64_t> element(ValueId v, const graph::Constant &known, int64_t i) const {
    return visit_dtype(graph_.type(v).dtype, [&]<class E>(E) -> std::optional<int64_t> {
      if constexpr (is_int_value<typename E::Value>) {
        const auto *all = reinterpret_cast<const typename E::Storage *>(known.bytes->data());
        const auto value = E::load(all[known.splat ? 0 : i]);
        if (std::in_range<int64_t>(value))
          return static_cast<int64_t>(value);
      }
      return std::nullopt;
    });
  }

  const graph::Graph &graph_;
  int visited_ = 0;
};

} // namespace

std::optional<IndexPattern> index_pattern(const graph::Graph &graph, graph::ValueId v,
                                          IndexComponent component) {
  return PatternReader(graph).read(v, component);
}

} // namespace tw::ops
