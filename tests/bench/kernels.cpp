// SPDX-License-Identifier: Apache-2.0
// Times kernels in one thread against the limits of the machine, measured in the same run:
// `./dev bench kernels [--json FILE] [filter]`. Every figure is the best of several rounds; the ratio is what
// counts. Longer than other files: one table of all kernels, measured against the same limits.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hwy/aligned_allocator.h>
#include <nlohmann/json.hpp>

#include "base/allocator.hpp"
#include "bench/peak.hpp"
#include "kernels/chain.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/entry.hpp"
#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"
#include "ops/attributes.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

#ifdef TW_WITH_ONEDNN
#include "bench/peer_onednn_convolution.hpp"
#include "kernels/onednn/product.hpp"
#endif

using namespace tw;
using graph::DType;

namespace {

double best_seconds(const std::function<void()> &run) {
  run();
  double best = 1e30;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < 5 || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(150);
       ++round) {
    const auto t = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count());
    if (round > 200)
      break;
  }
  return best;
}

// A touched buffer in such memory as executables have, begun apart from others in the cache sets.
struct Memory {
  explicit Memory(int64_t bytes)
      : data(static_cast<std::byte *>(
            hwy::AllocateAlignedBytes(static_cast<size_t>(bytes), allocate, nullptr))) {
    for (int64_t i = 0; i + 4 <= bytes; i += 4) {
      const float value = 0.25f + static_cast<float>(i % 1021) / 4096;
      std::memcpy(data.get() + i, &value, 4);
    }
  }

  static constexpr size_t kAlignment = 64;
  static void *allocate(void *, size_t bytes) { return Allocator().allocate(bytes, kAlignment); }
  struct Release {
    void operator()(std::byte *at) const {
      hwy::FreeAlignedBytes(
          at, [](void *, void *memory) { Allocator().release(memory, 0, kAlignment); }, nullptr);
    }
  };
  std::unique_ptr<std::byte, Release> data;
};

class Report {
public:
  explicit Report(std::string filter) : filter_(std::move(filter)) {
    std::printf("%-52s %12s %12s %7s\n", "kernel, one thread", "measured", "limit", "ratio");
  }
  bool wants(const std::string &name) const { return name.find(filter_) != std::string::npos; }
  // `work` per second in `unit`s, beside a limit in the same unit.
  void line(const std::string &name, double seconds, double work, const char *unit,
            const std::string &limit_name, double limit) {
    const double rate = work / seconds / 1e9;
    std::printf("%-52s %7.1f %-4s %7.1f %-4s %6.2f  of %s\n", name.c_str(), rate, unit, limit, unit,
                rate / limit, limit_name.c_str());
    std::fflush(stdout);
    rows_.push_back({{"name", name},
                     {"value", rate},
                     {"unit", unit},
                     {"limit", limit},
                     {"limit_name", limit_name},
                     {"ratio", rate / limit}});
  }
  void write(const std::string &path) const {
    std::ofstream(path) << nlohmann::json{{"bench", "kernels"}, {"rows", rows_}}.dump(2) << "\n";
  }

private:
  std::string filter_;
  nlohmann::json rows_ = nlohmann::json::array();
};

constexpr int64_t kLarge = int64_t{64} << 20; // bytes: well beyond the caches

struct Limits {
  double copy, read, product; // GB/s read and written, GB/s read, Gflop/s
};

kernels::Tile whole_tile(DType dtype, std::vector<int64_t> dims) {
  return {dtype, dims, std::vector<int64_t>(dims.size(), 0), dims};
}

// A kernel call on whole arrays.
struct Call {
  std::unique_ptr<kernels::Kernel> kernel;
  std::vector<Memory> memory;
  std::vector<const void *> operands; // and what parts share
  std::vector<void *> results;
  std::unique_ptr<Memory> scratch;
  int64_t bytes = 0; // of operands and results

  void finish(const std::vector<int64_t> &operand_bytes, int64_t result_bytes) {
    for (int64_t n : operand_bytes) {
      operands.push_back(memory.emplace_back(n + 64).data.get());
      bytes += n;
    }
    results.push_back(memory.emplace_back(result_bytes + 64).data.get());
    bytes += result_bytes;
    operands.push_back(memory.emplace_back(kernel->shared_bytes() + 64).data.get());
    scratch = std::make_unique<Memory>(kernel->scratch_bytes() + 64);
  }
  void run() const {
    if (!run_serially(*kernel, operands, results, scratch->data.get()))
      std::abort();
  }
};

