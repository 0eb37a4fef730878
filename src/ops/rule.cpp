// SPDX-License-Identifier: Apache-2.0
// Building factor rules and printing them: `([i,k],[k,j])->([i,j]) k:sum`.
#include "ops/rule.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ops/op_def.hpp"

namespace tw::ops {
namespace {

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// i, j, ... z, a, ... h, then i1, j1, ...
std::string letter(size_t n) {
  const char c = static_cast<char>('a' + (n + 8) % 26);
  return n < 26 ? std::string(1, c) : fmt::format("{}{}", c, n / 26);
}

// Names factors in the order in which a reader meets them: results first, then operands, then those that
// occur nowhere.
std::vector<std::string> factor_names(const Rule &rule) {
  std::vector<std::string> names(rule.factors.size());
  size_t next = 0;
  auto name_all = [&](const std::vector<std::vector<DimFactors>> &values) {
    for (const auto &dims : values)
      for (const DimFactors &factors : dims)
        for (FactorId f : factors)
          if (names[f].empty())
            names[f] = letter(next++);
  };
  name_all(rule.results);
  name_all(rule.operands);
  for (const Window &window : rule.windows)
    for (const Window::Term &term : window.terms)
      if (names[term.factor].empty())
        names[term.factor] = letter(next++);
  for (std::string &name : names)
    if (name.empty())
      name = letter(next++);
  return names;
}

// `[i,j k,-,l+m]`: dimensions by commas, the factors of one dimension by spaces, `-` for a dimension without
// factors, `+` between the factors of a window; where there is one and it reads from another place, as slice
// and reverse do, `i'`.
std::string values_text(const Rule &rule, const std::vector<std::vector<DimFactors>> &values,
                        const std::vector<std::string> &names) {
  std::string text = "(";
  for (size_t v = 0; v < values.size(); ++v) {
    text += v ? ",[" : "[";
    for (size_t d = 0; d < values[v].size(); ++d) {
      if (d)
        text += ',';
      if (values[v][d].empty())
        text += '-';
      if (const Window *window = &values == &rule.operands ? rule.window(v, d) : nullptr) {
        for (size_t i = 0; i < window->terms.size(); ++i)
          text += (i ? "+" : "") + names[window->terms[i].factor];
        if (window->terms.size() == 1)
          text += '\'';
        continue;
      }
      for (size_t i = 0; i < values[v][d].size(); ++i)
        text += (i ? " " : "") + names[values[v][d][i]];
    }
    text += ']';
  }
  return text + ")";
}

} // namespace

Window written_window(size_t operand, size_t dim, int64_t size, FactorId f, int64_t array, int64_t offset,
                      int64_t step) {
  const bool is_most = size > array / step / 2;
  return {
      static_cast<uint32_t>(operand), static_cast<uint32_t>(dim), size, {{f, 1}}, -offset, step, {}, is_most};
}

std::string Rule::text() const {
  const std::vector<std::string> names = factor_names(*this);
  std::string text = values_text(*this, operands, names) + "->" + values_text(*this, results, names);
  for (size_t f = 0; f < factors.size(); ++f) {
    if (factors[f].kind == FactorKind::reduce)
      text += fmt::format(" {}:{}", names[f], sharding::name(factors[f].reduction));
    else if (factors[f].kind == FactorKind::whole)
      text += fmt::format(" {}:whole", names[f]);
  }
  for (size_t v = 0; v < operands.size() && v < 64; ++v)
    if (init_operands >> v & 1)
      text += fmt::format(" once:{}", v);
  return text;
}

const Window *Rule::window(size_t operand, size_t dim) const {
  for (const Window &w : windows)
    if (w.operand == operand && w.dim == dim)
      return &w;
  return nullptr;
}

sharding::Interval Rule::needed(const Window &window, std::span<const sharding::Interval> parts) const {
  int64_t first = window.offset, last = window.offset;
  for (const Window::Term &term : window.terms) {
    const sharding::Interval part = parts[term.factor];
    if (part.size() <= 0)
      return {};
    first += term.step * (term.step > 0 ? part.begin : part.end - 1);
    last += term.step * (term.step > 0 ? part.end - 1 : part.begin);
  }
  const auto clipped = [](int64_t begin, int64_t end, int64_t size) {
    begin = std::max<int64_t>(begin, 0);
    end = std::min(end, size);
    return begin < end ? sharding::Interval{begin, end} : sharding::Interval{};
  };
  const Window::Reach &reach = window.reach;
  sharding::Interval found = clipped(ceil_div(first, window.dilation), floor_div(last, window.dilation) + 1,
                                     reach.windows != 0 ? reach.windows : window.size);
  if (reach.windows != 0 && found.size() > 0)
    found = clipped(found.begin * reach.stride + reach.begin,
                    (found.end - 1) * reach.stride + reach.begin + reach.span, window.size);
  return found;
}

RuleBuilder::RuleBuilder(size_t num_operands, size_t num_results) {
  rule_.operands.resize(num_operands);
  rule_.results.resize(num_results);
}

RuleBuilder::RuleBuilder(const OpView &op) : RuleBuilder(op.operands.size(), op.results.size()) {
  for (size_t v = 0; v < op.operands.size(); ++v)
    operand_rank(v, op.operands[v]->rank());
  for (size_t v = 0; v < op.results.size(); ++v)
    result_rank(v, op.results[v]->rank());
}

FactorId RuleBuilder::add(Factor factor) {
  TW_ASSERT(rule_.factors.size() < 250);
  rule_.factors.push_back(factor);
  return static_cast<FactorId>(rule_.factors.size() - 1);
}

FactorId RuleBuilder::pass(int64_t size) { return add({size, FactorKind::pass, sharding::Reduction::sum}); }
FactorId RuleBuilder::whole(int64_t size) { return add({size, FactorKind::whole, sharding::Reduction::sum}); }
FactorId RuleBuilder::reduce(int64_t size, sharding::Reduction kind) {
  return add({size, FactorKind::reduce, kind});
}

FactorId RuleBuilder::pick(int64_t size, int64_t picked) {
  return add({size, FactorKind::reduce, sharding::Reduction::pick, picked});
}

RuleBuilder &RuleBuilder::in(size_t operand, size_t dim, FactorId f) {
  rule_.operands[operand][dim].push_back(f);
  return *this;
}

RuleBuilder &RuleBuilder::out(size_t result, size_t dim, FactorId f) {
  rule_.results[result][dim].push_back(f);
  return *this;
}

RuleBuilder &RuleBuilder::init_operand(size_t operand) {
  TW_ASSERT(operand < 64);
  rule_.init_operands |= uint64_t(1) << operand;
  return *this;
}

RuleBuilder &RuleBuilder::slide(Window window, size_t through) {
  rule_.operands[window.operand][window.dim].push_back(window.terms[through].factor);
  rule_.windows.push_back(std::move(window));
  return *this;
}

void RuleBuilder::append_whole(DimFactors &dim, int64_t size) {
  for (FactorId f : shared_wholes_)
    if (rule_.factors[f].size == size) {
      dim.push_back(f);
      return;
    }
  if (rule_.factors.size() >= 200)
    return;
  shared_wholes_.push_back(whole(size));
  dim.push_back(shared_wholes_.back());
}

RuleBuilder &RuleBuilder::whole_in(size_t operand, size_t dim, int64_t size) {
  append_whole(rule_.operands[operand][dim], size);
  return *this;
}

RuleBuilder &RuleBuilder::whole_out(size_t result, size_t dim, int64_t size) {
  append_whole(rule_.results[result][dim], size);
  return *this;
}

RuleBuilder &RuleBuilder::operand_rank(size_t operand, size_t rank) {
  rule_.operands[operand].resize(rank);
  return *this;
}

RuleBuilder &RuleBuilder::result_rank(size_t result, size_t rank) {
  rule_.results[result].resize(rank);
  return *this;
}

Rule RuleBuilder::build() { return std::move(rule_); }

} // namespace tw::ops
