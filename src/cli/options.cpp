// SPDX-License-Identifier: Apache-2.0
// Options that several verbs share.
#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/plan_file.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

CLI::Validator above_0() {
  return {[](std::string &text) {
            double value = 0; // what is no number, the option itself refuses
            return CLI::detail::lexical_cast(text, value) && !(value > 0)
                       ? fmt::format("expected a number above 0, not {}", text)
                       : std::string();
          },
          "POSITIVE"};
}

int64_t bytes_of(const char *option, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  const auto factor = unit.empty() ? std::optional(1.0) : bytes_in(unit);
  if (error == std::errc() && factor && value >= 0 && value * *factor < 9e18)
    return static_cast<int64_t>(value * *factor);
  throw usage(fmt::format("{} {}: expected a number of bytes: 4096, 64MiB, 2GB", option, text));
}

CommandLine::CommandLine(const char *verb, const char *summary, int argc, const char *const *argv)
    : app(summary, std::string("tw ") + verb), argc_(argc), argv_(argv) {
  app.add_flag("--json", options.json, "print one JSON object; errors as one on stderr");
  app.add_flag("--quiet", options.quiet, "print only the verdict");
  app.add_option("--color", options.color, "colours: auto (on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--width", width_,
                 "columns that tables may take (default: the terminal's; without one all they need)")
      ->check(CLI::Range(40, 10000));
  app.get_formatter()->column_width(34);
}

void CommandLine::take_file() {
  take_optional_file();
  app.get_option("FILE")->required();
}

void CommandLine::take_optional_file() {
  app.add_option("FILE", options.file, "a StableHLO program, text or artifact; - is standard input");
  app.add_option("--entry", options.entry, "function to take (default: main, else the only public one)");
  app.add_option(
      "--names", options.names,
      "file of argument names, one a line from argument 0 on; a blank line keeps the module's name");
  app.add_flag("--allow-unknown", options.allow_unknown,
               "take unknown operations as opaque calls, which can be planned but not run");
  take_max_input();
}

namespace {

// One of the policies; of `cheapest` on a system.
CLI::Validator policy_check() {
  const CLI::Validator known = CLI::IsMember({"conservative", "shardy", "cheapest", "explicit"});
  return {[known](std::string &text) {
            constexpr std::string_view kOn = "cheapest on ";
            return text.starts_with(kOn) ? std::string() : known(text);
          },
          known.get_description()};
}

} // namespace

void CommandLine::take_max_input() {
  app.add_option("--max-input", max_input_, "bytes that a file of text may have: 16GiB (default: 4GiB)");
}

void CommandLine::take_plan(const char *spec) {
  app.add_option("--plan", plan_file_,
                 "file that `tw plan -o` wrote: mesh, policy and actions come from it, --spec and -a follow");
  take_actions(spec);
  app.add_option("--annotations", annotations_, "shardings that the module carries: use or ignore")
      ->check(CLI::IsMember({"use", "ignore"}));
  app.add_flag("--strict", options.strict, "exit with 3 when propagation left a conflict undecided");
  app.add_option(
         "--policy", options.policy,
         "where propagation has a choice: conservative (leaves a tie undecided), shardy (cheap ops first, "
         "then what moves the fewest bytes), cheapest (the fewest bytes; on a --system, or as \"cheapest on "
         "SYSTEM\", the least time), explicit (what is not stated is an error)")
      ->transform(CLI::Transformer(std::map<std::string, std::string>{{"seeds", "conservative"}}) // as in 0.1
                      .description(""))
      ->check(policy_check());
  app.add_flag("--trace-actions", options.trace_actions, "print the program in its loops after every action");
  app.add_option("--gathers", options.gathers,
                 "arguments put together from tiles: shared (once for all uses) or per-use (less memory)")
      ->check(CLI::IsMember({"shared", "per-use"}));
  app.add_option(
         "--without", options.without,
         "what is left out of the lowering (combine_all_reduces, defer_sums, fold_tiles, fuse_moves, "
         "gather_picks, hoist_invariant, hoist_moves, join_slices, make_again, reorder_sums, scatter_sums, "
         "share_equal, "
         "share_moves, simplify) or of running (form_chains, fuse_sums, join_products, overlap_messages, "
         "pack_constants, pair_donations, record_runs, recompute, reorder_for_memory, share_replicated, "
         "split_groups); may be repeated")
      ->allow_extra_args(false);
  app.add_option(
      "--buckets", buckets_,
      "combine small all_reduces into ones of at most so many bytes a device: 4MiB (default: 0, none)");
  app.add_option("--levels", options.levels,
                 "which devices are near each other, for collectives: node=2, node=2,socket=2, "
                 "node=[[0,1],[2,3]]");
  app.add_option("--scratch", scratch_,
                 "what the steps of a collective may hold at once on a device: 4MiB (default: 0, no limit)");
  app.add_option("--hoist-limit", hoist_limit_,
                 "what a loop does not change moves before it only where it then takes at most so many "
                 "bytes on a device: 4MiB (default: 0, no limit)");
}