// Nothing where this kernel does not take the call.
std::optional<Call> bind_with(kernels::Factory factory, const char *name, graph::Attrs attrs,
                              const std::vector<graph::TensorType> &in, const graph::TensorType &out,
                              const graph::Graph &graph = {}, std::vector<graph::RegionId> regions = {}) {
  std::vector<const graph::TensorType *> in_types;
  std::vector<kernels::Tile> in_tiles;
  std::vector<int64_t> in_bytes;
  for (const auto &t : in) {
    in_types.push_back(&t);
    in_tiles.push_back(whole_tile(t.dtype, t.dims));
    in_bytes.push_back(t.bytes());
  }
  const std::vector<const graph::TensorType *> out_types{&out};
  const std::vector<kernels::Tile> out_tiles{whole_tile(out.dtype, out.dims)};
  const ops::OpView view{graph, attrs, in_types, out_types, regions};
  auto kernel = factory({view, ops::op_def(*ops::find_op(name)), in_tiles, out_tiles});
  if (!kernel)
    return std::nullopt;
  Call call;
  call.kernel = std::move(kernel);
  call.memory.reserve(in.size() + 1);
  call.finish(in_bytes, out.bytes());
  return call;
}

// The kernel that the library chooses.
Call bind(const char *name, graph::Attrs attrs, const std::vector<graph::TensorType> &in,
          const graph::TensorType &out, const graph::Graph &graph = {},
          std::vector<graph::RegionId> regions = {}) {
  const auto first = [](const kernels::Request &r) {
    auto kernel = kernels::bind(r);
    return kernel ? std::move(*kernel) : nullptr;
  };
  auto call = bind_with(first, name, std::move(attrs), in, out, graph, std::move(regions));
  if (!call)
    std::abort();
  return std::move(*call);
}

Limits measure_limits() {
  Memory a(kLarge), b(kLarge);
  const std::vector<int64_t> extent{kLarge / 4}, stride{1};
  const kernels::cpu::CopyPlan stream(extent, stride, stride, 4, kernels::cpu::CopyPlan::Stream::always);
  const double plain =
      best_seconds([&] { std::memcpy(b.data.get(), a.data.get(), static_cast<size_t>(kLarge)); });
  const double past_caches = best_seconds([&] { stream.run(a.data.get(), b.data.get()); });
  uint64_t sink = 0;
  const double read = best_seconds([&] {
    uint64_t lanes[32] = {};
    const auto *x = reinterpret_cast<const uint64_t *>(a.data.get());
    for (int64_t i = 0; i < kLarge / 8; i += 32)
      for (int64_t j = 0; j < 32; ++j)
        lanes[j] += x[i + j];
    for (uint64_t v : lanes)
      sink += v;
  });
  if (sink == 1)
    std::puts("");
  Limits limits{2.0 * static_cast<double>(kLarge) / std::min(plain, past_caches) / 1e9,
                static_cast<double>(kLarge) / read / 1e9, 0};
#ifdef TW_WITH_ONEDNN
  // The best that the matrix library reaches anywhere on this core: operands in the second-level cache.
  const auto product =
      kernels::onednn::Product::create({1, 256, 256, 256, false, false, DType::f32, DType::f32});
  Memory x(256 * 256 * 4), y(256 * 256 * 4), z(256 * 256 * 4), scratch(product->scratch_bytes() + 64);
  const double t = best_seconds([&] {
    if (!product->run(x.data.get(), y.data.get(), z.data.get(), scratch.data.get()))
      std::abort();
  });
  limits.product = 2.0 * 256 * 256 * 256 / t / 1e9;
#endif
  std::printf(
      "limits: copy %.1f GB/s (memcpy %.1f, past caches %.1f), read %.1f GB/s, products %.1f Gflop/s\n\n",
      limits.copy, 2.0 * static_cast<double>(kLarge) / plain / 1e9,
      2.0 * static_cast<double>(kLarge) / past_caches / 1e9, limits.read, limits.product);
  return limits;
}

