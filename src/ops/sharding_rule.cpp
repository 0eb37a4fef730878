// SPDX-License-Identifier: Apache-2.0
// Shardy's notation of a factor rule: ([i, jk], [k, l])->([i, j]) {i=8, j=4, k=2, l=3} reduction={k}
// need_replication={l}, custom
#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ops/opaque_rule.hpp"

namespace tw::ops {
namespace {

constexpr size_t kMaxFactors = 180;

// A rule as it is written: factors by number, and for each dimension of each value the factors that it
// consists of.
struct Written {
  struct Symbol {
    std::string_view name, digits = {}; // of its size
    int64_t size = 1;
    bool reduces = false, whole = false; // whole: must not be split, or cannot be here
  };
  using Value = std::vector<std::vector<size_t>>; // [dimension]
  std::vector<Symbol> symbols;
  std::vector<Value> operands, results;
};

class Reader {
public:
  explicit Reader(std::string_view text) : all_(text), rest_(text) {}

  Result<Written> read() {
    if (!values(rule_.operands) || !accept("->") || !values(rule_.results) || !sizes())
      return wrong();
    for (bool more = true; more;) {
      more = false;
      for (const std::string_view set :
           {"reduction", "need_replication", "permutation", "blocked_propagation"})
        if (accept(set)) {
          more = true;
          if (!special(set == "reduction"))
            return wrong();
        }
    }
    if ((accept(",") && !accept("custom")) || !rest_.empty())
      return wrong();
    return std::move(rule_);
  }

private:
  tl::unexpected<Error> wrong() {
    if (why_.empty())
      why_ = fmt::format("cannot be read at \"{}\"", rest_.substr(0, 20));
    return fail(Code::invalid_argument, "TW-230", fmt::format("sharding rule \"{}\": {}", all_, why_));
  }
  bool accept(std::string_view word) {
    skip();
    if (!rest_.starts_with(word))
      return false;
    rest_.remove_prefix(word.size());
    skip();
    return true;
  }
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  // i, j, .., z, z_1, z_2, ..
  std::optional<std::string_view> symbol() {
    if (rest_.empty() || rest_[0] < 'a' || rest_[0] > 'z')
      return std::nullopt;
    size_t length = 1;
    if (rest_.starts_with("z_"))
      for (length = 2; length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9';)
        ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return name;
  }
  std::optional<size_t> number() {
    size_t value = 0, digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9' && digits < 18; ++digits)
      value = value * 10 + static_cast<size_t>(rest_[digits] - '0');
    rest_.remove_prefix(digits);
    skip();
    return digits == 0 ? std::nullopt : std::optional(value);
  }
  std::optional<size_t> find(std::string_view name) const {
    const auto at = std::ranges::find(rule_.symbols, name, &Written::Symbol::name);
    return at == rule_.symbols.end() ? std::nullopt : std::optional<size_t>(at - rule_.symbols.begin());
  }

  // ([i, jk], [*])
  bool values(std::vector<Written::Value> &list) {
    if (!accept("("))
      return false;
    if (accept(")"))
      return true;
    do {
      auto &dims = list.emplace_back();
      if (!accept("["))
        return false;
      if (accept("]"))
        continue;
      do {
        auto &factors = dims.emplace_back();
        if (accept("*"))
          continue;
        while (const auto name = symbol()) {
          auto at = find(*name);
          if (!at) {
            if (rule_.symbols.size() == kMaxFactors) {
              why_ = fmt::format("more than {} factors", kMaxFactors);
              return false;
            }
            at = rule_.symbols.size();
            rule_.symbols.push_back({*name});
          }
          for (const auto &other : dims)
            if (std::ranges::find(other, *at) != other.end()) {
              why_ = fmt::format("the factor {} stands twice in one value", *name);
              return false;
            }
          factors.push_back(*at);
        }
        if (factors.empty())
          return false;
      } while (accept(","));
      if (!accept("]"))
        return false;
    } while (accept(","));
    return accept(")");
  }

  // {i=8, j=4}
  bool sizes() {
    std::vector<bool> given(rule_.symbols.size(), false);
    if (accept("{") && !accept("}")) {
      do {
        const auto name = symbol();
        const auto at = name ? find(*name) : std::nullopt;
        if (!at || !accept("="))
          return false;
        const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
        const auto size = number();
        if (!size)
          return false;
        rule_.symbols[*at].digits = digits;
        rule_.symbols[*at].size = static_cast<int64_t>(*size);
        given[*at] = true;
      } while (accept(","));
      if (!accept("}"))
        return false;
    }
    const auto missing = std::ranges::find(given, false);
    if (missing != given.end())
      why_ = fmt::format("the factor {} has no size",
                         rule_.symbols[static_cast<size_t>(missing - given.begin())].name);
    return missing == given.end();
  }

  // ={i, j}; what moves data of its own accord, or takes no axis by propagation, stays whole
  bool special(bool reduces) {
    if (!accept("=") || !accept("{"))
      return false;
    do {
      const auto name = symbol();
      const auto at = name ? find(*name) : std::nullopt;
      if (!at)
        return false;
      (reduces ? rule_.symbols[*at].reduces : rule_.symbols[*at].whole) = true;
    } while (accept(","));
    return accept("}");
  }

  std::string_view all_, rest_;
  std::string why_;
  Written rule_;
};

Status check(std::string_view text, const char *what, const std::vector<Written::Value> &values,
             std::span<const graph::TensorType *const> types) {
  if (values.size() != types.size())
    return fail(Code::invalid_argument, "TW-230",
                fmt::format("sharding rule \"{}\": {} {}s, and the op has {}", text, values.size(), what,
                            types.size()));
  for (size_t v = 0; v < values.size(); ++v)
    if (values[v].size() != types[v]->rank())
      return fail(Code::invalid_argument, "TW-230",
                  fmt::format("sharding rule \"{}\": {} dimensions of {} {}, {}", text, values[v].size(),
                              what, v, graph::to_short_text(*types[v])));
  return {};
}

// A dimension is tiled where its factors make up its size; others stay whole, and so do empty ones.
bool makes_up(const Written &rule, const std::vector<size_t> &factors, int64_t size) {
  for (const size_t f : factors) {
    if (rule.symbols[f].size == 0 || size % rule.symbols[f].size != 0)
      return false;
    size /= rule.symbols[f].size;
  }
  return size == 1 && !factors.empty();
}

// Of the loops of a dimension, major to minor, all but the first that is cut are as long in a tile as in the
// array.
bool take_tile(Written &tiles, const std::vector<size_t> &factors, int64_t tile, std::vector<bool> &known,
               const Written &rule) {
  for (size_t i = factors.size(); i-- > 0;) {
    const size_t f = factors[i];
    const bool as_in_array = i != 0 && tile % rule.symbols[f].size == 0;
    const int64_t size = as_in_array ? rule.symbols[f].size : tile;
    if (size == 0 || size > rule.symbols[f].size || (known[f] && tiles.symbols[f].size != size))
      return false;
    known[f] = true;
    tiles.symbols[f].size = size;
    tile /= size;
  }
  return true;
}

// The rule of a call that nobody here knows: it is as stated.
Rule stated_rule(Written &written, const OpView &op) {
  const auto each_dim = [&](auto visit) {
    for (size_t v = 0; v < written.operands.size(); ++v)
      for (size_t d = 0; d < written.operands[v].size(); ++d)
        visit(true, v, d, written.operands[v][d], op.operands[v]->dims[d]);
    for (size_t v = 0; v < written.results.size(); ++v)
      for (size_t d = 0; d < written.results[v].size(); ++d)
        visit(false, v, d, written.results[v][d], op.results[v]->dims[d]);
  };
  std::vector<bool> in_operand(written.symbols.size(), false), in_result = in_operand;
  each_dim([&](bool operand, size_t, size_t, const std::vector<size_t> &factors, int64_t size) {
    for (const size_t f : factors) {
      (operand ? in_operand : in_result)[f] = true;
      written.symbols[f].whole |= !makes_up(written, factors, size);
    }
  });
  RuleBuilder rule(op);
  std::vector<FactorId> ids;
  for (size_t f = 0; f < written.symbols.size(); ++f) {
    const Written::Symbol &s = written.symbols[f];
    // In no result and not summed: needed as a whole, unless each device calls with its part. In no operand:
    // the call makes all of it, and nobody tells it which part is asked for.
    const bool whole =
        s.whole || (s.reduces == in_result[f] && (s.reduces || makes_arrays(op))) || !in_operand[f];
    ids.push_back(whole       ? rule.whole(s.size)
                  : s.reduces ? rule.reduce(s.size, sharding::Reduction::sum)
                              : rule.pass(s.size));
  }
  each_dim([&](bool operand, size_t v, size_t d, const std::vector<size_t> &factors, int64_t size) {
    if (makes_up(written, factors, size))
      for (const size_t f : factors)
        operand ? rule.in(v, d, ids[f]) : rule.out(v, d, ids[f]);
    else
      operand ? rule.whole_in(v, d, size) : rule.whole_out(v, d, size);
  });
  return rule.build();
}

// The rule of an op that we know, with those loops whole that the stated one does not let go everywhere
// alike.
Rule restricted(Rule own, const Written &stated) {
  const auto lets = [&](FactorId f) {
    std::optional<size_t> meant;
    const auto same = [&](const std::vector<std::vector<DimFactors>> &ours,
                          const std::vector<Written::Value> &theirs) {
      for (size_t v = 0; v < ours.size(); ++v)
        for (size_t d = 0; d < ours[v].size(); ++d) {
          const DimFactors &dim = ours[v][d];
          const auto at = std::ranges::find(dim, f);
          if (at == dim.end())
            continue;
          const std::vector<size_t> &other = theirs[v][d];
          if (other.size() != dim.size())
            return false;
          const size_t symbol = other[static_cast<size_t>(at - dim.begin())];
          if (stated.symbols[symbol].whole || (meant && *meant != symbol))
            return false;
          meant = symbol;
        }
      return true;
    };
    return same(own.operands, stated.operands) && same(own.results, stated.results);
  };
  for (size_t f = 0; f < own.factors.size(); ++f)
    if (own.factors[f].kind != FactorKind::whole && !lets(static_cast<FactorId>(f)))
      own.factors[f].kind = FactorKind::whole;
  return own;
}

} // namespace

Result<Rule> parse_sharding_rule(std::string_view text, const OpView &op, const Rule *own) {
  TW_ASSIGN(Written written, Reader(text).read());
  TW_TRY(check(text, "operand", written.operands, op.operands));
  TW_TRY(check(text, "result", written.results, op.results));
  return own == nullptr ? stated_rule(written, op) : restricted(*own, written);
}

std::optional<std::string> sharding_rule_of_tiles(std::string_view text, const OpView &op,
                                                  std::span<const graph::Shape> operands,
                                                  std::span<const graph::Shape> results) {
  const auto rule = Reader(text).read();
  TW_ASSERT(rule.has_value()); // it is that of the op
  Written tiles = *rule;
  std::vector<bool> known(tiles.symbols.size(), false);
  const auto take = [&](const std::vector<Written::Value> &values,
                        std::span<const graph::TensorType *const> arrays,
                        std::span<const graph::Shape> of_device) {
    for (size_t v = 0; v < values.size(); ++v)
      for (size_t d = 0; d < values[v].size(); ++d)
        if (makes_up(*rule, values[v][d], arrays[v]->dims[d]) &&
            !take_tile(tiles, values[v][d], of_device[v][d], known, *rule))
          return false;
    return true;
  };
  if (!take(rule->operands, op.operands, operands) || !take(rule->results, op.results, results))
    return std::nullopt;
  std::vector<Written::Symbol> symbols = std::move(tiles.symbols);
  std::ranges::sort(symbols, {}, [](const Written::Symbol &s) { return s.digits.data(); });
  std::string all;
  const char *next = text.data();
  for (const Written::Symbol &s : symbols) {
    all += fmt::format("{}{}", std::string_view(next, s.digits.data()), s.size);
    next = s.digits.data() + s.digits.size();
  }
  return all.append(next, text.data() + text.size());
}

std::string sharding_rule_with_dims(std::string_view text, std::span<const int64_t> in_front,
                                    const Tokens &tokens) {
  const auto rule = Reader(text).read();
  std::string factors, sizes;
  for (size_t i = 0, next = 0; i < in_front.size(); ++i) {
    std::string name;
    do {
      name = next < 18 ? std::string(1, static_cast<char>('i' + next)) : fmt::format("z_{}", next - 17);
      ++next;
    } while (rule && std::ranges::count(rule->symbols, name, &Written::Symbol::name) != 0);
    factors += fmt::format("{}{}", i == 0 ? "" : ", ", name);
    sizes += fmt::format("{}{}={}", i == 0 ? "" : ", ", name, in_front[i]);
  }
  const size_t end = std::min(text.find('{'), text.size());
  std::string all;
  const std::vector<bool> *side = &tokens.operands;
  size_t value = 0; // of that side
  for (size_t i = 0; i < end; ++i) {
    all += text[i];
    if (text[i] == '>') {
      side = &tokens.results;
      value = 0;
    }
    if (text[i] != '[')
      continue;
    const bool is_token = value < side->size() && (*side)[value];
    ++value;
    if (factors.empty() || is_token)
      continue;
    const size_t first = text.find_first_not_of(" \t\r\n", i + 1);
    all += factors + (first != text.npos && text[first] == ']' ? "" : ", ");
  }
  const std::string_view rest = text.substr(end);
  if (rest.empty())
    return fmt::format("{} {{{}}}", all, sizes);
  const bool more = rest[std::min(rest.find_first_not_of(" \t\r\n", 1), rest.size() - 1)] != '}';
  return fmt::format("{}{{{}{}{}", all, sizes, more && !sizes.empty() ? ", " : "", rest.substr(1));
}

} // namespace tw::ops
