// SPDX-License-Identifier: Apache-2.0
// Halos in the shard dialect: programs that keep them are written at both levels, read as the same plan, and
// give the same results by halo exchanges alone.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "emit/shard/annotated.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"
#include "support/stencil_text.hpp"
#include "unit/emit/plans_read_back.hpp"
#include "unit/emit/run_local_text.hpp"

using namespace tw;
using namespace tw::test;
using ops::Array;
using partition::Plan;
using Said = std::map<std::string, size_t>;

namespace {

std::vector<Array> random_inputs(const graph::Graph &graph, int64_t lo, int64_t hi, Dice &random) {
  std::vector<Array> inputs;
  for (const graph::OpId argument : graph.arguments())
    inputs.push_back(random_array(graph.type(graph.result(argument)), lo, hi, random));
  return inputs;
}

// What is written as annotations is read as the same plan, whose program gives the same results.
std::string check_annotated(const import::Imported &imported, const Plan &plan,
                            const std::vector<Array> &inputs, uint64_t seed) {
  const std::string text = text_of(emit::shard::to_annotated_text(plan));
  keep_text("halos", seed, text);
  CAPTURE(text);
  const import::Imported read = load_text(text);
  const Plan again = plan_of(read, nullptr, true);
  check_same(plan, again);
  const auto whole = ops::evaluate(*imported.graph, inputs);
  const auto program = spmd::lower(again);
  REQUIRE(whole.has_value());
  REQUIRE(program.has_value());
  const auto made = simulate(**program, inputs);
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  for (size_t i = 0; i < whole->size(); ++i)
    CHECK((*made)[i].bytes == (*whole)[i].bytes);
  return text;
}

struct Case {
  stencil::Ints grid, dims;
};

// Random programs over one array: values that keep halos, are added, and are moved.
class RandomText {
public:
  explicit RandomText(Dice &random) : random_(random) {
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
    return fmt::format("shard.grid @g(shape = {})\nfunc.func @main(%x: {}) -> {} {{\n"
                       "  %zero = stablehlo.constant dense<7> : tensor<i32>\n{}{}"
                       "  %r = stablehlo.add {}, {} : {}\n  return %r : {}\n}}\n",
                       fmt::join(grid_, "x"), type_, type_, definitions_, body_, values_.back(),
                       random_.pick(values_), type_, type_);
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

} // namespace

TEST_CASE("stencils that keep halos, on uneven tiles") {
  Dice random(1);
  uint64_t number = 0;
  for (const Case &c : {Case{{3, 2}, {13, 11}}, Case{{2, 2, 2}, {11, 8, 9}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const import::Imported imported = load_text(stencil::annotated(c.grid, c.dims, width));
      const Plan plan = plan_of(imported, nullptr, true);
      const std::vector<Array> inputs = random_inputs(*imported.graph, -9, 9, random);
      const std::string text = check_annotated(imported, plan, inputs, ++number);
      CHECK(text.find("halo_sizes") != std::string::npos);
      Said said;
      CHECK(check_local_text(plan, inputs, "halos_local", number, said));
      CHECK(said["update_halo"] > 0);
      said.erase("update_halo");
      said.erase("process_linear_index");
      CHECK(said.empty());
    }
}

TEST_CASE("stencils of one device's code are written as such code again") {
  Dice random(2);
  uint64_t number = 0;
  for (const Case &c : {Case{{3, 2}, {4, 3}}, Case{{2, 2, 2}, {2, 3, 2}}, Case{{5}, {2}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const import::Imported imported = load_text(stencil::local_code(c.grid, c.dims, width));
      const Plan plan = plan_of(imported, nullptr, true);
      Said said;
      CHECK(check_local_text(plan, random_inputs(*imported.graph, -9, 9, random), "halos_again", ++number,
                             said));
      CHECK(said["update_halo"] == 1);
      CHECK(said["shift"] == 0);
    }
}

// Of fewer steps, so that sums are exact.
TEST_CASE("the stencil of the zoo") {
  std::string program = read_file(source_path("examples/models/zoo/stencil.mlir"));
  const std::string steps = "dense<12>";
  program.replace(program.find(steps), steps.size(), "dense<3>");
  const import::Imported imported = load_text(program);
  Dice random(3);
  const std::vector<Array> inputs = random_inputs(*imported.graph, -1, 1, random);
  uint64_t number = 50;
  for (const char *actions : {"tile(arg=arg0, dim=0, axis=rows)", "tile(arg=arg0, dim=1, axis=columns)",
                              "tile(arg=arg0, dim=0, axis=rows); tile(arg=arg0, dim=1, axis=columns)"}) {
    CAPTURE(actions);
    Plan plan = plan_of(imported, "rows=2,columns=3", true);
    REQUIRE(partition::apply_spec(plan, std::string(actions) + "; infer-propagate", "spec").has_value());
    check_annotated(imported, plan, inputs, ++number);
    Said said;
    CHECK(check_local_text(plan, inputs, "zoo_local", number, said));
    CHECK(said["update_halo"] > 0);
    CHECK(said["all_gather"] == 0);
  }
}

TEST_CASE("random programs that keep halos") {
  size_t written = 0, refused = 0;
  Said said;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Dice random(seed);
    const std::string program = RandomText(random).make();
    CAPTURE(seed);
    CAPTURE(program);
    const import::Imported imported = load_text(program);
    const Plan plan = plan_of(imported, nullptr, true);
    const std::vector<Array> inputs = random_inputs(*imported.graph, -9, 9, random);
    if (const auto text = emit::shard::to_annotated_text(plan); text) {
      check_annotated(imported, plan, inputs, 100 + seed);
      ++written;
    } else {
      INFO(text.error().message());
      CHECK(std::string_view(text.error().info().id) == "TW-730");
      ++refused;
    }
    CHECK(check_local_text(plan, inputs, "halos_local", 100 + seed, said));
  }
  MESSAGE(written << " written, " << refused << " refused");
  for (const auto &[op, count] : said)
    MESSAGE(op << " " << count);
  CHECK(refused == 0);
  CHECK(said["update_halo"] > 500);
}