void products(Report &report, const Limits &limits) {
  struct Case {
    const char *name;
    std::vector<int64_t> lhs, rhs, out, lhs_batch, rhs_batch, lhs_k, rhs_k;
  };
  const Case cases[] = {
      {"product 1024^3", {1024, 1024}, {1024, 1024}, {1024, 1024}, {}, {}, {1}, {0}},
      {"product 1024^3, both transposed", {1024, 1024}, {1024, 1024}, {1024, 1024}, {}, {}, {0}, {1}},
      {"product of a layer, 33x79x256 by 256x1024",
       {33, 79, 256},
       {256, 1024},
       {33, 79, 1024},
       {},
       {},
       {2},
       {0}},
      {"product of attention scores, 33x79x8x32",
       {33, 79, 8, 32},
       {33, 79, 8, 32},
       {33, 8, 79, 79},
       {0, 2},
       {0, 2},
       {3},
       {3}},
      {"product of a weight gradient, 2607x256 by 2607x1024",
       {2607, 256},
       {2607, 1024},
       {256, 1024},
       {},
       {},
       {0},
       {0}},
  };
  for (DType type : {DType::f32, DType::bf16})
    for (const Case &c : cases) {
      const std::string name = std::string(c.name) + ", " + std::string(graph::name(type));
      if (!report.wants(name) || (type != DType::f32 && &c != cases))
        continue;
      graph::Attrs attrs(6);
      attrs[ops::slot::dot_general::lhs_batching_dimensions] = c.lhs_batch;
      attrs[ops::slot::dot_general::rhs_batching_dimensions] = c.rhs_batch;
      attrs[ops::slot::dot_general::lhs_contracting_dimensions] = c.lhs_k;
      attrs[ops::slot::dot_general::rhs_contracting_dimensions] = c.rhs_k;
      const graph::TensorType out{type, c.out};
      const Call call = bind("stablehlo.dot_general", attrs, {{type, c.lhs}, {type, c.rhs}}, out);
      double flops = 2.0 * static_cast<double>(out.elements());
      for (int64_t d : c.lhs_k)
        flops *= static_cast<double>(c.lhs[static_cast<size_t>(d)]);
      report.line(name, best_seconds([&] { call.run(); }), flops, "GF/s", "f32 products", limits.product);
    }
}

// What takes no longer than reading the right operand, of 64 MiB: a few rows by a matrix, and by the values
// of attention.
void products_of_few_rows(Report &report, const Limits &limits) {
  struct Case {
    std::string name;
    graph::Attrs attrs;
    std::vector<int64_t> lhs, rhs, out;
  };
  using Dims = std::vector<int64_t>;
  for (const int64_t rows : {1, 4, 16})
    for (const Case &c : {Case{"4096x4096",
                               {Dims{}, Dims{}, Dims{1}, Dims{0}, {}, {}},
                               {rows, 4096},
                               {4096, 4096},
                               {rows, 4096}},
                          Case{"the values of 2x8 heads, 16384x64",
                               {Dims{0, 1}, Dims{0, 2}, Dims{3}, Dims{1}, {}, {}},
                               {2, 8, rows, 16384},
                               {2, 16384, 8, 64},
                               {2, 8, rows, 64}}}) {
      const std::string name = fmt::format("product of {} row{} by {}", rows, rows == 1 ? "" : "s", c.name);
      if (!report.wants(name))
        continue;
      const Call call = bind("stablehlo.dot_general", c.attrs, {{DType::f32, c.lhs}, {DType::f32, c.rhs}},
                             {DType::f32, c.out});
      report.line(name, best_seconds([&] { call.run(); }), static_cast<double>(kLarge), "GB/s", "read",
                  limits.read);
    }
}

