// SPDX-License-Identifier: Apache-2.0
// Mappings of tiles and sums to a rule.
#include "import/mappings.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"

namespace tw::import {

using graph::ValueId;

namespace {

constexpr size_t kMaxFactors = 100;

// i, j, .., z, z_1, z_2, ..
std::string factor_name(size_t f) {
  constexpr size_t kLetters = 'z' - 'i' + 1;
  return f < kLetters ? std::string(1, static_cast<char>('i' + f)) : fmt::format("z_{}", f - kLetters + 1);
}

class MappingReader {
public:
  MappingReader(Reader &r, const OpText &op) : r_(r) {
    for (const ValueId v : op.operands)
      operands_.push_back({r.c.type_of(v).dims, names_of(r.c.type_of(v).rank())});
    for (const graph::TypeId type : op.result_types) {
      const graph::Shape &dims = r.c.builder.graph().type_at(type).dims;
      results_.push_back({dims, names_of(dims.size())});
    }
  }

  // [{1 -> (none, 1), 0 -> (0, none)}, ..], one for each result
  bool read_tiles() {
    const char *at = r_.s.here();
    size_t result = 0;
    if (!r_.s.expect('[', "before the mappings of tiles"))
      return false;
    for (; r_.s.accept('{'); ++result, r_.s.accept(',')) {
      if (result == results_.size())
        return wrong(at, fmt::format("tile_mappings of more than the {} results", results_.size()));
      while (r_.s.peek() != '}') {
        std::string factor;
        if (!read_dim(results_[result], factor, fmt::format("result {}", result)) ||
            !r_.s.expect("->", "after a dimension of the result") || !read_operands(factor))
          return false;
        if (!r_.s.accept(','))
          break;
      }
      if (!r_.s.expect('}', "after the mappings of a result"))
        return false;
    }
    return r_.s.expect(']', "after the mappings of tiles");
  }

  // [(1, 0), ..]
  bool read_sums() {
    if (!r_.s.expect('[', "before the mappings of sums"))
      return false;
    while (r_.s.peek() == '(') {
      std::string factor = fresh();
      summed_.push_back(factor);
      if (!read_operands(factor))
        return false;
      if (!r_.s.accept(','))
        break;
    }
    return r_.s.expect(']', "after the mappings of sums");
  }

  std::string rule() const {
    std::vector<std::string> sizes;
    for (size_t f = 0; f < sizes_.size(); ++f)
      sizes.push_back(fmt::format("{}={}", factor_name(f), sizes_[f].value_or(1)));
    std::string text = fmt::format("({})->({}) {{{}}}", values_text(operands_), values_text(results_),
                                   fmt::join(sizes, ", "));
    if (!summed_.empty())
      text += fmt::format(" reduction={{{}}}", fmt::join(summed_, ", "));
    return text + ", custom";
  }

private:
  struct Value {
    graph::Shape dims;
    std::vector<std::string> factors; // by dimension; "*": whole
  };

  static std::vector<std::string> names_of(size_t rank) { return std::vector<std::string>(rank, "*"); }
  static std::string values_text(const std::vector<Value> &values) {
    std::vector<std::string> texts;
    for (const Value &value : values)
      texts.push_back(fmt::format("[{}]", fmt::join(value.factors, ", ")));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  bool wrong(const char *at, std::string message) { return r_.s.fail("TW-230", at, std::move(message)); }

  std::string fresh() {
    sizes_.emplace_back();
    return factor_name(sizes_.size() - 1);
  }

  // A dimension that is the factor's, or a new one's where it is the result's.
  bool read_dim(Value &value, std::string &factor, const std::string &what) {
    const char *at = r_.s.here();
    int64_t dim = 0;
    if (!r_.s.integer(dim))
      return false;
    if (dim < 0 || dim >= std::ssize(value.dims))
      return wrong(at, fmt::format("{} has no dimension {}", what, dim));
    const auto d = static_cast<size_t>(dim);
    if (value.factors[d] != "*")
      return wrong(at, fmt::format("dimension {} of {} is mapped twice", dim, what));
    if (sizes_.size() >= kMaxFactors)
      return wrong(at, fmt::format("more than {} mappings", kMaxFactors));
    if (factor.empty())
      factor = fresh();
    std::optional<int64_t> &size = sizes_.back();
    if (size && *size != value.dims[d])
      return wrong(at, fmt::format("dimension {} of {} has {} elements, and is tiled with one of {}", dim,
                                   what, value.dims[d], *size));
    size = value.dims[d];
    value.factors[d] = factor;
    return true;
  }

  // (none, 1)
  bool read_operands(std::string factor) {
    const char *at = r_.s.here();
    if (!r_.s.expect('(', "before the dimensions of operands"))
      return false;
    size_t operand = 0;
    while (r_.s.peek() != ')') {
      if (operand == operands_.size())
        return wrong(at, fmt::format("dimensions of more than the {} operands", operands_.size()));
      if (!r_.s.accept("none") && !read_dim(operands_[operand], factor, fmt::format("operand {}", operand)))
        return false;
      ++operand;
      if (!r_.s.accept(','))
        break;
    }
    return operand != operands_.size()
               ? wrong(at, fmt::format("dimensions of {} operands, there are {}", operand, operands_.size()))
               : r_.s.expect(')', "after the dimensions of operands");
  }

  Reader &r_;
  std::vector<Value> operands_, results_;
  std::vector<std::optional<int64_t>> sizes_; // by factor
  std::vector<std::string> summed_;
};

} // namespace

bool take_mappings(Reader &r, OpText &op, std::string &rule) {
  const AttrText *tiles = op.find_attr("tile_mappings"), *sums = op.find_attr("sum_mappings");
  if (tiles == nullptr && sums == nullptr)
    return true;
  MappingReader reader(r, op);
  const Cursor back = r.s.cursor();
  const auto at = [&](const AttrText *attr) { r.s.seek({attr->raw.data(), back.line, attr->raw.data()}); };
  if (tiles != nullptr && (at(tiles), !reader.read_tiles()))
    return false;
  if (sums != nullptr && (at(sums), !reader.read_sums()))
    return false;
  r.s.seek(back);
  rule = reader.rule();
  std::erase_if(op.attrs,
                [](const AttrText &a) { return a.name == "tile_mappings" || a.name == "sum_mappings"; });
  return true;
}

bool state_mappings(Reader &r, const OpText &op, std::string rule) {
  if (rule.empty())
    return true;
  const auto id = static_cast<graph::OpId>(r.c.builder.graph().ops().size() - 1);
  if (r.c.local.any_differs(op.operands)) {
    r.c.leave_out("mappings inside device-local code: the op is another one there", op.at);
    return true;
  }
  const ops::OpViewHolder holder(r.c.builder.graph(), id);
  if (auto fits = ops::parse_sharding_rule(rule, holder.view(), nullptr); !fits)
    return r.s.adopt(std::move(fits.error()), op.at);
  r.c.annotations.rules.push_back({id, std::move(rule), statement_position(r, op)});
  return true;
}

} // namespace tw::import
