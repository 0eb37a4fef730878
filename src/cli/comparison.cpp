// SPDX-License-Identifier: Apache-2.0
// How the results of a run compare with those of another.
#include "cli/comparison.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "cli/arrays.hpp"
#include "cli/json.hpp"
#include "cli/nonfinite.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

using Align = Table::Align;

namespace {

const char *rule_name(const tw_comparison_t &figures) {
  switch (figures.judged_by) {
  case TW_JUDGED_BY_BITS: return "bits";
  case TW_JUDGED_BY_TOLERANCE: return "tolerance";
  default: return "double";
  }
}

// What it was judged by, with its bound, or with the distances of both runs from the program in double
// precision.
std::string rule_text(const tw_comparison_t &figures) {
  switch (figures.judged_by) {
  case TW_JUDGED_BY_BITS: return "bits";
  case TW_JUDGED_BY_TOLERANCE: return fmt::format("tolerance {}", figure_text(figures.tolerance));
  default:
    return fmt::format("double {} / {}", figure_text(figures.from_double),
                       figure_text(figures.expected_from_double));
  }
}

int say_seconds(void *progress, double seconds) {
  static_cast<Progress *>(progress)->say(
      fmt::format("evaluating in double precision for a second opinion, {:.0f} s", seconds));
  return 0;
}

} // namespace

Comparison compare_outputs(const tw_graph_t *graph, const tw_program_t *program,
                           const std::vector<Tensor> &inputs, const std::vector<Tensor> &results,
                           const std::vector<Tensor> &expected, bool keeps_bits, Progress &progress) {
  const auto in = const_pointers(inputs), out = const_pointers(results), wanted = const_pointers(expected);
  tw_compare_options_t how{};
  how.struct_size = sizeof how;
  how.other_run = !keeps_bits;
  how.progress = say_seconds;
  how.user = &progress;
  std::vector<tw_comparison_t> figures(results.size());
  for (tw_comparison_t &f : figures)
    f.struct_size = sizeof f;
  std::string note = text_of([&](tw_blob_t **blob) {
    return tw_program_compare(program, in.data(), in.size(), out.data(), wanted.data(), out.size(), &how,
                              figures.data(), blob);
  });
  std::vector<Comparison::Output> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_tensor_dims(results[i].get(), &rank);
    const int32_t equal = figures[i].equal_argument;
    outputs.push_back(
        {tw_graph_result_name(graph, i), type_text(tw_tensor_dtype(results[i].get()), {dims, dims + rank}),
         keeps_bits && tw_program_result_exact(program, i), figures[i],
         equal < 0 ? std::string() : tw_graph_argument_name(graph, static_cast<size_t>(equal))});
  }
  return {std::move(outputs), std::move(note)};
}

bool Comparison::pass() const {
  return std::ranges::all_of(outputs_, [](const Output &o) { return o.figures.passes != 0; });
}

bool Comparison::has_nonfinite() const {
  return std::ranges::any_of(outputs_, [](const Output &o) { return o.figures.nonfinite != 0; });
}

bool Comparison::is_mistrusted(bool ours) const {
  return ours && !outputs_.empty() &&
         std::ranges::all_of(outputs_, [](const Output &o) { return o.figures.mistrusted != 0; });
}

Json Comparison::json(const char *against) const {
  Json json{{"against", against}, {"pass", pass()}, {"outputs", Json::array()}};
  if (!note_.empty())
    json["no_second_opinion"] = note_;
  if (!nonfinite_.is_null())
    json["first_nonfinite"] = nonfinite_;
  for (const auto &o : outputs_) {
    auto &output = json["outputs"].emplace_back(Json{{"name", o.name},
                                                     {"max_abs", o.figures.max_abs},
                                                     {"max_rel", o.figures.max_rel},
                                                     {"bit_equal", o.figures.bit_equal != 0},
                                                     {"bit_equal_promised", o.promised},
                                                     {"nonfinite", o.figures.nonfinite},
                                                     {"mistrusted", o.figures.mistrusted != 0},
                                                     {"judged_by", rule_name(o.figures)}});
    if (!o.equal_argument.empty())
      output["equal_argument"] = o.equal_argument;
    if (o.figures.judged_by != TW_JUDGED_BY_BITS)
      output["tolerance"] = o.figures.tolerance;
    if (o.figures.judged_by == TW_JUDGED_BY_DOUBLE) {
      output["from_double"] = o.figures.from_double; // an infinite distance is null
      output["expected_from_double"] = o.figures.expected_from_double;
    }
    output["pass"] = o.figures.passes != 0;
  }
  return json;
}

namespace {

// The relative difference from which on an output that agrees has a row of its own: that of the `rows`-th.
double difference_of(const std::vector<Comparison::Output> &outputs, size_t rows) {
  std::vector<double> differences;
  for (const auto &o : outputs)
    if (!o.figures.bit_equal)
      differences.push_back(o.figures.max_rel);
  std::ranges::sort(differences, std::greater());
  return differences.size() > rows ? differences[rows - 1] : 0;
}

} // namespace

