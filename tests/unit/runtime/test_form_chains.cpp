// SPDX-License-Identifier: Apache-2.0
// Chains: what becomes one, what does not, and that neither partitioning nor a chain changes a bit.
#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/ref/evaluate.hpp"
#include "support/random_sharding.hpp"
#include "unit/runtime/float_program.hpp"

namespace tw::test_form_chains {

using namespace tw::test;
using runtime::Step;

namespace {

// exp(x/2 - max) / sum over the last dimension.
ValueId softmax(FloatProgram &p, ValueId x, int64_t rows, int64_t columns) {
  const graph::Shape shape{rows, columns};
  const ValueId scaled = p.op("multiply", {x, p.broadcast(p.constant(0.5f), shape, {})});
  const ValueId top = p.broadcast(p.reduce(scaled, "maximum", {1}), shape, {0});
  const ValueId e = p.op("exponential", {p.op("subtract", {scaled, top})});
  return p.op("divide", {e, p.broadcast(p.reduce(e, "add", {1}), shape, {0})});
}

// (x - mean) / sqrt(variance + 1), times a weight of each column.
ValueId layer_norm(FloatProgram &p, ValueId x, ValueId weight, int64_t rows, int64_t columns) {
  const graph::Shape shape{rows, columns}, one{rows};
  const ValueId share = p.broadcast(p.constant(1 / static_cast<float>(columns)), one, {});
  const ValueId mean = p.op("multiply", {p.reduce(x, "add", {1}), share});
  const ValueId apart = p.op("subtract", {x, p.broadcast(mean, shape, {0})});
  const ValueId variance = p.op("multiply", {p.reduce(p.op("multiply", {apart, apart}), "add", {1}), share});
  const ValueId factor = p.op("rsqrt", {p.op("add", {variance, p.broadcast(p.constant(1), one, {})})});
  return p.op("multiply",
              {p.op("multiply", {apart, p.broadcast(factor, shape, {0})}), p.broadcast(weight, shape, {1})});
}

} // namespace

TEST_CASE("groups end at reductions and do not reach around them") {
  FloatProgram p;
  const Scheduled s(p.finish({softmax(p, p.arg({1, 7}), 1, 7)}));
  CHECK(s.text() == "[constant] [constant] multiply reduce subtract+exponential reduce divide");
}

TEST_CASE("a softmax and a layer norm are one step each, that keeps nothing") {
  FloatProgram p;
  const ValueId x = p.arg({5, 7}), weight = p.arg({7});
  const ValueId soft = softmax(p, x, 5, 7);
  const Scheduled s(p.finish(
      {layer_norm(p,
                  p.op("dot_general", {soft, p.arg({7, 7})},
                       {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}}),
                  weight, 5, 7)}));
  const std::string text = s.text();
  CAPTURE(text);
  REQUIRE(s.schedule.steps.size() == 3);
  CHECK(text.ends_with("multiply+reduce+subtract+exponential+reduce+divide dot_general "
                       "reduce+multiply+subtract+multiply+reduce+multiply+add+rsqrt+multiply+multiply"));
  for (const size_t i : {0u, 2u}) {
    const Step &chain = s.schedule.steps[i];
    CHECK(chain.kind == Step::Kind::chain);
    CHECK(chain.results.size() == 1);
    for (const Step &member : chain.members)
      CHECK(member.row_dims == 1);
  }
}

TEST_CASE(
    "a chain ends where rows are too long, where another reads them crosswise, and where nothing is shared") {
  FloatProgram p;
  CHECK(Scheduled(p.finish({softmax(p, p.arg({4, 20000}), 4, 20000)})).schedule.steps.size() == 5);

  FloatProgram q; // rows of the sum are read along the columns of the product
  const ValueId sum = q.reduce(q.op("tanh", {q.arg({6, 6})}), "add", {1});
  const Scheduled crosswise(q.finish({q.op("add", {q.broadcast(sum, {6, 6}, {1}), q.arg({6, 6})})}));
  CHECK(crosswise.text().ends_with("tanh+reduce add"));

  FloatProgram r; // only the reduction reads something long
  const ValueId rows = r.reduce(r.arg({6, 6}), "add", {1});
  CHECK(Scheduled(r.finish({r.op("tanh", {rows})})).text().ends_with("reduce tanh"));
}

