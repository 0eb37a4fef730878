// SPDX-License-Identifier: Apache-2.0
// What a GPU does through the plug-in, beside what it could do: copies, products, steps of programs, sorts,
// convolutions, transforms, factors, and what it costs to issue many commands. It says so and ends well where
// there is no GPU.
//   ./dev bench cuda [SIZE [JSON]]    of the square products, 8192
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "bench/cuda_programs.hpp"
#include "bench/need.hpp"
#include "bench/table.hpp"
#include "device/cuda/cuda.hpp"
#include "device/cuda/product_form.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "runtime/executable.hpp"
#include "runtime/queue_executor.hpp"
#include "spmd/program.hpp"

namespace {

using tw::device::cuda::Gpu;

constexpr size_t kWorkspace = size_t{32} << 20;

// A queue of a GPU, and events that time what is put into it.
class Stand {
public:
  explicit Stand(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)), table_(gpu_->table()) {
    need(table_.make_queue(gpu_->handle(), nullptr, &queue_, why_));
    for (tw_cuda_event *&event : events_)
      need(table_.make_event(gpu_->handle(), 1, &event, why_));
  }
  Stand(const Stand &) = delete;
  Stand &operator=(const Stand &) = delete;
  ~Stand() {
    table_.release_queue(queue_, 1);
    for (tw_cuda_event *event : events_)
      table_.release_event(event);
    for (std::byte *memory : memory_)
      gpu_->free(memory);
  }

  void need(tw_cuda_result result) const {
    if (result == TW_CUDA_OK)
      return;
    fmt::print(stderr, "{}\n", why_);
    std::exit(1);
  }
  std::byte *allocate(size_t bytes) {
    auto made = gpu_->allocate(bytes);
    if (!made) {
      fmt::print(stderr, "{}\n", made.error().message());
      std::exit(1);
    }
    return memory_.emplace_back(*made);
  }
  // The shortest of some runs on the GPU, after one that warms up.
  double seconds(const std::function<void()> &issue) {
    double best = 1e30;
    for (int repeat = 0; repeat < 8; ++repeat) {
      double now = 0;
      need(table_.record(events_[0], queue_, why_));
      issue();
      need(table_.record(events_[1], queue_, why_));
      need(table_.drain(queue_, why_));
      need(table_.elapsed(events_[0], events_[1], &now, why_));
      best = repeat == 0 ? best : std::min(best, now);
    }
    return best;
  }

  const Gpu &gpu() const { return *gpu_; }
  const tw_cuda_plugin &table() const { return table_; }
  tw_cuda_queue *queue() const { return queue_; }
  char *why() { return why_; }

private:
  std::shared_ptr<Gpu> gpu_;
  const tw_cuda_plugin &table_;
  tw_cuda_queue *queue_ = nullptr;
  tw_cuda_event *events_[2] = {};
  std::vector<std::byte *> memory_;
  char why_[TW_CUDA_WHY] = "";
};

// Answers the bytes a second, read and written.
double copies(Stand &s, size_t bytes, double stated, tw::bench::Table &rows) {
  std::byte *const from = s.allocate(bytes), *const to = s.allocate(bytes);
  const double each = s.seconds([&] { s.need(s.table().copy(s.queue(), to, from, bytes, s.why())); });
  rows.ratio("copy in the GPU's memory, read and written", 2e-9 * static_cast<double>(bytes) / each, "stated",
             stated * 1e-9, "GB/s", 0.7, true);
  return 2 * static_cast<double>(bytes) / each;
}

// Drawn bits: how fast a GPU multiplies depends on how many of them change.
void draw(Stand &s, std::byte *memory, size_t bytes, tw_cuda_type type) {
  void *pinned = nullptr;
  s.need(s.table().allocate_pinned(s.gpu().handle(), bytes, &pinned, s.why()));
  std::mt19937 random(1);
  auto *const words = static_cast<uint32_t *>(pinned);
  for (size_t i = 0; i < bytes / 4; ++i) // bf16 and f16 between 2^-7 and 1; f32 and f64 as small as that
    words[i] =
        type == TW_CUDA_F16 ? (random() & 0x83ff83ff) | 0x2c002c00 : (random() & 0x807f807f) | 0x3e003e00;
  s.need(s.table().copy(s.queue(), memory, pinned, bytes, s.why()));
  s.need(s.table().drain(s.queue(), s.why()));
  s.table().free_pinned(s.gpu().handle(), pinned);
}

