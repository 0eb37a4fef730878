// SPDX-License-Identifier: Apache-2.0
// tw draw: pictures of how values lie over a mesh, and of what a collective moves.
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/pictures.hpp"
#include "cli/session.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_draw {

namespace {

// "f32[16,8] [{data}, {}]": an array that stands in no program.
std::string draw_stated(const std::string &mesh_text, const std::string &text,
                        const tw_picture_options_t &how) {
  const auto wrong = [&] {
    return usage(
        fmt::format("--sharding '{}': expected a type and a sharding, f32[16,8] [{{data}}, {{}}]", text));
  };
  const size_t open = text.find('['), close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open)
    throw wrong();
  std::vector<int64_t> dims;
  for (size_t at = open + 1; at < close;) {
    while (at < close && text[at] == ' ')
      ++at;
    int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + close, size);
    at = static_cast<size_t>(end - text.data());
    while (at < close && text[at] == ' ')
      ++at;
    if (error != std::errc() || (at < close && text[at] != ','))
      throw wrong();
    dims.push_back(size);
    ++at;
  }
  std::string type = text.substr(0, open), sharding = text.substr(close + 1);
  while (!type.empty() && type.back() == ' ')
    type.pop_back();
  if (sharding.find_first_not_of(' ') == std::string::npos)
    throw wrong();
  const auto mesh = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(mesh_text.c_str(), out); });
  const auto made = make<Sharding>([&](tw_sharding_t **out) {
    return tw_sharding_parse(mesh.get(), sharding.c_str(), dims.data(), dims.size(), out);
  });
  return text_of(
      [&](tw_blob_t **out) { return tw_sharding_picture(made.get(), nullptr, type.c_str(), &how, out); });
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::vector<std::string> values;
  std::string stated;
  std::optional<size_t> collective;
  std::string out = "-", theme = "auto";
  tw_picture_options_t how{};
  how.struct_size = sizeof how;
  line.take_optional_file();
  line.take_plan();
  line.app.add_option(
      "VALUE", values,
      "arguments by pattern, results, or any value as `tw info --values` names it (default: all "
      "arguments)");
  line.app.add_option("--collective", collective,
                      "what this collective moves, by its id in `tw plan`, in place of values");
  line.app.add_option("--sharding", stated, "an array of no program, with --mesh: 'f32[16,8] [{data}, {}]'");
  line.app.add_option("-o,--out", out, "file to write: .svg, .png, or .txt; - is text on standard output");
  line.app
      .add_option("--theme", theme, "auto (SVG that follows the reader's screen; else light), light or dark")
      ->check(CLI::IsMember({"auto", "light", "dark"}));
  line.app.add_option("--scale", how.scale, "PNG: pixels for each of the picture's own (default: 2)")
      ->check(CLI::Range(0.25, 16.0));
  line.parse();
  how.form = picture_form("-o", out);
  how.theme = theme.c_str();
  if (options.file.empty() == stated.empty())
    throw usage("give a FILE, or --mesh and --sharding");
  if (collective && !values.empty())
    throw usage("give VALUEs or --collective ID, not both");

  if (!stated.empty()) {
    if (!options.mesh)
      throw usage("--sharding needs --mesh");
    write_file(out, draw_stated(*options.mesh, stated, how));
    return kGood;
  }
  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  if (collective) {
    const Program program = lower(plan.get(), options);
    write_file(out, text_of([&](tw_blob_t **made) {
                 return tw_program_collective_picture(program.get(), *collective, &how, made);
               }));
    return kGood;
  }
  std::vector<const char *> names;
  for (const std::string &value : values)
    names.push_back(value.c_str());
  write_file(out, text_of([&](tw_blob_t **made) {
               return tw_plan_picture(plan.get(), names.data(), names.size(), &how, made);
             }));
  return kGood;
}

} // namespace

const Verb verb = {"draw", "pictures of how values lie over a mesh, and of what collectives move", run};

} // namespace tw::cli::verb_draw