std::string Comparison::table(size_t width, bool all) const {
  Table table({{"output", Align::left, 0, true},
               {"type"},
               {"max |a-b|", Align::right},
               {"relative", Align::right},
               {"bits"},
               {"judged by"},
               {"verdict"}});
  constexpr size_t kMany = 24, kWorst = 5;
  const bool folds = !all && outputs_.size() > kMany;
  const double worst = difference_of(outputs_, kWorst);
  size_t folded = 0, equal = 0;
  double folded_difference = 0;
  for (const auto &o : outputs_) {
    const bool differs = !o.figures.bit_equal && o.figures.max_rel >= worst;
    const bool remarkable = !o.figures.passes || o.figures.nonfinite != 0 || o.figures.mistrusted;
    if (folds && !differs && !remarkable) {
      ++folded;
      equal += o.figures.bit_equal ? 1 : 0;
      folded_difference = std::max(folded_difference, o.figures.max_rel);
      continue;
    }
    std::string verdict = o.figures.passes ? "pass" : "FAIL";
    if (o.figures.nonfinite != 0)
      verdict += fmt::format(", {} NaN or Inf", o.figures.nonfinite);
    if (o.figures.mistrusted)
      verdict += o.equal_argument.empty() ? ", mistrusted" : ", mistrusted: equals " + o.equal_argument;
    table.add({o.name, o.type, figure_text(o.figures.max_abs), figure_text(o.figures.max_rel),
               fmt::format("{}{}", o.figures.bit_equal ? "equal" : "differ",
                           o.promised ? " (guaranteed equal)" : ""),
               rule_text(o.figures), verdict});
  }
  std::string text = table.empty() ? "" : table.text(width);
  if (folded != 0)
    text += fmt::format(
        "  {}{} outputs agree: {} bitwise equal, largest relative difference {} (--all: a row each)\n",
        folded, table.empty() ? "" : " further", equal, figure_text(folded_difference));
  return text;
}

// Which outputs say little, and why.
std::string Comparison::little_text() const {
  std::vector<std::string> constant, equal;
  for (const auto &o : outputs_)
    if (o.figures.mistrusted != 0)
      (o.equal_argument.empty() ? constant : equal).push_back(o.name);
  const auto line = [&](const std::vector<std::string> &names, const char *why) {
    return names.empty() ? std::string()
                         : fmt::format("{} of {} outputs say little, because they {}: {}\n", names.size(),
                                       outputs_.size(), why, listed(names));
  };
  return line(constant, "are over 30 % NaN, Inf or one constant") +
         line(equal, "equal an argument within their tolerance");
}

std::string Comparison::verdict(const char *against, bool ours, bool color) const {
  const size_t total = outputs_.size();
  const auto count = [&](auto &&is) { return static_cast<size_t>(std::ranges::count_if(outputs_, is)); };
  const size_t agreeing = count([](const Output &o) { return o.figures.passes != 0; });
  const size_t equal = count([](const Output &o) { return o.figures.bit_equal != 0; });
  const size_t promised = count([](const Output &o) { return o.promised; });
  const size_t nonfinite = count([](const Output &o) { return o.figures.nonfinite != 0; });
  double worst = 0;
  for (const auto &o : outputs_)
    worst = std::max(worst, o.figures.max_rel);

  std::string text;
  if (nonfinite != 0)
    text += fmt::format("{} of {} outputs hold NaN or Inf, in the {} run too\n", nonfinite, total, against);
  if (!nonfinite_.is_null())
    text += nonfinite_text(nonfinite_);
  if (agreeing == total && is_mistrusted(ours))
    return text +
           fmt::format("{}: {} of {} outputs agree, but all of them say little; choose inputs with --fill or "
                       "--inputs\n",
                       colored("MISTRUSTED", Tone::warn, color), agreeing, total) +
           little_text();
  if (agreeing == total)
    text += fmt::format("{}: {} of {} outputs agree with the {} run", colored("PASS", Tone::good, color),
                        agreeing, total, against);
  else
    text += fmt::format("{}: {} of {} outputs differ from the {} run", colored("FAIL", Tone::bad, color),
                        total - agreeing, total, against);
  text += fmt::format("; {} bitwise equal (guaranteed for {}), largest relative difference {}\n", equal,
                      promised, figure_text(worst));
  const size_t second = count([](const Output &o) { return o.figures.judged_by == TW_JUDGED_BY_DOUBLE; });
  if (second != 0)
    text += fmt::format("{} beyond the tolerance, compared with the program in double precision: distance / "
                        "that of the {} run\n",
                        second, against);
  if (!note_.empty())
    text += fmt::format("no second opinion in double precision: {}\n", note_);
  return text + little_text();
}

} // namespace tw::cli