TEST_CASE("rows of any length make a chain where the devices have one kernel for it") {
  size_t asked = 0, most = 0;
  runtime::ScheduleOptions options;
  options.has_row_chain = [&](const Step &chain, std::span<const runtime::View>) {
    ++asked;
    most = std::max(most, chain.members.size());
    return true;
  };
  FloatProgram p;
  const auto graph = p.finish({softmax(p, p.arg({4, 20000}), 4, 20000)});
  const Scheduled one(graph, "", "", options);
  REQUIRE(one.schedule.steps.size() == 1);
  CHECK(one.schedule.steps[0].members.size() == 5);
  CHECK(asked == 1);
  CHECK(most == 5);
  options.has_row_chain = [](const Step &, std::span<const runtime::View>) { return false; };
  CHECK(Scheduled(graph, "", "", options).schedule.steps.size() == 5);

  FloatProgram q; // what fits into a cache is not asked for
  asked = 0;
  options.has_row_chain = [&](const Step &, std::span<const runtime::View>) { return ++asked > 0; };
  CHECK(Scheduled(q.finish({softmax(q, q.arg({4, 20}), 4, 20)}), "", "", options).schedule.steps.size() == 1);
  CHECK(asked == 0);
}

// A loss: the sum of what rows make stands between them and what else is made of them.
TEST_CASE("where the devices have one kernel for it a chain goes in front of steps that it passes") {
  const graph::Shape shape{6, 7};
  const auto loss = [&](FloatProgram &p, bool waits) {
    const ValueId x = p.arg(shape);
    const ValueId e = p.op("exponential", {x});
    const ValueId sum = p.reduce(e, "add", {1});
    const ValueId total = p.reduce(p.op("log", {sum}), "add", {0});
    ValueId quotient = p.op("divide", {e, p.broadcast(sum, shape, {0})});
    if (waits)
      quotient = p.op("multiply", {quotient, p.broadcast(total, shape, {})});
    return p.finish({total, quotient});
  };
  FloatProgram p, q, r, s;
  const auto text = [](const std::shared_ptr<const graph::Graph> &graph, std::optional<bool> has) {
    runtime::ScheduleOptions options;
    if (has)
      options.has_row_chain = [has](const Step &, std::span<const runtime::View>) { return *has; };
    return Scheduled(graph, "", "", options).text();
  };
  CHECK(text(loss(p, false), {}).ends_with("exponential+reduce+log reduce divide"));
  CHECK(text(loss(q, false), false).ends_with("exponential+reduce+log reduce divide"));
  CHECK(text(loss(r, false), true).ends_with("exponential+reduce+log+divide reduce"));
  CHECK(text(loss(s, true), true).ends_with("exponential+reduce+log reduce divide+multiply"));
}

TEST_CASE("a chain reads a line of an iota, along its rows or across them") {
  for (const int64_t dim : {0, 1}) {
    FloatProgram p;
    const Scheduled s(p.finish({softmax(p, p.op("add", {p.arg({5, 7}), p.iota({5, 7}, dim)}), 5, 7)}));
    CHECK(s.text().ends_with("add+multiply+reduce+subtract+exponential+reduce+divide"));
    REQUIRE(s.schedule.steps.size() == 1);
    CHECK(std::ranges::any_of(s.schedule.steps[0].reads, [&](const runtime::FusedRead &read) {
      return read.constant && read.dims[static_cast<size_t>(dim)] == static_cast<int>(dim);
    }));
  }
  // Rows are two dimensions, of which it goes along one: so many at once that blocks are not short.
  for (const auto &[columns, text] : {std::pair(200, "add+reduce+subtract"), {7, "add reduce+subtract"}}) {
    FloatProgram p;
    const graph::Shape shape{3, 5, columns};
    const ValueId sum = p.op("add", {p.arg(shape), p.iota(shape, 1)});
    const ValueId apart = p.op("subtract", {sum, p.broadcast(p.reduce(sum, "maximum", {2}), shape, {0, 1})});
    CHECK(Scheduled(p.finish({apart})).text().ends_with(text));
  }
}

