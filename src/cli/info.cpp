// SPDX-License-Identifier: Apache-2.0
// tw info: what a program is made of, what its annotations say, and what was not understood; or what this
// build has.
#include <algorithm>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "cli/calibrate.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/observe.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_info {

using Align = Table::Align;

namespace {

std::string word(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string counted(size_t n, const char *one, const char *many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string signature(const Json &entries, const char *what, size_t width) {
  if (entries.empty())
    return fmt::format("\n{}s: none\n", what);
  Table table({{"#", Align::right}, {what, Align::left, 0, true}, {"type"}, {"bytes", Align::right}, {""}});
  for (const auto &e : entries)
    table.add({word(e.at("index")), word(e.at("name")), word(e.at("type")),
               bytes_text(e.at("bytes").get<int64_t>()), e.value("donated", false) ? "donated" : ""});
  return fmt::format("\n{}s\n{}", what, table.text(width));
}

std::string census(const Json &ops, size_t width) {
  std::vector<std::pair<int64_t, std::string>> ranked;
  for (const auto &[name, count] : ops.items())
    ranked.emplace_back(-count.get<int64_t>(), name);
  std::sort(ranked.begin(), ranked.end());
  Table table({{"op"}, {"count", Align::right}});
  for (const auto &[negative, name] : ranked)
    table.add({name, std::to_string(-negative)});
  return table.empty() ? "" : "\nops\n" + table.text(width);
}

// Calls that stay whole and cannot run, unless a spec has a rule for them and a host their kernel.
std::string custom_calls(const Json &all, size_t width) {
  Table table({{"opaque"}, {"count", Align::right}, {"rule"}, {"kernel"}, {"first"}});
  for (const auto &call : all)
    table.add({"@" + word(call.at("target")), word(call.at("count")), call.at("rule") ? "known" : "none",
               call.at("kernel") ? "known" : "none", word(call.at("first"))});
  return table.empty() ? "" : "\ncustom calls\n" + table.text(width);
}

std::string annotations(const Json &json, size_t width) {
  std::string text;
  for (const auto &mesh : json.at("meshes")) {
    std::string axes;
    for (const auto &axis : mesh.at("axes"))
      axes += fmt::format("{}{}={}", axes.empty() ? "" : ",", word(axis.at(0)), word(axis.at(1)));
    text += fmt::format("\nmesh {} {}\n", word(mesh.at("name")), axes);
  }
  const auto &all = json.at("annotations");
  if (all.empty())
    return text;
  Table table({{"annotated"}, {"name", Align::left, 0, true}, {"sharding"}});
  for (const auto &a : all)
    table.add({word(a.at("at")), word(a.at("name")), word(a.at("sharding"))});
  return text + "\nannotations\n" + table.text(width);
}

// A line a stack of layers; with `roles` also which arguments are alike.
std::string layers(const Json &all, bool roles, size_t width) {
  std::string text;
  for (const Json &stack : all) {
    text +=
        fmt::format("\nlayers      {} alike, each {} ops and {} with {}\n", stack.at("layers").dump(),
                    stack.at("ops").dump(), counted(stack.at("arguments").size(), "argument", "arguments"),
                    bytes_text(stack.at("argument_bytes").get<int64_t>()));
    if (!roles)
      continue;
    Table table({{"first", Align::left, 0, true}, {"last", Align::left, 0, true}, {"type"}});
    for (const Json &role : stack.at("arguments"))
      table.add({word(role.at("names").front()), word(role.at("names").back()), word(role.at("type"))});
    text += table.text(width);
  }
  return text;
}

std::string notes(const Json &all) {
  std::string text;
  for (const auto &n : all)
    text += fmt::format("  {}: {}{}{}\n", word(n.at("kind")), word(n.at("text")),
                        n.at("count") > 1 ? fmt::format(" ({} times)", n.at("count").get<int64_t>()) : "",
                        word(n.at("first")).empty() ? "" : fmt::format(", first at {}", word(n.at("first"))));
  return text.empty() ? text : "\nnotes\n" + text;
}

std::string values(const Json &all, size_t width) {
  Table table({{"value", Align::left, 0, true}, {"type"}, {"op"}, {"location", Align::left, 0, true}});
  for (const auto &v : all)
    table.add({word(v.at("name")), word(v.at("type")), word(v.at("op")), word(v.at("location"))});
  return "\nvalues\n" + table.text(width);
}

std::string for_people(const Json &json, const std::string &file, bool with_layers, size_t width) {
  const std::string module = word(json.at("module"));
  std::string text = fmt::format("{}: {}, {} in the text, {} inlined\n", module.empty() ? file : module,
                                 counted(json.at("ops"), "op", "ops"),
                                 counted(json.at("functions"), "function", "functions"),
                                 counted(json.at("calls_inlined"), "call", "calls"));
  const auto flops = json.at("flops").get<double>();
  text += fmt::format(
      "arguments {}, results {}, {}{}FLOP{}\n", bytes_text(json.at("argument_bytes").get<int64_t>()),
      bytes_text(json.at("result_bytes").get<int64_t>()), count_text(flops), flops < 1000 ? " " : "",
      json.contains("unknown_trips") ? " (loops that data end count once)" : "");
  text += signature(json.at("arguments"), "argument", width) + signature(json.at("results"), "result", width);
  text += layers(json.at("layers"), with_layers, width);
  text += census(json.at("census"), width) + custom_calls(json.at("custom_calls"), width) +
          annotations(json, width) + notes(json.at("notes"));
  if (json.contains("values"))
    text += values(json.at("values"), width);
  return text;
}

// Nested objects as indented lines.
std::string tree(const Json &json, size_t indent) {
  std::string text;
  for (const auto &[key, value] : json.items()) {
    if (value.is_object())
      text += fmt::format("{:{}}{}\n{}", "", indent, key, tree(value, indent + 2));
    else
      text += fmt::format("{:{}}{:<{}} {}\n", "", indent, key, 16 - indent, word(value));
  }
  return text;
}

int run(CommandLine &line) {
  Options &options = line.options;
  bool with_values = false, with_layers = false, build = false, limits = false, calibrates = false;
  std::string to;
  line.take_optional_file();
  line.app.add_flag("--values", with_values, "also every value with its stable name, type and op");
  line.app.add_flag("--layers", with_layers, "also which arguments are alike in layers that repeat");
  line.app.add_flag("--build", build, "instead: what this build has and what it found at run time");
  line.app.add_flag("--limits", limits, "instead: what this machine can do at most, measured now");
  line.app.add_flag(
      "--calibrate", calibrates,
      "instead: measure this machine, some seconds, and write it as a system file for --system; with "
      "--comm mpi the processes that mpirun started");
  line.app.add_option("-o", to, "of --calibrate: the file ('-', the default: stdout)");
  line.take_workers();
  line.take_comm();
  line.parse();
  if (options.mpi && !calibrates)
    throw usage("--comm mpi is of --calibrate");
  if (build + limits + calibrates + !options.file.empty() != 1)
    throw usage("give a FILE, or --build, --limits or --calibrate");
  if (!to.empty() && !calibrates)
    throw usage("-o is of --calibrate");
  if (calibrates) {
    if (options.json)
      throw usage("--calibrate writes a system file, not JSON");
    return in_processes(options.mpi, [&](const Processes &processes) {
      Progress progress(options);
      const std::string text = calibrated_system(processes, options, progress);
      progress.clear();
      if (processes.is_first())
        write_file(to.empty() ? "-" : to, text);
      return kGood;
    });
  }

  std::string json;
  if (limits) {
    json = text_of([](tw_blob_t **out) { return tw_machine_limits(nullptr, out); });
  } else if (build) {
    json = text_of([](tw_blob_t **out) { return tw_build_info(out); });
  } else {
    options.allow_unknown = true; // it shows them among the calls that nobody knows
    const Graph graph = import_program(options);
    json = text_of([&](tw_blob_t **out) { return tw_graph_info(graph.get(), with_values, out); });
  }
  if (options.json)
    print(json);
  else if (limits)
    print(limits_text(Json::parse(json)));
  else if (build)
    print(tree(Json::parse(json), 0));
  else
    print(wrapped(for_people(Json::parse(json), options.file, with_layers, report_width()), report_width()));
  return kGood;
}

} // namespace

const Verb verb = {"info",
                   "arguments, results, ops, FLOPs, layers, annotations; --values; --build, --limits, "
                   "--calibrate for this machine",
                   run};

} // namespace tw::cli::verb_info
