// SPDX-License-Identifier: Apache-2.0
// What the registry knows of each op.
#include "report/ops_info.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "kernels/kernel.hpp"
#include "ops/registry.hpp"

namespace tw::report {
namespace {

using Json = nlohmann::ordered_json;

const char *kind_name(ops::AttrKind kind) {
  switch (kind) {
  case ops::AttrKind::integer: return "integer";
  case ops::AttrKind::real: return "real";
  case ops::AttrKind::string: return "string";
  case ops::AttrKind::ints: return "integers";
  case ops::AttrKind::constant: return "array";
  default: return "boolean";
  }
}

Json count_json(int least, int most) {
  if (most < 0)
    return fmt::format("{} or more", std::max(least, 0));
  return least == most ? Json(least) : Json(fmt::format("{} to {}", least, most));
}

// "([i,j],[i,j])->([i,j])" for an op of `operands` operands.
std::string elementwise_rule(int operands) {
  std::string text = "(";
  for (int i = 0; i < operands; ++i)
    text += i ? ",[i,j]" : "[i,j]";
  return text + ")->([i,j])";
}

// What splitting each factor of a rule text means: "k:sum" leaves partial sums, "k:whole" must not be split,
// the others tile the result.
Json kinds_json(std::string_view rule) {
  Json kinds = Json::object();
  const size_t end = rule.rfind(')');
  for (char c : rule.substr(0, end))
    if (c >= 'a' && c <= 'z')
      kinds[std::string(1, c)] = "pass";
  for (size_t at = end; (at = rule.find(':', at)) != std::string_view::npos; ++at)
    kinds[std::string(1, rule[at - 1])] = rule.substr(at + 1, rule.find(' ', at) - at - 1);
  return kinds;
}

// The rewrites that the loops of a rule text are: "dot_general-tile-0", "dot_general-sum". As loop_names
// (ops/loop_names.hpp) names those of an op at hand.
Json rewrites_json(std::string_view op, std::string_view rule) {
  Json names = Json::array();
  const Json kinds = kinds_json(rule);
  const size_t first = rule.find('[', rule.find("->"));
  const std::string_view result = rule.substr(first + 1, rule.find(']', first) - first - 1);
  int dim = 0;
  bool counted = false; // this dimension
  for (const char c : first == std::string_view::npos ? std::string_view() : result) {
    if (c == ',')
      ++dim;
    counted = counted && c != ',';
    if (c < 'a' || c > 'z' || counted || kinds.value(std::string(1, c), "whole") != "pass")
      continue;
    names.push_back(fmt::format("{}-tile-{}", op, dim));
    counted = true;
  }
  std::map<std::string, std::vector<char>> reduced;
  for (const auto &[factor, kind] : kinds.items())
    if (kind != "pass" && kind != "whole")
      reduced[kind.get<std::string>()].push_back(factor[0]);
  for (const auto &[kind, factors] : reduced)
    for (size_t i = 0; i < factors.size(); ++i)
      names.push_back(factors.size() == 1 ? fmt::format("{}-{}", op, kind)
                                          : fmt::format("{}-{}-{}", op, kind, i));
  return names;
}

Json op_json(const ops::OpDef &def) {
  Json json;
  json["name"] = def.name;
  json["doc"] = def.doc;
  json["operands"] = count_json(def.min_operands, def.max_operands);
  json["results"] = count_json(def.num_results, def.num_results);
  json["attributes"] = Json::array();
  for (const auto &attr : def.attrs)
    json["attributes"].push_back({{"name", attr.name},
                                  {"kind", kind_name(attr.kind)},
                                  {"required", attr.required},
                                  {"doc", attr.doc}});
  const std::string rule = def.rule_text                   ? def.rule_text
                           : def.flags & ops::kElementwise ? elementwise_rule(def.max_operands)
                                                           : "";
  json["rule"] = rule;
  json["kinds"] = rule.empty() ? Json::object() : kinds_json(rule);
  const std::string_view full = def.name;
  json["rewrites"] = rewrites_json(full.substr(full.find('.') + 1), rule);
  if (def.kind == ops::OpKind::dot) // of two matrices, as the PartIR slides call it
    for (const char *name : {"matmul-tile-0", "matmul-tile-1", "matmul-sum"})
      json["rewrites"].push_back(name);
  json["kernels"] = kernels::kernels_for(def);
  json["since"] = "0.1.0";
  return json;
}

} // namespace

Result<nlohmann::ordered_json> ops_info(std::string_view name) {
  if (name.empty()) {
    Json all = Json::array();
    for (const auto *def : ops::all_ops())
      all.push_back(op_json(*def));
    return all;
  }
  TW_ASSIGN(const auto code, ops::need_op(name, "TW-791"));
  return op_json(ops::op_def(code));
}

} // namespace tw::report
