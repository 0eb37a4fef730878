// SPDX-License-Identifier: Apache-2.0
// What stays behind after very many runs and very many executables: memory, threads, open files, other bits. Through the C interface, as a host
// of the library would do it.
//   ./dev bench soak [RUNS [CYCLES]]    1000000 runs and 10000 executables
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tilewright/tw.h>

namespace {

constexpr int64_t kMiB = 1 << 20;

void need(tw_status_t status) {
  if (status == TW_OK)
    return;
  fmt::print(stderr, "{}\n", tw_error_message());
  std::exit(1);
}

// y = tanh(x w1) w2 on 4 devices, with the sum of a split contraction.
struct Job {
  tw_program_t *program = nullptr;
  tw_executable_t *executable = nullptr;
  std::array<tw_tensor_t *, 4> tensors{};

  Job() {
    const int64_t dims[4][2] = {{6, 8}, {8, 12}, {12, 8}, {6, 8}};
    tw_builder_t *b = nullptr;
    tw_graph_t *graph = nullptr;
    tw_mesh_t *mesh = nullptr;
    tw_plan_t *plan = nullptr;
    need(tw_builder_create("mlp", &b));
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, dims[0], 2);
    const tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, dims[1], 2);
    const tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, dims[2], 2);
    const tw_value_t h = tw_builder_unary(b, "stablehlo.tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
    tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
    need(tw_builder_finish(b, &graph));
    need(tw_mesh_parse("data=2,model=2", &mesh));
    need(tw_plan_create(graph, mesh, nullptr, &plan));
    constexpr std::string_view spec =
        "tile(arg=x, dim=0, axis=data); tile(arg=w1, dim=1, axis=model); infer-propagate";
    need(tw_plan_apply(plan, spec.data(), spec.size(), "spec"));
    need(tw_program_lower(plan, nullptr, &program));
    need(tw_executable_create(program, nullptr, &executable));
    for (size_t i = 0; i < tensors.size(); ++i) {
      need(tw_tensor_create(nullptr, TW_F32, dims[i], 2, &tensors[i]));
      need(tw_tensor_fill(tensors[i], i < 3 ? "default" : "zeros", 0, i));
    }
    tw_plan_release(plan);
    tw_mesh_release(mesh);
    tw_graph_release(graph);
    tw_builder_release(b);
  }
  Job(const Job &) = delete;
  ~Job() {
    for (tw_tensor_t *t : tensors)
      tw_tensor_release(t);
    tw_executable_release(executable);
    tw_program_release(program);
  }

  std::string run() {
    const tw_tensor_t *const inputs[] = {tensors[0], tensors[1], tensors[2]};
    need(tw_executable_run(executable, inputs, 3, &tensors[3], 1));
    return {static_cast<const char *>(tw_tensor_const_data(tensors[3])), tw_tensor_bytes(tensors[3])};
  }
};

struct Held {
  int64_t bytes = 0, threads = 0, files = 0;
};

Held held() {
  Held now;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:"))
      now.bytes = std::atoll(line.c_str() + 6) * 1024;
    if (line.starts_with("Threads:"))
      now.threads = std::atoll(line.c_str() + 8);
  }
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++now.files;
  return now;
}

// Prints what grew since a tenth of the way, and whether that is too much.
bool report(std::string_view what, int64_t count, const Held &before, int64_t wrong) {
  const Held after = held();
  const bool good = after.bytes - before.bytes < kMiB && after.threads == before.threads &&
                    after.files == before.files && wrong == 0;
  fmt::print("{:<12} {:>8}   memory {:+.3f} MiB (limit 1)   threads {:+}   files {:+}   other bits {}   {}\n",
             what, count, static_cast<double>(after.bytes - before.bytes) / kMiB,
             after.threads - before.threads, after.files - before.files, wrong, good ? "good" : "BAD");
  return good;
}

template <class Step> bool soak(std::string_view what, int64_t count, Step step) {
  const std::string expected = step();
  int64_t wrong = 0;
  Held before;
  for (int64_t i = 0; i < count; ++i) {
    if (i == count / 10)
      before = held();
    wrong += step() != expected ? 1 : 0;
  }
  return report(what, count, before, wrong);
}

} // namespace

int main(int argc, char **argv) {
  const int64_t runs = argc > 1 ? std::atoll(argv[1]) : 1000000,
                cycles = argc > 2 ? std::atoll(argv[2]) : 10000;
  Job job;
  bool good = soak("runs", runs, [&] { return job.run(); });
  good = soak("executables", cycles, [] { return Job().run(); }) && good;
  return good ? 0 : 1;
}