// Answers the seconds of one.
double products(Stand &s, int64_t n, tw_cuda_type type, const char *name) {
  const auto bytes = static_cast<size_t>(n * n) * tw::device::cuda::byte_size(type);
  std::byte *const a = s.allocate(bytes), *const b = s.allocate(bytes), *const c = s.allocate(bytes),
                   *const workspace = s.allocate(kWorkspace);
  for (std::byte *memory : {a, b})
    draw(s, memory, bytes, type);
  const tw_cuda_matrix m = {type, 1, n, n, n, 0};
  const tw_cuda_product_form form = {m, m, m, 1, type == TW_CUDA_F64 ? TW_CUDA_IN_F64 : TW_CUDA_IN_F32};
  tw_cuda_product *product = nullptr;
  char algorithm[TW_CUDA_NAME] = "";
  s.need(s.table().plan_product(s.gpu().handle(), &form, 16, kWorkspace, &product, algorithm, s.why()));
  const double each = s.seconds([&] {
    s.need(s.table().multiply(s.queue(), product, a, b, nullptr, c, workspace, kWorkspace, s.why()));
  });
  s.table().release_product(product);
  const auto size = static_cast<double>(n);
  fmt::print("{:<58} {:>9.4g} TF/s {}\n", fmt::format("product {}^3 {}", n, name),
             2e-12 * size * size * size / each, algorithm);
  return each;
}

// Seconds of a library's work on operands of one value; 0 where the library is missing.
template <class Form>
double library(Stand &s, const Form &form,
               tw_cuda_result (*plan)(tw_cuda_gpu *, const Form *, tw_cuda_work **, char *),
               const std::vector<size_t> &operands, const std::vector<size_t> &results, const char *name,
               const std::function<void(std::byte *)> &prepare = {}) {
  tw_cuda_work *work = nullptr;
  if (plan == nullptr || plan(s.gpu().handle(), &form, &work, s.why()) != TW_CUDA_OK) {
    fmt::print("{:<58} not there: {}\n", name, plan == nullptr ? "built without its header" : s.why());
    return 0;
  }
  std::vector<const void *> in;
  std::vector<void *> out;
  for (const size_t bytes : operands) {
    std::byte *const memory = s.allocate(bytes);
    s.need(s.table().fill(s.queue(), memory, 0x3f, 1, bytes, s.why()));
    in.push_back(memory);
    if (prepare)
      prepare(memory);
  }
  for (const size_t bytes : results)
    out.push_back(s.allocate(bytes));
  const size_t bytes = s.table().work_bytes(work);
  std::byte *const workspace = s.allocate(std::max<size_t>(bytes, 256));
  const double each = s.seconds(
      [&] { s.need(s.table().run_work(s.queue(), work, in.data(), out.data(), workspace, bytes, s.why())); });
  fmt::print("{:<58} {:>9.4g} ms {}\n", name, each * 1e3, s.table().work_name(work));
  s.table().release_work(work);
  return each;
}