void CommandLine::take_actions(const char *spec) {
  app.add_option("--mesh", options.mesh,
                 "axes over devices, the slowest first: data=2,model=4 (default: what the module declares)");
  spec_option_ =
      app.add_option(spec, spec_files_, "file of sharding actions; may be repeated")->allow_extra_args(false);
  action_option_ = app.add_option("-a,--actions", actions_, "sharding actions as text; may be repeated")
                       ->allow_extra_args(false);
}

void CommandLine::take_inputs() {
  app.add_option("--inputs", options.inputs,
                 "arrays by argument name or arg0, arg1, ..: .npz, .safetensors, or a folder (tw reshard)");
  app.add_option(
         "--fill", fill_texts_,
         "PATTERN=zeros|ones|uniform(lo,hi)|normal(mean,std)|randint(lo,hi)|iota|FILE.npy; may be repeated")
      ->allow_extra_args(false);
  take_seed("of the inputs that are drawn at random, from 0 on");
  app.add_flag("--inputs-required", options.inputs_required,
               "an argument that neither --inputs nor --fill gives is an error, and not drawn");
}

void CommandLine::take_seed(const char *what) { app.add_option("--seed", seed_, what); }

void CommandLine::take_workers() {
  app.add_option("--workers", options.workers, "threads (default: one a core)")->check(CLI::Range(0, 1024));
}

void CommandLine::take_comm() {
  app.add_option("--comm", comm_,
                 "how devices talk: local (all in this process), or mpi (among those that mpirun started)")
      ->check(CLI::IsMember({"local", "mpi"}));
}

void CommandLine::take_all_rows() {
  app.add_flag("--all", options.all_rows, "every row of every table, however many there are");
}

void CommandLine::take_run() {
  take_inputs();
  app.add_option("--outputs", options.outputs,
                 "write results to this .npz as out0, out1, .. and by their names");
  app.add_option("--check", options.check,
                 "compare with: unpartitioned, reference (slow) or none; the code of one device is compared "
                 "with the reference where nothing is said")
      ->check(CLI::IsMember({"unpartitioned", "reference", "none"}));
  take_all_rows();
  take_workers();
  app.add_option("--repeat", options.repeat, "time N runs after one warm-up")->check(CLI::Range(0, 1000000));
  app.add_flag("--donate", options.donate,
               "write over arguments that the program donates; each run gets copies");
  app.add_option("--trace", options.trace,
                 "write what ran when on each device and worker, as Chrome trace events (Perfetto)");
  app.add_option("--flight", options.flight, "write what each device did last, also when the run fails");
  app.add_flag("--profile", options.profile, "print what steps take, beside what the machine could do");
  take_comm();
  app.add_option("--device", options.device,
                 "what the devices are: host, cuda, or detached (for tests: memory and queues of their own)");
  app.add_option(
      "--gpus", options.gpus,
      "with --device cuda: numbers of the GPUs, as 0,1 (default: TW_CUDA_GPUS, else all like GPU 0 "
      "that reach each other)");
  app.add_option(
         "--exchange", options.exchange,
         "with --comm mpi and --device cuda: auto (NCCL where each process has it and a GPU of its own, "
         "else memory of the host), host, or direct (NCCL or an error)")
      ->check(CLI::IsMember({"auto", "host", "direct"}));
  app.add_flag("--fast-sums", options.fast_sums,
               "sums of floats between processes add in any order where NCCL does them");
  app.add_flag("--tf32", options.tf32,
               "with --device cuda: products of f32 may round their factors to TF32; nothing changes on "
               "other devices");
  app.add_flag(
      "--same-bits", options.same_bits,
      "with --device cuda: functions such as exp have the bits of the host, or run there; other devices have "
      "them");
}