// Our own product against multiply-adds in registers, by one worker and by two.
void own_products(Report &report) {
  struct Case {
    const char *name;
    DType type;
    int64_t m, n, k;
    bool k_inner; // of the right operand
  };
  const Case cases[] = {{"own product 256^3, f64", DType::f64, 256, 256, 256, false},
                        {"own product 1024^3, f64", DType::f64, 1024, 1024, 1024, false},
                        {"own product 1000x1000x3000, f64", DType::f64, 1000, 1000, 3000, true},
                        {"own product 1024^3, i32", DType::s32, 1024, 1024, 1024, false},
                        {"own product 1024^3, i64", DType::s64, 1024, 1024, 1024, false}};
  for (const unsigned workers : {1u, 2u}) {
    WorkerPool pool(workers);
    double peak = 0; // of f32
    for (const Case &c : cases) {
      const std::string name = fmt::format("{}, {} worker{}", c.name, workers, workers == 1 ? "" : "s");
      if (!report.wants(name))
        continue;
      peak = peak > 0 ? peak : bench::fma_peak_gflops(pool);
      graph::Attrs attrs(6);
      attrs[ops::slot::dot_general::lhs_batching_dimensions] = std::vector<int64_t>();
      attrs[ops::slot::dot_general::rhs_batching_dimensions] = std::vector<int64_t>();
      attrs[ops::slot::dot_general::lhs_contracting_dimensions] = std::vector<int64_t>{1};
      attrs[ops::slot::dot_general::rhs_contracting_dimensions] = std::vector<int64_t>{c.k_inner ? 1 : 0};
      const std::vector<int64_t> rhs = c.k_inner ? std::vector{c.n, c.k} : std::vector{c.k, c.n};
      const Call call =
          bind("stablehlo.dot_general", attrs, {{c.type, {c.m, c.k}}, {c.type, rhs}}, {c.type, {c.m, c.n}});
      std::vector<Memory> scratch;
      for (unsigned w = 0; w < workers; ++w)
        scratch.emplace_back(call.kernel->scratch_bytes() + 64);
      const double seconds = best_seconds([&] {
        pool.parallel_for(call.kernel->parts(), [&](int64_t part, unsigned worker) {
          if (!call.kernel->run(part, call.operands, call.results, scratch[worker].data.get()))
            std::abort();
        });
      });
      const double flops =
          2.0 * static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(c.k);
      report.line(name, seconds, flops, "GF/s", "FMA peak of this width",
                  peak * 4 / static_cast<double>(graph::byte_size(c.type)));
    }
  }
}

// A layer of 3 x 3 windows over 56 x 56 images of 64 channels, and its gradients as they are written: that of
// the images with the kernel turned round, that of the weights with the result's gradient for a kernel.
void convolutions(Report &report, const Limits &limits) {
  struct Case {
    const char *name;
    std::vector<int64_t> lhs, rhs, out, lhs_dims, rhs_dims, out_dims, strides, padding, base, dilations;
  };
  const std::vector<int64_t> once{1, 1}, twice{2, 2}, around{1, 1, 1, 1}, last{0, 3, 1, 2};
  const Case cases[] = {
      {"convolution 3x3, 64 to 64, 8x56x56",
       {8, 56, 56, 64},
       {3, 3, 64, 64},
       {8, 56, 56, 64},
       last,
       {2, 3, 0, 1},
       last,
       once,
       around,
       once,
       once},
      {"convolution 3x3, channels first",
       {8, 64, 56, 56},
       {64, 64, 3, 3},
       {8, 64, 56, 56},
       {0, 1, 2, 3},
       {1, 0, 2, 3},
       {0, 1, 2, 3},
       once,
       around,
       once,
       once},
      {"convolution 3x3, images' gradient",
       {8, 56, 56, 64},
       {3, 3, 64, 64},
       {8, 56, 56, 64},
       last,
       {3, 2, 0, 1},
       last,
       once,
       around,
       once,
       once},
      {"convolution 3x3 stride 2, images' gradient",
       {8, 28, 28, 64},
       {3, 3, 64, 64},
       {8, 56, 56, 64},
       last,
       {3, 2, 0, 1},
       last,
       once,
       {2, 1, 2, 1},
       twice,
       once},
      {"convolution 3x3, weights' gradient",
       {8, 56, 56, 64},
       {8, 56, 56, 64},
       {3, 3, 64, 64},
       {3, 0, 1, 2},
       {0, 3, 1, 2},
       {2, 3, 0, 1},
       once,
       around,
       once,
       once},
      {"convolution 3x3 stride 2, weights' gradient",
       {8, 56, 56, 64},
       {8, 28, 28, 64},
       {3, 3, 64, 64},
       {3, 0, 1, 2},
       {0, 3, 1, 2},
       {2, 3, 0, 1},
       once,
       {0, 1, 0, 1},
       once,
       twice},
  };
  for (const DType type : {DType::f32, DType::f64})
    for (const Case &c : cases) {
      const std::string name = std::string(c.name) + ", " + std::string(graph::name(type));
      if (!report.wants(name))
        continue;
      const graph::Attrs attrs{c.lhs_dims,  c.rhs_dims, c.out_dims, c.strides, c.padding, c.base,
                               c.dilations, {},         {},         {},        {}};
      const std::vector<graph::TensorType> in{{type, c.lhs}, {type, c.rhs}};
      const graph::TensorType out{type, c.out};
      double flops = 2.0 * 9 * 64 * 64 * 8 * 56 * 56;
      if (c.lhs[1] == 28 || c.rhs[1] == 28)
        flops /= 4;
      double limit = limits.product / (type == DType::f64 ? 2 : 1);
      std::string limit_name = "products";
#ifdef TW_WITH_ONEDNN
      if (const auto peer = bind_with(bench::onednn_convolution, "stablehlo.convolution", attrs, in, out)) {
        limit = flops / best_seconds([&] { peer->run(); }) / 1e9;
        limit_name = peer->kernel->name();
      }
#endif
      const Call call = bind("stablehlo.convolution", attrs, in, out);
      report.line(name, best_seconds([&] { call.run(); }), flops, "GF/s", limit_name, limit);
    }
}