// Beside what the memory or the processors could do at best.
void libraries(const std::shared_ptr<Gpu> &gpu, double bandwidth, tw::bench::Table &rows) {
  const auto passes = [&](const char *name, double seconds, double bytes) {
    if (seconds > 0)
      rows.ratio(name, bytes * 1e-9 / seconds, "stated", bandwidth * 1e-9, "GB/s", 0, true);
  };
  {
    Stand s(gpu);
    const size_t n = size_t{1} << 26, bytes = n * 4;
    const tw_cuda_key f32 = {TW_CUDA_FLOAT, 4, 0x7f800000, 0x7fc00000, 0, 1, 1};
    const auto count = static_cast<int64_t>(n);
    const tw_cuda_sort_form sort = {f32, {count, 1, 1}, count, 0, 1, 0, {4}};
    // Four passes over keys and places, which are read and written.
    passes("sort of 2^26 f32: keys and places, four passes",
           library(s, sort, s.table().plan_sort, {bytes}, {bytes}, "sort of 2^26 f32"),
           4.0 * 16.0 * static_cast<double>(n));
    const tw_cuda_scan_form scan = {
        TW_CUDA_ADD, {TW_CUDA_SIGNED, 4, 0, 0, 0, 0, 0}, {count / 64, 1, 64}, 0, 0};
    passes("cumulative sums of 2^26 s32, read and written once",
           library(s, scan, s.table().plan_scan, {bytes, 4}, {bytes}, "cumulative sums of 2^26 s32"),
           8.0 * static_cast<double>(n));
  }
  {
    Stand s(gpu);
    constexpr int64_t kImages = 64, kSize = 56, kChannels = 256;
    const int64_t row = kSize * kChannels, image = kSize * row;
    const tw_cuda_tensor images = {{kImages, kChannels, kSize, kSize, 0}, {image, 1, row, kChannels, 0}};
    const tw_cuda_convolution_form form = {
        TW_CUDA_BF16,
        2,
        0,
        0,
        {1, 1},
        {1, 1},
        {1, 1},
        {1, 1},
        images,
        {{kChannels, kChannels, 3, 3, 0}, {9 * kChannels, 1, 3 * kChannels, kChannels, 0}},
        images,
        0,
        1,
        0,
        0,
        0};
    const auto bytes = static_cast<size_t>(kImages * image) * 2;
    const double each = library(s, form, s.table().plan_convolution,
                                {bytes, static_cast<size_t>(9 * kChannels * kChannels) * 2}, {bytes},
                                "convolution 64 x 56 x 56 x 256, 3 x 3, bf16");
    if (each > 0)
      fmt::print("{:<58} {:>9.4g} TF/s\n", "",
                 2e-12 * static_cast<double>(kImages * image) * 9 * kChannels / each);
  }
  {
    Stand s(gpu);
    const tw_cuda_fft_form form = {TW_CUDA_FFT, 0, 1, {1 << 20}, 64};
    const size_t bytes = size_t{64} << 23;
    passes("transforms of 64 x 2^20 c64, read and written once",
           library(s, form, s.table().plan_fft, {bytes}, {bytes}, "transforms of 64 x 2^20 c64"),
           2.0 * static_cast<double>(bytes));
  }
  Stand s(gpu);
  constexpr int64_t kOrder = 8192;
  const auto bytes = static_cast<size_t>(kOrder * kOrder) * 4;
  const tw_cuda_cholesky_form form = {TW_CUDA_F32, 1, kOrder, 1};
  const auto unit_matrix = [&](std::byte *memory) {
    s.need(s.table().fill(s.queue(), memory, 0, 4, static_cast<size_t>(kOrder * kOrder), s.why()));
    for (int64_t i = 0; i < kOrder; ++i)
      s.need(s.table().fill(s.queue(), memory + i * (kOrder + 1) * 4, 0x3f800000, 4, 1, s.why()));
  };
  const double each =
      library(s, form, s.table().plan_cholesky, {bytes}, {bytes}, "cholesky 8192 f32", unit_matrix);
  if (each > 0)
    fmt::print("{:<58} {:>9.4g} TF/s\n", "", static_cast<double>(kOrder) * kOrder * kOrder / 3e12 / each);
}

// A program of one device is some hundred commands: captured, they are issued at once.
void issuing(Stand &s) {
  constexpr int kCommands = 300;
  std::byte *const memory = s.allocate(kCommands * 64);
  const auto issue = [&] {
    for (int i = 0; i < kCommands; ++i)
      s.need(s.table().fill(s.queue(), memory + i * 64, 1, 4, 16, s.why()));
  };
  tw_cuda_graph *graph = nullptr;
  s.need(s.table().begin_capture(s.queue(), s.why()));
  issue();
  s.need(s.table().end_capture(s.queue(), &graph, s.why()));
  const auto host_seconds = [&](const std::function<void()> &work) {
    double best = 1e30;
    for (int repeat = 0; repeat < 50; ++repeat) {
      const auto begin = std::chrono::steady_clock::now();
      work();
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      s.need(s.table().drain(s.queue(), s.why()));
    }
    return best;
  };
  const double one_by_one = host_seconds(issue),
               at_once = host_seconds([&] { s.need(s.table().replay(s.queue(), graph, s.why())); });
  s.table().release_graph(graph);
  fmt::print("{:<58} {:>9.4g} us\n", "issuing 300 fills one by one", one_by_one * 1e6);
  fmt::print("{:<58} {:>9.4g} us\n", "issuing 300 captured fills", at_once * 1e6);
}

