// SPDX-License-Identifier: Apache-2.0
// tw redistribute: plans how an array gets from one distributed type to another, says what that costs and
// what cannot be beaten, and runs it.
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/moving.hpp"
#include "cli/pictures.hpp"
#include "cli/processes.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_redistribute {

using Align = Table::Align;

namespace {

constexpr int64_t kRunLimit = int64_t{8} << 30; // bytes of all tiles under --run

struct Question {
  std::string mesh, src, dst, dst_mesh, src_devices, dst_devices, lost;
  std::string method = "auto", dtype = "f32", levels;
  std::optional<std::string> scratch, height;
  std::vector<std::string> links;
  double copy_gb_per_s = 0;
  bool pareto = false, check = false, run = false, calibrate = false;
  int workers = 0, repeat = 5;
  std::vector<std::string> device; // as given
  std::vector<int64_t> devices;    // the numbers among them
  std::string kind = "host", gpus; // the word
  std::string save, steps_file, steps, draw;
};

void declare(CommandLine &line, Question &q) {
  auto &app = line.app;
  app.add_option("MESH", q.mesh, "axes over devices, the slowest first: x=2,y=4");
  app.add_option("SRC", q.src, "type before: f32[32,16] [{y,x},{}] or the paper's [8{\"x\",\"y\"}32, 16]");
  app.add_option("DST", q.dst, "type after; or a sharding alone, [{},{y}], of the same sizes");
  app.add_option("--method", q.method,
                 "auto, direct, level, relay, scalar (collectives on one dimension) or vector");
  app.add_option("--steps", q.steps_file,
                 "a file of steps to check and price, one a line: allgather 0, alltoall 0 1, dynslice 0 x, "
                 "allpermute, or the types between them ('-': stdin)");
  app.add_option("--dtype", q.dtype, "element type where the types name none");
  app.add_option(
      "--levels", q.levels,
      "groups of devices that are near each other, outermost first: node=2, or node=[[0,1,4,5],[2,3,6,7]]");
  app.add_option("--scratch", q.scratch,
                 "bytes of intermediate tiles that a device may hold: 0, 64MiB, .. (default: no limit)");
  app.add_option("--height", q.height,
                 "bytes of the largest tile (default: the larger of source and target)");
  app.add_option("--dst-mesh", q.dst_mesh, "the mesh after, where it is another");
  app.add_option("--src-devices", q.src_devices, "which device stands at each position: 0,1,2,3");
  app.add_option("--dst-devices", q.dst_devices, "the same of the mesh after: 7,6,5,4");
  app.add_option("--lost", q.lost,
                 "devices of the mesh before that are gone, with what they held: 4,5. What no other device "
                 "has is named");
  app.add_option("--link", q.links,
                 "ALPHA_US,MESSAGE_US,GB_PER_S of the time model; one a level, outermost first")
      ->allow_extra_args(false);
  app.add_option("--copy", q.copy_gb_per_s, "GB/s of bytes that stay on their device, in the time model");
  app.add_flag("--pareto", q.pareto, "all plans that no other beats in both time and memory");
  app.add_flag("--check", q.check, "replay the plan with code that no planner uses");
  app.add_flag("--run", q.run, "run it, verify every element, time it");
  line.take_comm();
  app.add_option("--repeat", q.repeat, "timed runs after one warm-up")->check(CLI::Range(1, 1000000));
  app.add_option("--workers", q.workers, "threads (default: one a core)")->check(CLI::Range(0, 1024));
  app.add_option(
      "--device", q.device,
      "a number: print the base offset and extent of this device's tiles; may be repeated. A word: "
      "where --run has the tiles, host, cuda or detached (for tests)");
  app.add_option("--gpus", q.gpus, "with --device cuda: numbers of the GPUs, as 0,1");
  app.add_option("--save", q.save, "write the plan to this file, for tw_redistribution_load");
  app.add_option("--draw", q.draw, "write a picture of it to this file: .svg, .png, or .txt; - is text");
  app.add_flag("--calibrate", q.calibrate,
               "measure this machine for --link and --copy; takes no MESH, SRC, DST");
}

// A number is a device's, a word a kind of them.
void read_devices(Question &q) {
  for (const std::string &text : q.device) {
    int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error == std::errc() && end == text.data() + text.size())
      q.devices.push_back(id);
    else
      q.kind = text;
  }
}

std::vector<double> numbers_of(const char *option, std::string_view text) {
  std::vector<double> numbers;
  for (std::string_view rest = text; !rest.empty();) {
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || (end != rest.data() + rest.size() && *end != ','))
      throw usage(fmt::format("{} {}: expected numbers with ',' between them", option, text));
    numbers.push_back(value);
    rest.remove_prefix(std::min(rest.size(), static_cast<size_t>(end - rest.data()) + 1));
  }
  return numbers;
}