// Heads and examples of one mask, a bias of each head, and a padding of each example.
TEST_CASE("a chain reads what only some of the dimensions of its rows have") {
  const graph::Shape all{2, 3, 5, 200};
  FloatProgram p;
  const ValueId x = p.op("add", {p.arg(all), p.broadcast(p.arg({5, 200}), all, {2, 3})});
  const ValueId y = p.op("add", {x, p.broadcast(p.arg({3, 200}), all, {1, 3})});
  const ValueId z = p.op("add", {y, p.broadcast(p.arg({2, 200}), all, {0, 3})});
  const ValueId apart = p.op("subtract", {z, p.broadcast(p.reduce(z, "maximum", {3}), all, {0, 1, 2})});
  const auto graph = p.finish({apart});
  CHECK(Scheduled(graph).text().ends_with("] add+add+add+reduce+subtract"));
  Runner whole(graph, "one=1", ""), two(graph, "a=2", "tile(arg=0, dim=0, axis=\"a\"); infer-propagate\n"),
      five(graph, "a=5", "tile(arg=0, dim=2, axis=\"a\"); infer-propagate\n"),
      single(
          graph, "a=2,b=3,c=5",
          "tile(arg=0, dim=0, axis=\"a\"); tile(arg=0, dim=1, axis=\"b\"); tile(arg=0, dim=2, axis=\"c\"); "
          "infer-propagate\n"); // a row a device: no chains
  for (Runner *r : {&whole, &two, &five, &single})
    REQUIRE(r->run());
  CHECK(whole.executable->num_steps() < single.executable->num_steps());
  CHECK(whole.bytes() == single.bytes());
  CHECK(two.bytes() == single.bytes());
  CHECK(five.bytes() == single.bytes());

  FloatProgram q; // what the chain makes, crosswise: rows of another member
  const ValueId a = q.op("tanh", {q.arg({4, 4, 7})});
  const ValueId top = q.reduce(a, "maximum", {2});
  const ValueId turned = q.op("subtract", {a, q.broadcast(top, {4, 4, 7}, {1, 0})});
  CHECK(Scheduled(q.finish({turned})).text().ends_with("tanh+reduce subtract"));
}

TEST_CASE("a chain has the bits of its members alone, in the place of what it reads last") {
  const int64_t rows = 64, columns = 97;
  FloatProgram p;
  const ValueId x = p.arg({rows, columns}), weight = p.arg({columns});
  const ValueId given =
      p.op("dot_general", {x, p.arg({columns, columns})},
           {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}});
  const auto graph = p.finish({layer_norm(p, softmax(p, given, rows, columns), weight, rows, columns)});
  Runner whole(graph, "one=1", ""), three(graph, "a=3", "tile(arg=0, dim=0, axis=\"a\"); infer-propagate\n"),
      single(graph, "a=64", "tile(arg=0, dim=0, axis=\"a\"); infer-propagate\n"); // a row a device: no chains
  for (Runner *r : {&whole, &three, &single})
    REQUIRE(r->run());
  CHECK(whole.executable->num_steps() < single.executable->num_steps());
  CHECK(whole.bytes() == single.bytes());
  CHECK(three.bytes() == single.bytes());
  CHECK(whole.executable->arena_bytes() < 2 * rows * columns * 4); // one array, and constants
}

namespace {

// Small whole numbers go through reductions, back to the shape along the dimensions that they come from or
// along others of equal extents, and through reshapes. Rows of every second one are long enough for chains
// that read some of their dimensions only; sums stay exact.
class RandomRows {
public:
  explicit RandomRows(uint64_t seed) : random_(seed), shape_{some(), some(), some()} {
    if (seed % 2 != 0)
      shape_[2] *= 128, most_ = 512;
    full_ = {{p_.arg(shape_), 16}, {p_.arg(shape_), 16}};
    while (full_.size() < 10)
      add();
  }
  std::shared_ptr<const graph::Graph> finish() {
    return p_.finish({full_.back().id, full_[full_.size() - 3].id});
  }

private:
  struct Made {
    ValueId id;
    double bound;
  };