void movement(Report &report, const Limits &limits) {
  const auto transpose = [&](const char *name, const std::vector<int64_t> &in,
                             const std::vector<int64_t> &permutation) {
    if (!report.wants(name))
      return;
    std::vector<int64_t> out;
    for (int64_t d : permutation)
      out.push_back(in[static_cast<size_t>(d)]);
    const Call call = bind("stablehlo.transpose", {permutation}, {{DType::f32, in}}, {DType::f32, out});
    report.line(name, best_seconds([&] { call.run(); }), static_cast<double>(call.bytes), "GB/s", "copy",
                limits.copy);
  };
  transpose("transpose 4096^2", {4096, 4096}, {1, 0});
  transpose("transpose bshd to bhsd, 32x512x16x64", {32, 512, 16, 64}, {0, 2, 1, 3});
  transpose("transpose 256^3, first dimension last", {256, 256, 256}, {1, 2, 0});
  if (report.wants("slice of rows")) {
    const Call call =
        bind("stablehlo.slice",
             {std::vector<int64_t>{0, 64}, std::vector<int64_t>{8192, 1024}, std::vector<int64_t>{1, 1}},
             {{DType::f32, {8192, 2048}}}, {DType::f32, {8192, 960}});
    report.line("slice of rows", best_seconds([&] { call.run(); }), 2.0 * 8192 * 960 * 4, "GB/s", "copy",
                limits.copy);
  }
}

struct Region {
  std::shared_ptr<const graph::Graph> graph;
  graph::RegionId id;
};

Region region_of(const char *op, DType dtype) {
  graph::GraphBuilder b("bench", "");
  const std::vector<graph::TypeId> pair(2, b.type({dtype, {}}));
  const graph::RegionId region = b.open_region(pair);
  const auto args = b.graph().region(region).args;
  const auto id =
      ops::add(b, *ops::find_op(op), args, graph::Attrs(ops::op_def(*ops::find_op(op)).attrs.size()));
  b.close_region({b.graph().result(*id)});
  return {b.finish(), region};
}

