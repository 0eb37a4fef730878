// SPDX-License-Identifier: Apache-2.0
// The command line of one verb: options that several verbs share mean the same in each, and are declared here
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace tw::cli {

// Actions for a plan: a file of them, or text given on the command line.
struct SpecText {
  std::string name; // of the file, or "-a" with a number
  std::string text;
};

struct Options {
  // What program.
  std::string file;
  std::string entry;
  std::string names;
  bool allow_unknown = false;
  // What plan.
  std::optional<std::string> mesh;
  std::string plan_file; // --plan: what follows it was read from there, and specs besides
  std::vector<std::string> planned_arguments; // of that file, "x [4,8]"
  std::vector<std::string> planned_shardings; // and how each of them lies
  size_t planned_specs = 0;                   // so many of `specs` are that file's
  std::vector<SpecText> specs;                // --spec and -a in the order given
  bool ignore_annotations = false;
  bool strict = false;
  bool trace_actions = false;
  std::string policy = "conservative";
  std::vector<std::string> without; // passes of the lowering, and over steps
  int64_t bucket_bytes = 0;
  std::string levels;
  int64_t scratch_bytes = 0;
  int64_t hoist_limit = 0;
  std::string gathers = "shared";
  // What run.
  std::string inputs;
  std::vector<std::pair<std::string, std::string>>
      fills; // glob over argument names, pattern; the last that matches wins
  uint64_t seed = 0;
  bool inputs_required = false;
  std::string outputs;
  std::string check; // "" = unpartitioned; reference where the program is the code of one device
  int workers = 0;
  int repeat = 0;
  std::string trace, flight; // files
  bool profile = false;
  bool donate = false;
  bool mpi = false; // --comm mpi
  std::string device = "host";
  bool tf32 = false, same_bits = false;
  std::string gpus; // "" = those that the library chooses
  std::string exchange = "auto";
  bool fast_sums = false;
  // What output.
  bool json = false;
  bool quiet = false, all_rows = false;
  std::string color = "auto";
};

// What an option says in bytes: "64MiB", "1000", "2GB". Throws the Failure that names it.
int64_t bytes_of(const char *option, std::string_view text);
// For numbers that an option takes.
CLI::Validator above_0();

class CommandLine {
public:
  CommandLine(const char *verb, const char *summary, int argc, const char *const *argv);

  CLI::App app;
  Options options;

  void take_file();          // FILE, --entry, --names, --max-input
  void take_optional_file(); // the same, of a verb that can do without FILE
  // --plan --mesh --spec -a --annotations --strict --policy --trace-actions; `spec` names the third
  void take_plan(const char *spec = "--spec");
  void take_actions(const char *spec); // --mesh, what names a file of actions, -a
  void take_inputs();                  // --inputs --fill --seed
  void take_run();                  // take_inputs, --outputs --check --all --workers --repeat --donate --comm
                                    // --device --gpus --exchange --fast-sums
  void take_max_input();            // --max-input
  void take_workers();              // --workers
  void take_comm();                 // --comm
  void take_all_rows();             // --all
  void take_seed(const char *what); // --seed

  std::string command() const; // all of it, as a shell reads it
  size_t help_width() const;   // of --help, before which nothing else is looked at
  // Parses; --json, --quiet, --color and --help are always there. Throws CLI::ParseError or a Failure.
  void parse();

private:
  int argc_;
  const char *const *argv_;
  std::vector<std::string> spec_files_, actions_, fill_texts_;
  std::string annotations_ = "use";
  std::string comm_ = "local";
  std::string buckets_ = "0", scratch_ = "0", hoist_limit_ = "0", max_input_ = "4GiB";
  std::string seed_ = "0";
  int width_ = 0;
  std::string plan_file_;
  CLI::Option *spec_option_ = nullptr;
  CLI::Option *action_option_ = nullptr;

  void read_specs();
  void read_plan();
};

} // namespace tw::cli