  int64_t some() { return draw(random_, 1, 2) * draw(random_, 1, 3); }
  const Made &any() {
    return full_[full_.size() - 1 - static_cast<size_t>(draw(random_, 0, 2)) % full_.size()];
  }
  void keep(ValueId id, double bound) {
    full_.push_back(bound < most_ ? Made{id, bound} : Made{p_.op("sign", {id}), 1});
  }

  void add() {
    const Made a = any(), b = any();
    switch (draw(random_, 0, 4)) {
    case 0: return keep(p_.op("subtract", {a.id, b.id}), a.bound + b.bound);
    case 1: return keep(p_.op("maximum", {a.id, b.id}), std::max(a.bound, b.bound));
    case 2: return by_rows(a, b, shape_);
    case 3: {
      const int64_t dim = draw(random_, 0, 2);
      return keep(p_.op("subtract", {a.id, p_.iota(shape_, dim)}),
                  a.bound + static_cast<double>(shape_[static_cast<size_t>(dim)]));
    }
    default: break;
    }
    const graph::Shape flat{shape_[0] * shape_[1], shape_[2]};
    const auto to = [&](const graph::Shape &s, ValueId v) { return p_.op("reshape", {v}, {}, &s); };
    by_rows({to(flat, a.id), a.bound}, {to(flat, b.id), b.bound}, flat);
    full_.back().id = to(shape_, full_.back().id);
  }

  // b - what a is reduced to.
  void by_rows(const Made &a, const Made &b, const graph::Shape &shape) {
    const auto rank = static_cast<int64_t>(shape.size());
    Ints dims, kept;
    for (int64_t d = 0, split = draw(random_, 1, rank - 1), inner = draw(random_, 0, 3); d < rank; ++d)
      ((inner > 0 ? d >= split : draw(random_, 0, 1) == 0) ? dims : kept).push_back(d);
    const bool sums = draw(random_, 0, 1) == 0;
    const ValueId reduced = p_.reduce(a.id, sums ? "add" : "maximum", dims);
    double bound = std::max(a.bound, 1.0);
    for (const int64_t d : dims)
      bound *= sums ? static_cast<double>(shape[static_cast<size_t>(d)]) : 1;
    for (size_t k = kept.size(); k-- > 0;) { // crosswise, where another dimension fits
      const int64_t end = k + 1 < kept.size() ? kept[k + 1] : rank;
      for (int64_t d = kept[k] + 1; d < end; ++d)
        if (shape[static_cast<size_t>(d)] == shape[static_cast<size_t>(kept[k])] && draw(random_, 0, 2) == 0)
          kept[k] = d;
    }
    keep(p_.op("subtract", {b.id, p_.broadcast(reduced, shape, kept)}), b.bound + bound);
  }

  Random random_;
  FloatProgram p_;
  graph::Shape shape_;
  double most_ = 4096;
  std::vector<Made> full_;
};

} // namespace

TEST_CASE("random programs of rows have the results of the reference") {
  size_t chains = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto graph = RandomRows(seed).finish();
    for (const auto &step : Scheduled(graph).schedule.steps)
      chains += step.kind == Step::Kind::chain;
    std::optional<std::vector<kernels::ref::Array>> wanted;
    for (const char *spec : {"", "tile(arg=0, dim=0, axis=\"a\"); infer-propagate\n",
                             "tile(arg=0, dim=2, axis=\"a\"); infer-propagate\n"}) {
      CAPTURE(spec);
      Runner runner(graph, "a=3", spec);
      for (auto &input : runner.inputs)
        for (int64_t i = 0; i < input.type().elements(); ++i)
          input.as<float>()[i] = static_cast<float>((static_cast<uint64_t>(i) * 7 + seed) % 17) - 8;
      if (!wanted) {
        auto evaluated = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
        REQUIRE(evaluated.has_value());
        wanted = std::move(*evaluated);
      }
      REQUIRE(runner.run());
      for (size_t i = 0; i < wanted->size(); ++i)
        CHECK(std::memcmp((*wanted)[i].bytes.data(), runner.outputs[i].data(), (*wanted)[i].bytes.size()) ==
              0);
    }
  }
  CHECK(chains > 150);
}

} // namespace tw::test_form_chains