std::string CommandLine::command() const {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:@%+";
  std::string text = "tw";
  for (int i = 0; i < argc_; ++i) {
    const std::string word = shown(argv_[i]);
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
      text += " " + word;
      continue;
    }
    text += " '";
    for (const char c : word)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

size_t CommandLine::help_width() const {
  const auto given = app.get_option("--width")->results();
  size_t width = 0;
  if (!given.empty())
    std::from_chars(given[0].data(), given[0].data() + given[0].size(), width);
  return width >= 40 ? width : output_width();
}

void CommandLine::parse() {
  app.parse(argc_, argv_);
  if (width_ != 0)
    choose_output_width(static_cast<size_t>(width_));
  limit_input(static_cast<size_t>(bytes_of("--max-input", max_input_)));
  options.mpi = comm_ == "mpi";
  if (options.trace_actions && options.json)
    throw usage("--trace-actions prints loops and --json one object: give one of them");
  options.ignore_annotations = annotations_ == "ignore";
  options.bucket_bytes = bytes_of("--buckets", buckets_);
  options.scratch_bytes = bytes_of("--scratch", scratch_);
  options.hoist_limit = bytes_of("--hoist-limit", hoist_limit_);
  if (const auto [end, error] = std::from_chars(seed_.data(), seed_.data() + seed_.size(), options.seed);
      seed_.empty() || error != std::errc() || end != seed_.data() + seed_.size())
    throw usage(fmt::format("--seed {}: expected a whole number from 0 to {}", seed_, UINT64_MAX));
  // An empty name of a file is a variable of the shell that was not set.
  constexpr std::string_view files[] = {"inputs", "outputs", "names", "trace",
                                        "flight", "out",     "save",  "plan"};
  for (const CLI::Option *option : app.parse_order())
    if (std::ranges::any_of(option->get_lnames(),
                            [&](const std::string &name) { return std::ranges::count(files, name) != 0; }) &&
        std::ranges::count(option->results(), "") != 0)
      throw usage(fmt::format("{}: expected the name of a file, found nothing", option->get_name()));
  for (const auto &text : fill_texts_) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw usage(fmt::format("--fill {}: expected PATTERN=HOW, for example 'params*=normal(0,0.02)'", text));
    options.fills.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  read_specs();
  read_plan();
}

// What the file decides cannot be given again; passes may be left out besides.
void CommandLine::read_plan() {
  if (plan_file_.empty())
    return;
  for (const char *name :
       {"--mesh", "--annotations", "--policy", "--gathers", "--buckets", "--levels", "--scratch"})
    if (app.count(name) != 0)
      throw usage(fmt::format("{} comes from --plan {}: leave it out, or give --spec and -a without --plan",
                              name, plan_file_));
  read_plan_file(plan_file_, options);
}

// The order on the command line is the order of application, across both options.
void CommandLine::read_specs() {
  size_t next_file = 0, next_actions = 0;
  for (const CLI::Option *option : app.parse_order()) {
    if (option == spec_option_) {
      const std::string &name = spec_files_[next_file++];
      options.specs.push_back({name == "-" ? "<stdin>" : name, read_file(name)});
    } else if (option == action_option_) {
      const std::string &text = actions_[next_actions++];
      options.specs.push_back({actions_.size() == 1 ? "-a" : fmt::format("-a#{}", next_actions), text});
    }
  }
}

} // namespace tw::cli