std::vector<int64_t> ids_of(const char *option, const std::string &devices) {
  std::vector<int64_t> ids;
  for (const double id : numbers_of(option, devices)) {
    if (id < 0 || id > INT32_MAX || id != std::floor(id))
      throw usage(fmt::format("{} {}: {} is no number of a device, which are whole, from 0 to {}", option,
                              devices, id, INT32_MAX));
    ids.push_back(static_cast<int64_t>(id));
  }
  return ids;
}

Mesh mesh_of(const std::string &text, const char *option, const std::string &devices) {
  auto mesh = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(text.c_str(), out); });
  if (devices.empty())
    return mesh;
  const std::vector<int64_t> ids = ids_of(option, devices);
  return make<Mesh>(
      [&](tw_mesh_t **out) { return tw_mesh_with_devices(mesh.get(), ids.data(), ids.size(), out); });
}

tw_dtype_t dtype_of(const std::string &name) {
  for (tw_dtype_t t = TW_DTYPE_INVALID + 1; tw_dtype_name(t) != std::string_view("invalid"); ++t)
    if (t != TW_TOKEN && name == tw_dtype_name(t))
      return t;
  throw usage(fmt::format("--dtype {}: no such element type; f32, bf16, i8, ui4, complex<f32>, ..", name));
}

Redistribution plan_of(const Question &q, bool ignore_budget = false) {
  const Mesh src_mesh = mesh_of(q.mesh, "--src-devices", q.src_devices);
  const Mesh dst_mesh = mesh_of(q.dst_mesh.empty() ? q.mesh : q.dst_mesh, "--dst-devices",
                                q.dst_devices.empty() && q.dst_mesh.empty() ? q.src_devices : q.dst_devices);
  std::vector<tw_link_t> links;
  for (const std::string &text : q.links) {
    const auto numbers = numbers_of("--link", text);
    if (numbers.size() != 3)
      throw usage(fmt::format("--link {}: expected ALPHA_US,MESSAGE_US,GB_PER_S", text));
    links.push_back({numbers[0], numbers[1], numbers[2], {}});
  }
  tw_redistribution_options_t options{};
  options.struct_size = sizeof options;
  options.method = q.method.c_str();
  options.levels = q.levels.c_str();
  options.dtype = dtype_of(q.dtype);
  if (q.scratch && !ignore_budget) {
    const int64_t bytes = bytes_of("--scratch", *q.scratch);
    options.scratch_bytes = bytes == 0 ? -1 : bytes;
  }
  if (q.height && !ignore_budget) {
    options.height_bytes = bytes_of("--height", *q.height);
    if (options.height_bytes == 0)
      throw usage("--height 0: every tile takes some bytes");
  }
  options.links = links.data();
  options.num_links = links.size();
  options.copy_gb_per_s = q.copy_gb_per_s;
  if (!q.steps_file.empty())
    options.steps = q.steps.c_str();
  const std::vector<int64_t> lost = ids_of("--lost", q.lost);
  options.lost = lost.data();
  options.num_lost = lost.size();
  return make<Redistribution>([&](tw_redistribution_t **out) {
    return tw_redistribution_plan(src_mesh.get(), q.src.c_str(), dst_mesh.get(), q.dst.c_str(), &options,
                                  out);
  });
}

// "device 5 before  offset (3, 0)  extent (3, 16)", and after.
void print_tiles(const tw_redistribution_t *plan, const std::vector<int64_t> &ids) {
  const size_t rank = tw_redistribution_rank(plan);
  std::vector<int64_t> offset(rank), extent(rank);
  for (const int64_t id : ids) {
    size_t d = 0;
    while (d < tw_redistribution_num_devices(plan) && tw_redistribution_device_id(plan, d) != id)
      ++d;
    if (d == tw_redistribution_num_devices(plan))
      throw fail("not_found", "TW-704", fmt::format("--device {}: no device of either mesh", id));
    for (const int side : {0, 1}) {
      check(tw_redistribution_tile(plan, side, d, offset.data(), extent.data()));
      print(fmt::format("{}device {} {}  offset ({})  extent ({})\n", side == 0 ? "\n" : "", id,
                        side == 0 ? "before" : "after ", fmt::join(offset, ", "), fmt::join(extent, ", ")));
    }
  }
}

void draw(const tw_redistribution_t *plan, const std::string &file) {
  tw_picture_options_t how{};
  how.struct_size = sizeof how;
  how.form = picture_form("--draw", file);
  write_file(file,
             text_of([&](tw_blob_t **out) { return tw_redistribution_picture(plan, nullptr, &how, out); }));
}

int print_calibration(const Question &q, bool json) {
  const Calibration c = calibrate(q.workers);
  if (json)
    print(Json{{"alpha_us", c.link.alpha_us},
               {"message_us", c.link.message_us},
               {"gb_per_s", c.link.gb_per_s},
               {"copy_gb_per_s", c.copy_gb_per_s}}
              .dump(2) +
          "\n");
  else
    print(fmt::format("--link {:.3g},{:.3g},{:.3g} --copy {:.3g}\n", c.link.alpha_us, c.link.message_us,
                      c.link.gb_per_s, c.copy_gb_per_s));
  return kGood;
}