void reductions(Report &report, const Limits &limits) {
  struct Case {
    const char *name;
    const char *op;
    std::vector<int64_t> in, dims, out;
  };
  const Case cases[] = {
      {"sum over the last axis, 16384x1024", "stablehlo.add", {16384, 1024}, {1}, {16384}},
      {"sum over the first axis, 16384x1024", "stablehlo.add", {16384, 1024}, {0}, {1024}},
      {"sum over the middle axis, 256x256x256", "stablehlo.add", {256, 256, 256}, {1}, {256, 256}},
      {"sum of everything, 64 MiB", "stablehlo.add", {16384, 1024}, {0, 1}, {}},
      {"maximum over the last axis, 16384x1024", "stablehlo.maximum", {16384, 1024}, {1}, {16384}},
      {"maximum over the first axis, 16384x1024", "stablehlo.maximum", {16384, 1024}, {0}, {1024}},
  };
  for (const Case &c : cases) {
    if (!report.wants(c.name))
      continue;
    const Region region = region_of(c.op, DType::f32);
    const Call call = bind("stablehlo.reduce", {c.dims}, {{DType::f32, c.in}, {DType::f32, {}}},
                           {DType::f32, c.out}, *region.graph, {region.id});
    report.line(c.name, best_seconds([&] { call.run(); }), static_cast<double>(kLarge), "GB/s", "read",
                limits.read);
  }
}

// Builds a group of elementwise ops on f32.
class Group {
public:
  explicit Group(std::vector<int64_t> extent) : type_{DType::f32, std::move(extent)} {
    request_.extent = type_.dims;
  }
  uint32_t input(std::vector<int64_t> strides) {
    request_.inputs.push_back({DType::f32, std::move(strides)});
    return static_cast<uint32_t>(request_.inputs.size() - 1);
  }
  uint32_t op(const char *name, std::vector<uint32_t> args) {
    const ops::OpDef &def = ops::op_def(*ops::find_op(name));
    const auto n = args.size();
    request_.nodes.push_back({{graph_, attrs_, std::span(types_).first(n), std::span(types_).first(1), {}},
                              &def,
                              DType::f32,
                              std::move(args)});
    return static_cast<uint32_t>(request_.inputs.size() + request_.nodes.size() - 1);
  }
  std::unique_ptr<kernels::Kernel> finish() {
    request_.outputs = {static_cast<uint32_t>(request_.nodes.size() - 1)};
    return kernels::bind_fused(request_);
  }

private:
  graph::Graph graph_;
  graph::Attrs attrs_ = graph::Attrs(4);
  graph::TensorType type_;
  std::vector<const graph::TensorType *> types_ = std::vector<const graph::TensorType *>(3, &type_);
  kernels::FusedRequest request_;
};

void hand_loop(const float *a, const float *b, const float *c, float *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float v = a[i] * b[i] + c[i];
    y[i] = v > 0 ? v : 0;
  }
}

void chains(Report &report, const Limits &limits) {
  for (const int64_t n : {kLarge / 4, int64_t{32} << 10}) {
    const std::string where = n == kLarge / 4 ? ", 64 MiB arrays" : ", arrays in cache";
    if (!report.wants("relu(a*b + c)" + where))
      continue;
    Group g({n});
    const auto a = g.input({1}), b = g.input({1}), c = g.input({1}), zero = g.input({0});
    g.op("stablehlo.maximum", {g.op("stablehlo.add", {g.op("stablehlo.multiply", {a, b}), c}), zero});
    Call call;
    call.kernel = g.finish();
    call.memory.reserve(5);
    call.finish({4 * n, 4 * n, 4 * n, 4}, 4 * n);
    const double loop = best_seconds([&] {
      hand_loop(static_cast<const float *>(call.operands[0]), static_cast<const float *>(call.operands[1]),
                static_cast<const float *>(call.operands[2]), static_cast<float *>(call.results[0]), n);
    });
    report.line("relu(a*b + c)" + where, best_seconds([&] { call.run(); }), static_cast<double>(n), "Ge/s",
                "the loop by hand", static_cast<double>(n) / loop / 1e9);
  }
  const auto one = [&](const char *name, const char *op, int64_t rows, std::vector<int64_t> strides,
                       int64_t other) {
    if (!report.wants(name))
      return;
    Group g({rows, 1024});
    const auto x = g.input({1024, 1});
    if (other > 0)
      g.op(op, {x, g.input(std::move(strides))});
    else
      g.op(op, {x});
    Call call;
    call.kernel = g.finish();
    call.memory.reserve(3);
    std::vector<int64_t> bytes{4096 * rows};
    if (other > 0)
      bytes.push_back(4 * other);
    call.finish(bytes, 4096 * rows);
    report.line(name, best_seconds([&] { call.run(); }), static_cast<double>(8192 * rows), "GB/s", "copy",
                limits.copy);
  };
  one("exponential, 64 MiB arrays", "stablehlo.exponential", 16384, {}, 0);
  one("exponential, arrays in cache", "stablehlo.exponential", 64, {}, 0);
  one("tanh, 64 MiB arrays", "stablehlo.tanh", 16384, {}, 0);
  one("add a row to every row, 64 MiB arrays", "stablehlo.add", 16384, {0, 1}, 1024);
  one("subtract one number per row, 64 MiB arrays", "stablehlo.subtract", 16384, {1, 0}, 16384);
  one("divide by one number per row, 64 MiB arrays", "stablehlo.divide", 16384, {1, 0}, 16384);
}

