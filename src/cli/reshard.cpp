// SPDX-License-Identifier: Apache-2.0
// tw reshard: writes a set of arrays on disk in another layout, within a budget of memory.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/pattern.hpp"
#include "base/suggest.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/stated_shardings.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_reshard {

using Builder = std::unique_ptr<tw_builder_t, Releaser<tw_builder_release>>;

namespace {

struct Question {
  std::string src, dst, shardings, rename, dtype, from_format, format;
  std::string memory = "256MiB";
  bool whole = false, dry_run = false, verify = false;
};

void declare(CommandLine &line, Question &q) {
  auto &app = line.app;
  app.add_option("SRC", q.src,
                 "a file or folder of arrays: safetensors, npz, npy, torch (a distributed checkpoint), zarr "
                 "(a checkpoint of Orbax)")
      ->required();
  app.add_option("DST", q.dst, "what is made of them: a folder, or NAME.npz, NAME.safetensors")->required();
  line.take_actions("--spec");
  app.get_option("--mesh")->description("axes over devices, the slowest first: data=2,model=4");
  app.add_option(
      "--shardings", q.shardings,
      "file of layouts, a line each: PATTERN [{data},{model}]; the last that fits an array counts");
  app.add_flag("--whole", q.whole, "one whole copy of each array");
  app.add_option("--memory", q.memory, "elements that are held at once");
  app.add_option("--rename", q.rename,
                 "file of names, a line each: FROM TO, where * stands for any characters; TO - leaves out");
  app.add_option("--dtype", q.dtype, "round all floats to this type: bf16 (default: bits are kept)");
  app.add_option("--from-format", q.from_format, "format of SRC (default: found out)");
  app.add_option("--format", q.format, "format of DST: safetensors, npz, npy (default: as its name says)");
  app.add_flag("--dry-run", q.dry_run, "only say what would be read and written");
  app.add_flag("--verify", q.verify, "read all of it again and compare, before DST appears");
}

tw_dtype_t dtype_of(const std::string &name) {
  for (tw_dtype_t t = TW_DTYPE_INVALID + 1; tw_dtype_name(t) != std::string_view("invalid"); ++t)
    if (t != TW_TOKEN && name == tw_dtype_name(t))
      return t;
  throw usage(fmt::format("--dtype {}: no such element type; bf16, f16, f32, f64, ..", name));
}

std::vector<StoredArray> arrays_of(const tw_store_t *store) {
  std::vector<StoredArray> arrays;
  for (size_t i = 0; i < tw_store_num_arrays(store); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_store_array_dims(store, i, &rank);
    arrays.push_back({tw_store_array_name(store, i), tw_store_array_dtype(store, i), {dims, dims + rank}});
  }
  return arrays;
}

// The layouts that actions give the arguments of a program whose arguments are the arrays.
std::vector<Sharding> layouts_of_actions(const std::vector<StoredArray> &arrays, const Options &options) {
  const auto builder = make<Builder>([](tw_builder_t **out) { return tw_builder_create("arrays", out); });
  std::vector<size_t> of_argument; // those that are read
  for (size_t i = 0; i < arrays.size(); ++i)
    if (const StoredArray &array = arrays[i]; array.dtype != TW_DTYPE_INVALID) {
      const tw_value_t value = tw_builder_argument(builder.get(), array.name.c_str(), array.dtype,
                                                   array.dims.data(), array.dims.size());
      tw_builder_result(builder.get(), array.name.c_str(), value);
      of_argument.push_back(i);
    }
  const auto graph = make<Graph>([&](tw_graph_t **out) { return tw_builder_finish(builder.get(), out); });
  const Plan plan = make_plan(graph.get(), options);
  std::vector<Sharding> shardings(arrays.size());
  for (size_t i = 0; i < of_argument.size(); ++i)
    shardings[of_argument[i]] =
        make<Sharding>([&](tw_sharding_t **out) { return tw_plan_argument_sharding(plan.get(), i, out); });
  return shardings;
}

std::string ratio(const Json &answer, const char *bytes, const char *least) {
  const double n = answer.at(bytes).get<double>(), of = answer.at(least).get<double>();
  return fmt::format("{}, {} of the least possible", bytes_text(n),
                     of == 0 ? std::string("-") : fmt::format("{:.3f}", n / of));
}

void print_answer(const Json &answer, const Question &q) {
  const bool dry = q.dry_run;
  std::string text = fmt::format("{} {} arrays of {} to {}\n", dry ? "would write" : "wrote",
                                 answer.at("arrays").dump(), q.src, q.dst);
  text += fmt::format("  read     {} files, {}\n", answer.at("files_read").dump(),
                      ratio(answer, "bytes_read", "least_bytes_read"));
  text += fmt::format("  written  {} files, {}\n", answer.at("files_written").dump(),
                      ratio(answer, "bytes_written", "least_bytes_written"));
  if (const auto kept = answer.at("bytes_kept").get<int64_t>(); kept != 0)
    text += fmt::format("  kept     {} that were written before\n", bytes_text(kept));
  if (!dry)
    text +=
        fmt::format("  took     {}, {} of memory at most\n", time_text(answer.at("seconds").get<double>()),
                    bytes_text(answer.at("peak_memory_bytes").get<int64_t>()));
  if (answer.at("verified").get<bool>())
    text += "  verified against the source\n";
  for (const auto &name : answer.at("left_out"))
    text += fmt::format("  left out {}: its elements are of no type that is read\n", name.get<std::string>());
  print(wrapped(text, output_width(), 11));
}

struct Shown {
  Progress progress;
  static int step(void *user, uint64_t done, uint64_t total) {
    constexpr uint64_t kMiB = uint64_t{1} << 20;
    static_cast<Shown *>(user)->progress.step("MiB", done / kMiB, std::max(total / kMiB, done / kMiB));
    return 0;
  }
};

int run(CommandLine &line) {
  const Options &options = line.options;
  Question q;
  declare(line, q);
  line.parse();
  const bool has_actions = !options.specs.empty();
  if (q.whole + has_actions + !q.shardings.empty() != 1)
    throw usage(
        "say how arrays are to lie by one of --whole, --shardings FILE, and --spec FILE or -a ACTIONS");
  if (q.whole == options.mesh.has_value())
    throw usage(q.whole ? "--whole: one copy of each array lies on no mesh"
                        : "--mesh says over which devices arrays are to lie: --mesh data=2,model=4");
  const std::string renames = q.rename.empty() ? std::string() : read_file(q.rename);
  tw_store_options_t opening{};
  opening.struct_size = sizeof opening;
  opening.format = q.from_format.empty() ? nullptr : q.from_format.c_str();
  opening.rename = q.rename.empty() ? nullptr : renames.c_str();
  opening.rename_file = q.rename.c_str();
  const auto store =
      make<Store>([&](tw_store_t **out) { return tw_store_open(q.src.c_str(), &opening, out); });
  tw_reshard_options_t how{};
  how.struct_size = sizeof how;
  how.format = q.format.empty() ? nullptr : q.format.c_str();
  how.memory_bytes = static_cast<uint64_t>(bytes_of("--memory", q.memory));
  if (how.memory_bytes == 0)
    throw usage("--memory 0: some elements must be held");
  how.dtype = q.dtype.empty() ? static_cast<tw_dtype_t>(TW_DTYPE_INVALID) : dtype_of(q.dtype);
  how.dry_run = q.dry_run;
  how.verify = q.verify;
  Shown shown{Progress(options)};
  how.step = Shown::step;
  how.user = &shown;
  Mesh mesh;
  std::vector<Sharding> shardings;
  if (!q.whole) {
    const auto arrays = arrays_of(store.get());
    mesh = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(options.mesh->c_str(), out); });
    shardings = has_actions ? layouts_of_actions(arrays, options)
                            : stated_shardings(read_file(q.shardings), q.shardings, mesh.get(), arrays);
  }
  std::vector<const tw_sharding_t *> pointers;
  for (const Sharding &sharding : shardings)
    pointers.push_back(sharding.get());
  const Json answer = Json::parse(text_of([&](tw_blob_t **out) {
    return tw_store_reshard(store.get(), q.dst.c_str(), mesh.get(), pointers.data(), pointers.size(), &how,
                            out);
  }));
  shown.progress.clear();
  if (options.json)
    print(answer.dump(2) + "\n");
  else if (!options.quiet)
    print_answer(answer, q);
  return kGood;
}

} // namespace

const Verb verb = {"reshard", "writes arrays on disk in another layout, within a budget of memory", run};

} // namespace tw::cli::verb_reshard