int print_front(const Redistribution &plan, bool json) {
  const std::string text =
      text_of([&](tw_blob_t **out) { return tw_redistribution_pareto(plan.get(), out); });
  if (json) {
    print(text);
    return kGood;
  }
  Table table({{"method"},
               {"steps", Align::right},
               {"received max", Align::right},
               {"paper cost", Align::right},
               {"largest tile", Align::right},
               {"scratch", Align::right},
               {"modelled us", Align::right}});
  for (const auto &row : Json::parse(text))
    table.add({row.at("method").get<std::string>(), row.at("steps").dump(),
               bytes_text(row.at("bytes_received").at("max").get<int64_t>()), row.at("fig11_cost").dump(),
               bytes_text(row.at("height_bytes").get<int64_t>()),
               bytes_text(row.at("scratch_bytes").get<int64_t>()),
               fmt::format("{:.4g}", row.at("time_model_us").get<double>())});
  print(table.text(report_width()));
  return kGood;
}

int answer(const Question &q, const Options &options, const Processes &processes) {
  if (q.calibrate)
    return print_calibration(q, options.json);
  if (q.mesh.empty() && q.src.empty())
    throw usage("tw redistribute MESH SRC DST: for example tw redistribute x=2,y=4 'f32[64,64] [{x},{y}]' "
                "'f32[64,64] [{y},{x}]'");
  if (q.dst.empty()) {
    tw_mesh_t *mesh = nullptr;
    if (tw_mesh_parse(q.mesh.c_str(), &mesh) != TW_OK)
      throw usage(fmt::format("'{}' is no mesh: give tw redistribute MESH SRC DST", q.mesh));
    tw_mesh_release(mesh);
    throw usage("tw redistribute MESH SRC DST: the type after is missing");
  }
  const Redistribution plan = plan_of(q, q.pareto);
  if (q.pareto)
    return print_front(plan, options.json);
  if (!q.save.empty() && processes.is_first())
    write_file(q.save, text_of([&](tw_blob_t **out) { return tw_redistribution_save(plan.get(), out); }));
  if (!q.draw.empty())
    draw(plan.get(), q.draw);
  std::optional<Moved> moved;
  if (q.run) {
    processes.agree({{"--repeat", std::to_string(q.repeat)}});
    moved = move_elements(plan.get(), {q.workers, q.repeat, kRunLimit, processes.comm(), q.kind.c_str(),
                                       q.gpus.empty() ? nullptr : q.gpus.c_str()});
  }
  Json json =
      Json::parse(text_of([&](tw_blob_t **out) { return tw_redistribution_json(plan.get(), q.check, out); }));
  if (moved)
    json["run"] = {{"pass", moved->wrong == 0},
                   {"verified", moved->verified},
                   {"time_ms", {{"min", moved->min_ms}, {"median", moved->median_ms}}},
                   {"gb_per_s", moved->gb_per_s}};
  const bool good = (!q.check || json.at("check").at("pass").get<bool>()) && (!moved || moved->wrong == 0);
  if (!processes.is_first())
    return good ? kGood : kAnswerNo;
  if (options.json) {
    print(json.dump(2) + "\n");
  } else if (!options.quiet) {
    print(wrapped(text_of([&](tw_blob_t **out) {
                    return tw_redistribution_report(plan.get(), q.check, report_width(), out);
                  }),
                  report_width()));
  }
  if (!options.json)
    print_tiles(plan.get(), q.devices);
  if (moved && !options.json)
    print(fmt::format("\nrun  {}  {:.4g} ms (median of {}), {:.3g} GB/s arriving{}\n",
                      !moved->verified ? "DONE" : (moved->wrong == 0 ? "PASS" : "FAIL"), moved->median_ms,
                      q.repeat, moved->gb_per_s,
                      moved->wrong == 0 ? std::string() : fmt::format("; {} elements wrong", moved->wrong)));
  return good ? kGood : kAnswerNo;
}

int run(CommandLine &line) {
  const Options &options = line.options;
  Question q;
  declare(line, q);
  line.parse();
  read_devices(q);
  if (!q.run && (options.mpi || q.kind != "host" || !q.gpus.empty()))
    throw usage("--comm mpi, --device with a kind and --gpus say how to run it: add --run");
  if (!q.steps_file.empty() && !q.dst.empty())
    q.steps = read_file(q.steps_file);
  return in_processes(options.mpi, [&](const Processes &processes) { return answer(q, options, processes); });
}

} // namespace

const Verb verb = {"redistribute",
                   "moves an array from one sharding to another, with a provably cheapest plan", run};

} // namespace tw::cli::verb_redistribute