// A softmax over rows as a chain takes it: whole kernels beside it, one after the other.
void rows(Report &report, const Limits &limits) {
  for (const int64_t columns : {79, 1024}) {
    const int64_t n = kLarge / 4 / columns, bytes = 4 * n * columns;
    const std::string name = fmt::format("softmax of 64 MiB, rows of {}", columns);
    if (!report.wants(name))
      continue;
    const Region max = region_of("stablehlo.maximum", DType::f32),
                 sum = region_of("stablehlo.add", DType::f32);
    std::vector<std::unique_ptr<kernels::Kernel>> kept;
    const auto reduce = [&](const Region &region, int64_t some) {
      Call call = bind("stablehlo.reduce", {std::vector<int64_t>{1}},
                       {{DType::f32, {some, columns}}, {DType::f32, {}}}, {DType::f32, {some}}, *region.graph,
                       {region.id});
      return kept.emplace_back(std::move(call.kernel)).get();
    };
    const auto group = [&](int64_t some, bool first) {
      Group g({some, columns});
      const auto x = g.input({columns, 1}), row = g.input({1, 0});
      if (first)
        g.op("stablehlo.exponential", {g.op("stablehlo.subtract", {x, row})});
      else
        g.op("stablehlo.divide", {x, row});
      return kept.emplace_back(g.finish()).get();
    };
    using Where = kernels::ChainPlace::Where;
    kernels::ChainRequest c;
    c.rows = c.segment = n;
    c.block = std::max<int64_t>(1, (16 << 10) / (4 * columns));
    c.part_blocks = 16;
    const int64_t row = 4 * columns, least = c.block * row, top = (least + 63) / 64 * 64,
                  total = top + 4 * c.block + 64;
    c.buffer_bytes = total + 4 * c.block;
    const kernels::ChainPlace x{Where::operand, 0, {{n, row}}}, init{Where::operand, 1, {}},
        y{Where::result, 0, {{n, row}}}, e{Where::buffer, 0, {}}, m{Where::buffer, top, {}},
        s{Where::buffer, total / 64 * 64, {}};
    const int64_t rest = std::max<int64_t>(n % c.block, 1);
    c.members.push_back({reduce(max, c.block), reduce(max, rest), {x, init}, {m}});
    c.members.push_back({group(c.block, true), group(rest, true), {x, m}, {e}});
    c.members.push_back({reduce(sum, c.block), reduce(sum, rest), {e, init}, {s}});
    c.members.push_back({group(c.block, false), group(rest, false), {e, s}, {y}});
    Call call;
    call.kernel = kernels::bind_chain(std::move(c));
    call.memory.reserve(3);
    call.finish({bytes, 4}, bytes);
    report.line(name, best_seconds([&] { call.run(); }), static_cast<double>(2 * bytes), "GB/s", "copy",
                limits.copy);
  }
}

} // namespace

int main(int argc, char **argv) {
  std::string json, filter;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--json" && i + 1 < argc)
      json = argv[++i];
    else
      filter = argv[i];
  }
  const Limits limits = measure_limits();
  Report report(filter);
  if (limits.product > 0) {
    products(report, limits);
    products_of_few_rows(report, limits);
    convolutions(report, limits);
  }
  own_products(report);
  movement(report, limits);
  reductions(report, limits);
  chains(report, limits);
  rows(report, limits);
  if (!json.empty())
    report.write(json);
  return 0;
}
