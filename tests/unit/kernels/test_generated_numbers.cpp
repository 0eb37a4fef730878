// SPDX-License-Identifier: Apache-2.0
// Generated indices and random numbers of tiles, compiled by the host's compiler: those of the reference's
// whole array.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "kernels/generated/numbers.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"

namespace tw::test_generated_numbers {

namespace {

using namespace kernels::generated;
using graph::DType;

struct Case {
  DType dtype;
  std::vector<int64_t> whole, offset, extent;
  std::shared_ptr<const graph::Graph> graph;
  std::vector<Bytes> arguments{};
  std::vector<int64_t> numbers{}; // of the launch
  size_t result = 0;              // which of the graph's is the array

  std::string type() const { return graph::to_text({dtype, whole}); }
};

// Which stream the importer gave to the rng op.
int64_t stream_of(const graph::Graph &graph) {
  for (graph::OpId id = 0; id < graph.ops().size(); ++id)
    if (std::string_view(ops::op_def(graph.op(id).code).name) == "stablehlo.rng")
      return ops::OpViewHolder(graph, id).view().integer(ops::slot::rng::stream);
  return 0;
}

class Cases {
public:
  std::vector<Case> cases;
  std::vector<Source> sources;

  Case draw(DType dtype) {
    Case c{dtype, {}, {}, {}, nullptr};
    for (size_t d = 0; d < 3; ++d) {
      c.whole.push_back(1 + static_cast<int64_t>(random_() % 9));
      c.offset.push_back(static_cast<int64_t>(random_() % static_cast<uint64_t>(c.whole[d])));
      c.extent.push_back(1 +
                         static_cast<int64_t>(random_() % static_cast<uint64_t>(c.whole[d] - c.offset[d])));
    }
    c.numbers = c.offset;
    return c;
  }
  std::mt19937_64 &random() { return random_; }
  std::string name() const { return fmt::format("numbers_{}", cases.size()); }
  void add(Case c, Source source) {
    cases.push_back(std::move(c));
    sources.push_back(std::move(source));
  }

  void check() const {
    const HostModule module = HostModule::compile(sources);
    for (size_t i = 0; i < cases.size(); ++i)
      check(cases[i], sources[i], module);
  }

private:
  static void check(const Case &c, const Source &source, const HostModule &module) {
    const auto size = static_cast<int64_t>(graph::byte_size(c.dtype));
    const auto whole = evaluated(*c.graph, c.arguments);
    const int64_t n = c.extent[0] * c.extent[1] * c.extent[2];
    Bytes want, have(static_cast<size_t>(n * size)), next(24);
    for (int64_t at = 0; at < n; ++at) {
      const int64_t index[] = {at / c.extent[2] / c.extent[1], at / c.extent[2] % c.extent[1],
                               at % c.extent[2]};
      int64_t place = 0;
      for (size_t d = 0; d < 3; ++d)
        place = place * c.whole[d] + index[d] + c.offset[d];
      const auto from = whole[c.result].bytes.begin() + place * size;
      want.insert(want.end(), from, from + size);
    }
    std::vector<const void *> operands;
    for (const Bytes &argument : c.arguments)
      operands.push_back(argument.data());
    void *results[] = {c.result == 1 ? next.data() : have.data(), have.data()};
    module.run(source, operands, results, c.numbers);
    INFO(source.launches[0].entry << " of " << c.type());
    CHECK(count_wrong(c.dtype, have, want) == 0);
    if (c.result == 1)
      CHECK(std::equal(whole[0].bytes.begin(), whole[0].bytes.end(), next.begin()));
  }

  std::mt19937_64 random_{6};
};

} // namespace

TEST_CASE("indices of any element type") {
  Cases all;
  for (int t = 0; t < static_cast<int>(DType::count_); ++t) {
    const auto dtype = static_cast<DType>(t);
    if (!ops::kNumbers.has(dtype))
      continue;
    Case c = all.draw(dtype);
    const size_t dim = all.random()() % 3;
    c.numbers = {c.offset[dim]};
    c.graph = module_of(fmt::format("func.func @main() -> {0} {{\n  %0 = stablehlo.iota dim = {1} : {0}\n"
                                    "  return %0 : {0}\n}}\n",
                                    c.type(), dim));
    Source source = iota_source({dtype, c.extent, dim}, all.name());
    all.add(std::move(c), std::move(source));
  }
  all.check();
}

TEST_CASE("random bits and the state after them") {
  Cases all;
  for (const DType dtype :
       {DType::u8, DType::u16, DType::s32, DType::u64, DType::f32, DType::bf16, DType::f64, DType::s4})
    for (const auto &[algorithm, words] : {std::pair{"THREE_FRY", 2}, {"PHILOX", 2}, {"PHILOX", 3}}) {
      Case c = all.draw(dtype);
      c.result = 1;
      c.arguments = {drawn_elements(DType::u64, words, all.random())};
      const std::string state = fmt::format("tensor<{}xui64>", words);
      c.graph = module_of(
          fmt::format("func.func @main(%s: {0}) -> ({0}, {1}) {{\n"
                      "  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = {2} : ({0}) -> ({0}, {1})\n"
                      "  return %0, %1 : {0}, {1}\n}}\n",
                      state, c.type(), algorithm));
      Source source = random_bits_source(
          {dtype, std::string(algorithm) == "THREE_FRY", words, c.whole, c.extent}, all.name());
      all.add(std::move(c), std::move(source));
    }
  all.check();
}

TEST_CASE("random numbers of both distributions") {
  Cases all;
  for (int t = 0; t < static_cast<int>(DType::count_); ++t)
    for (const bool normal : {false, true}) {
      const auto dtype = static_cast<DType>(t);
      if (!ops::kAll.has(dtype) || graph::is_complex(dtype) || (normal && !graph::is_float(dtype)))
        continue;
      Case c = all.draw(dtype);
      c.arguments = {ops::element_bytes(dtype, 0.5), ops::element_bytes(dtype, 3)};
      c.graph = module_of(fmt::format("func.func @main(%a: {0}, %b: {0}) -> {1} {{\n  %n = "
                                      "stablehlo.constant dense<[{2}, {3}, {4}]> : tensor<3xi64>\n"
                                      "  %0 = stablehlo.rng %a, %b, %n, distribution = {5} : ({0}, {0}, "
                                      "tensor<3xi64>) -> {1}\n  return %0 : {1}\n}}\n",
                                      graph::to_text({dtype, {}}), c.type(), c.whole[0], c.whole[1],
                                      c.whole[2], normal ? "NORMAL" : "UNIFORM"));
      auto source =
          random_numbers_source({dtype, normal, stream_of(*c.graph), c.whole, c.extent}, all.name());
      REQUIRE(source.has_value());
      all.add(std::move(c), std::move(*source));
    }
  all.check();
}

} // namespace tw::test_generated_numbers
