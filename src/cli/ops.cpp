// SPDX-License-Identifier: Apache-2.0
// tw ops: the registry of ops: what each takes, how its dimensions may be split, and which kernels run it.
#include <fmt/format.h>

#include "base/table.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_ops {

using Align = Table::Align;

namespace {

std::string word(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string joined(const Json &list) {
  std::string text;
  for (const auto &item : list)
    text += (text.empty() ? "" : ", ") + word(item);
  return text;
}

std::string all_ops(const Json &ops, size_t width) {
  Table table({{"op"}, {"operands", Align::right}, {"results", Align::right}, {"rule"}, {"kernels"}});
  for (const auto &op : ops)
    table.add({word(op.at("name")), word(op.at("operands")), word(op.at("results")), word(op.at("rule")),
               joined(op.at("kernels"))});
  return fmt::format("{}\n{} ops; `tw ops NAME` tells more of one\n", table.text(width), ops.size());
}

std::string one_op(const Json &op, size_t width) {
  std::string text = fmt::format("{}\n  {}\n\n", word(op.at("name")), word(op.at("doc")));
  text += fmt::format("  operands  {}\n  results   {}\n  rule      {}\n", word(op.at("operands")),
                      word(op.at("results")), word(op.at("rule")));
  for (const auto &[factor, kind] : op.at("kinds").items())
    text += fmt::format("            {}: {}\n", factor, word(kind));
  if (!op.at("rewrites").empty())
    text += fmt::format("  rewrites  {}\n", joined(op.at("rewrites")));
  text += fmt::format("  kernels   {}\n  since     {}\n", joined(op.at("kernels")), word(op.at("since")));
  Table attributes({{"attribute"}, {"kind"}, {"required"}, {"meaning"}});
  for (const auto &a : op.at("attributes"))
    attributes.add({word(a.at("name")), word(a.at("kind")), a.at("required").get<bool>() ? "yes" : "",
                    word(a.at("doc"))});
  return attributes.empty() ? text : text + "\n" + attributes.text(width);
}

int run(CommandLine &line) {
  std::string name;
  line.app.add_option("NAME", name, "one op, with or without its dialect: dot_general");
  line.parse();
  const std::string json =
      text_of([&](tw_blob_t **out) { return tw_ops_info(name.empty() ? nullptr : name.c_str(), out); });
  if (line.options.json)
    print(json);
  else
    print(name.empty() ? all_ops(Json::parse(json), output_width())
                       : one_op(Json::parse(json), output_width()));
  return kGood;
}

} // namespace

const Verb verb = {"ops", "registered ops, how each may be split, kernels, docs", run};

} // namespace tw::cli::verb_ops
