// SPDX-License-Identifier: Apache-2.0
// Random programs of the shard dialect whose values keep halos.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/random_program.hpp"

namespace tw::test {

// Random programs over one array: values that keep halos, are added, and are moved.
class HaloText {
public:
  explicit HaloText(Dice &random) : random_(random) {
    const auto rank = static_cast<size_t>(random.between(1, 3));
    for (size_t d = 0; d < rank; ++d) {
      grid_.push_back(random.between(1, rank == 1 ? 4 : 3));
      dims_.push_back(random.between(5, 13));
    }
    type_ = type_of(dims_);
  }
  std::string make() {
    for (int64_t i = 0, count = random_.between(3, 9); i < count; ++i) {
      const std::string name = fmt::format("%v{}", i);
      const int64_t kind = random_.below(5);
      if (kind < 2 && !plain_.empty()) {
        annotate(name);
        continue;
      }
      if (kind == 2)
        body_ += fmt::format("  {} = stablehlo.negate {} : {}\n", name, random_.pick(values_), type_);
      else if (kind == 3)
        body_ += fmt::format("  {} = stablehlo.add {}, {} : {}\n", name, random_.pick(values_),
                             random_.pick(values_), type_);
      else
        move(name);
      values_.push_back(name);
      plain_.push_back(name);
    }
    const std::string &added = random_.pick(values_);
    return fmt::format("shard.grid @g(shape = {})\nfunc.func @main(%x: {}{}) -> {} {{\n"
                       "  %zero = stablehlo.constant dense<7> : tensor<i32>\n{}{}"
                       "  %r = stablehlo.add {}, {} : {}\n  return %r : {}\n}}\n",
                       fmt::join(grid_, "x"), type_,
                       random_.chance(2) ? " {tf.aliasing_output = 0 : i32}" : "", type_, definitions_, body_,
                       values_.back(), added, type_, type_);
  }

private:
  using Ints = std::vector<int64_t>;
  static std::string type_of(const Ints &dims) { return fmt::format("tensor<{}xi32>", fmt::join(dims, "x")); }

  // A value once, or several times for its users: more the dialect does not define.
  void annotate(const std::string &name) {
    const auto at = static_cast<size_t>(random_.below(std::ssize(plain_)));
    const std::string of = plain_[at];
    const bool for_users = annotated_.contains(of) || !random_.chance(3);
    if (for_users)
      annotated_.insert(of);
    else
      plain_.erase(plain_.begin() + static_cast<std::ptrdiff_t>(at));
    Ints axes, halos;
    std::vector<std::string> split;
    for (size_t d = 0; d < dims_.size(); ++d)
      axes.push_back(static_cast<int64_t>(d));
    if (random_.chance(4))
      std::ranges::shuffle(axes, random_.engine());
    for (const int64_t axis : axes) {
      split.push_back(random_.chance(4) ? "[]" : fmt::format("[{}]", axis));
      if (split.back() != "[]")
        halos.insert(halos.end(), {random_.between(0, 3), random_.between(0, 3)});
    }
    definitions_ +=
        fmt::format("  %s{} = shard.sharding @g split_axes = [{}]{} : !shard.sharding\n", values_.size(),
                    fmt::join(split, ", "),
                    halos.empty() ? "" : fmt::format(" halo_sizes = [{}]", fmt::join(halos, ", ")));
    body_ += fmt::format("  {} = shard.shard {} to %s{}{} : {}\n", name, of, values_.size(),
                         for_users ? " annotate_for_users" : "", type_);
    values_.push_back(name);
  }
  // The part of a value that another place has, with a number around it.
  void move(const std::string &name) {
    std::vector<std::string> ranges;
    Ints inner, low, high;
    for (const int64_t n : dims_) {
      const int64_t begin = random_.below(3), end = n - random_.below(3);
      ranges.push_back(fmt::format("{}:{}", begin, end));
      inner.push_back(end - begin);
      low.push_back(random_.between(0, n - inner.back()));
      high.push_back(n - inner.back() - low.back());
    }
    body_ += fmt::format("  %p{0} = stablehlo.slice {1} [{2}] : ({3}) -> {4}\n"
                         "  {5} = stablehlo.pad %p{0}, %zero, low = [{6}], high = [{7}], interior = [{8}] : "
                         "({4}, tensor<i32>) -> {3}\n",
                         values_.size(), random_.pick(values_), fmt::join(ranges, ", "), type_,
                         type_of(inner), name, fmt::join(low, ", "), fmt::join(high, ", "),
                         fmt::join(Ints(dims_.size(), 0), ", "));
  }

  Dice &random_;
  Ints grid_, dims_;
  std::string type_, definitions_, body_;
  std::vector<std::string> values_{"%x"}, plain_{"%x"}; // plain: of which more may be said
  std::set<std::string> annotated_;                     // for their users
};

} // namespace tw::test
