// SPDX-License-Identifier: Apache-2.0
// Whole programs: ours, and those that nobody here wrote.
#include "print.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/ref/evaluate.hpp"
#include "support/unit.hpp"

namespace tw::import_test_programs {

namespace {

std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<import::Imported> import_file(const std::string &path, std::string entry = "") {
  import::ImportOptions options;
  options.file = path;
  options.entry = std::move(entry);
  return import::import_text(read(path), options);
}

uint32_t count(const import::Imported &imported, std::string_view op) {
  for (const auto &[name, n] : imported.census)
    if (name == op)
      return n;
  return 0;
}

} // namespace

TEST_CASE("every small program of the tree imports and verifies") {
  size_t programs = 0;
  for (const auto &entry : std::filesystem::directory_iterator(test::source_path("tests/golden/programs"))) {
    if (entry.path().extension() != ".mlir")
      continue;
    CAPTURE(entry.path().string());
    const auto imported = import_file(entry.path().string());
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    CHECK(ops::verify(*imported->graph).has_value());
    ++programs;
  }
  CHECK(programs >= 10);
}

TEST_CASE("a GPT training step") {
  const auto imported = import_file(test::source_path("examples/models/gpt_step.mlir"));
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const graph::Graph &g = *imported->graph;
  CHECK(ops::verify(g).has_value());
  CHECK(g.module_name() == "jit_step");
  CHECK(g.argument_name(0) == "params['head']");
  CHECK(g.alias_of_argument(1) == 1);
  CHECK(count(*imported, "stablehlo.dot_general") == 99);
  CHECK(count(*imported, "stablehlo.scatter") == 1);
  CHECK(imported->annotations.all.empty());
  CHECK(g.memory_bytes() / g.ops().size() < 1024);
}

TEST_CASE("chess-9M: calls, gathers, one partition") {
  const auto path = test::real_program("searchless_chess_9m_jax.mlir");
  if (!path)
    return;
  const auto imported = import_file(*path);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const graph::Graph &g = *imported->graph;
  CHECK(ops::verify(g).has_value());
  CHECK(g.arguments().size() == 95);
  CHECK(g.results().size() == 1);
  CHECK(graph::to_short_text(g.type(g.operands(g.results()[0])[0])) == "f32[33,79,128]");
  CHECK(imported->annotations.all.empty());
  REQUIRE(imported->notes.size() == 1);
  CHECK(imported->notes[0].text.find("num_partitions = 1") != std::string::npos);
  // An op of a function that a called function calls is named by the way to it.
  bool found = false;
  for (graph::ValueId v = 0; v < g.values().size(); ++v)
    found |= g.value_name(v) == "%0.%3";
  CHECK(found);
}

TEST_CASE("KAN: quoted function names") {
  const auto path = test::real_program("kan1_reactant.mlir");
  if (!path)
    return;
  const auto imported = import_file(*path);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  CHECK(ops::verify(*imported->graph).has_value());
  CHECK(imported->functions == 49);
}

TEST_CASE("nanoGPT: generic form, mhlo, entry forward, opaque calls") {
  const auto path = test::real_program("nanogpt_forward_mhlo.mlir");
  if (!path)
    return;
  const auto imported = import_file(*path);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  CHECK(ops::verify(*imported->graph).has_value());
  CHECK(count(*imported, "stablehlo.custom_call") == 21);
  CHECK(imported->notes.empty()); // what the calls say besides goes with them
}

TEST_CASE("Kimi-K2: markers, composites, Shardy's constants") {
  const auto path = test::real_program("kimi_k2_layer_torchxla_expert.mlir");
  if (!path)
    return;
  const auto imported = import_file(*path);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const graph::Graph &g = *imported->graph;
  CHECK(ops::verify(g).has_value());
  CHECK(g.argument_name(0) == "p0.1");
  REQUIRE(imported->annotations.meshes.size() == 1);
  CHECK(imported->annotations.meshes[0].axes == std::vector<std::pair<std::string, int64_t>>{{"_axis_0", 2}});
  CHECK(imported->annotations.all.size() == 15);
}

TEST_CASE(
    "programs that are device-local already: what each returns is the loss of an MLP over the whole batch") {
  for (const char *name : {"mlp_fsdp_tp_jax_shardy.mlir", "mlp_fsdp_jax_gspmd.mlir"}) {
    const auto path = test::real_program(name);
    if (!path)
      continue;
    CAPTURE(name);
    const auto imported = import_file(*path);
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    const graph::Graph &g = *imported->graph;
    CHECK(ops::verify(g).has_value());
    // Six layers of weights and biases, the batch and what is wanted: small whole numbers, so that sums are
    // exact.
    std::vector<kernels::ref::Array> arguments;
    std::vector<std::vector<double>> values;
    for (const graph::OpId id : g.arguments()) {
      kernels::ref::Array array{g.type(g.result(id)), {}};
      auto &value = values.emplace_back(static_cast<size_t>(array.type.elements()));
      array.bytes.resize(value.size() * sizeof(float));
      for (size_t i = 0; i < value.size(); ++i) {
        const float x = static_cast<float>((i * 7 + values.size() * 3) % 5) * 0.25f - 0.5f;
        value[i] = x;
        std::memcpy(array.bytes.data() + i * sizeof(float), &x, sizeof(float));
      }
      arguments.push_back(std::move(array));
    }
    REQUIRE(arguments.size() == 14);
    const auto results = kernels::ref::evaluate(g, arguments);
    REQUIRE(results.has_value());
    std::vector<double> h = values[12];
    for (size_t layer = 0; layer < 6; ++layer) {
      const auto &w = values[2 * layer], &b = values[2 * layer + 1];
      const size_t out = b.size(), in = w.size() / out;
      std::vector<double> next(32 * out);
      for (size_t row = 0; row < 32; ++row)
        for (size_t c = 0; c < out; ++c) {
          double sum = b[c];
          for (size_t k = 0; k < in; ++k)
            sum += h[row * in + k] * w[k * out + c];
          next[row * out + c] = layer < 5 ? std::max(sum, 0.0) : sum;
        }
      h = std::move(next);
    }
    double loss = 0;
    for (size_t i = 0; i < h.size(); ++i)
      loss += (h[i] - values[13][i]) * (h[i] - values[13][i]) / 32;
    float got = 0;
    std::memcpy(&got, (*results)[0].bytes.data(), sizeof got);
    CHECK(got == doctest::Approx(loss).epsilon(1e-4));
  }
}

} // namespace tw::import_test_programs