// What the issuing thread does in a run of an executable whose steps are that many products in line: the
// second run records them, later ones replay them.
void launching(tw::bench::Table &rows) {
  constexpr int kSteps = 300;
  std::string text =
      "func.func @main(%v0: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {\n";
  for (int i = 0; i < kSteps; ++i)
    text += fmt::format("  %v{} = stablehlo.dot_general %v{}, %w, contracting_dims = [1] x [0] : "
                        "(tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n",
                        i + 1, i);
  const auto graph =
      tw::bench::need(
          tw::import::import_text(text + fmt::format("  return %v{} : tensor<64x64xf32>\n}}\n", kSteps)))
          .graph;
  const tw::partition::Plan plan(graph, tw::bench::need(tw::sharding::Mesh::parse("")));
  tw::runtime::Options options;
  options.device = &tw::device::cuda::kind();
  const auto executable = tw::bench::need(
      tw::runtime::Executable::create(tw::bench::need(tw::spmd::lower(plan, {})), std::move(options)));
  const auto &executor = dynamic_cast<const tw::runtime::QueueExecutor &>(executable->executor());
  std::vector<float> x(64 * 64, 0.5f), w(64 * 64, 1.0f / 64), y(64 * 64);
  const int64_t dims[] = {64, 64};
  const auto view = [&](std::vector<float> &array) {
    return tw::runtime::TensorView{
        tw::graph::DType::f32, dims, reinterpret_cast<std::byte *>(array.data()), {}};
  };
  const tw::runtime::TensorView inputs[] = {view(x), view(w)}, outputs[] = {view(y)};
  double first = 0, best = 1e30;
  for (int run = 0; run < 50; ++run) {
    tw::bench::need(executable->run(inputs, outputs));
    const double took = static_cast<double>(executor.issuing().count()) * 1e-3;
    if (run == 0)
      first = took;
    else if (run > 1)
      best = std::min(best, took);
  }
  fmt::print("{:<58} {:>9.4g} us\n", fmt::format("issuing a program of {} steps, first run", kSteps), first);
  rows.figure(fmt::format("issuing a program of {} steps, replayed", kSteps), best, "us", 20);
}

} // namespace

int main(int argc, char **argv) {
  const int64_t size = argc > 1 ? std::atoll(argv[1]) : 8192;
  const auto all = tw::device::cuda::all_facts();
  if (all.empty()) {
    const auto plugin = tw::device::cuda::find_plugin();
    fmt::print("no GPU, so nothing was measured: {}\n",
               plugin ? "CUDA finds none" : plugin.error().message());
    return 0;
  }
  auto gpu = Gpu::open(0);
  if (!gpu || size < 16) {
    fmt::print(stderr, "{}\n", gpu ? "give a SIZE of 16 or more" : gpu.error().message());
    return 1;
  }
  fmt::print("{}, sm_{}{}, {} processors\n", all[0].name, all[0].major, all[0].minor, all[0].processors);
  tw::bench::Table rows("cuda");
  double copied = 0, product = 0; // bytes a second; seconds of the first product
  {
    Stand stand(*gpu);
    copied = copies(stand, static_cast<size_t>(size * size) * 8, static_cast<double>(all[0].bytes_per_second),
                    rows);
  }
  for (const auto &[type, name] :
       {std::pair{TW_CUDA_BF16, "bf16"}, {TW_CUDA_F16, "f16"}, {TW_CUDA_F32, "f32"}, {TW_CUDA_F64, "f64"}}) {
    Stand stand(*gpu);
    const double each = products(stand, size, type, name);
    product = product > 0 ? product : each;
  }
  rows.ratio(fmt::format("product {}^3 bf16 alone, beside in a program", size), product * 1e3, "program",
             tw::bench::product_in_program(size) * 1e3, "ms", 0.95, true);
  tw::bench::passes_over_memory(copied, rows);
  tw::bench::transformer_step(rows);
  libraries(*gpu, static_cast<double>(all[0].bytes_per_second), rows);
  Stand stand(*gpu);
  issuing(stand);
  launching(rows);
  rows.write(argc > 2 ? argv[2] : "");
  return 0;
}
