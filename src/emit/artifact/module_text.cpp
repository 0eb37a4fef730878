// SPDX-License-Identifier: Apache-2.0
// Values get their numbers in the order in which they are defined.
#include "emit/artifact/module_text.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::emit::artifact {

using import::AttrText;
using import::Scanner;

namespace {

// T, U at the cursor; nothing where no type begins.
bool read_types(Scanner &s, std::vector<std::string_view> &types) {
  do {
    if (!s.skip_term(types.emplace_back()))
      return false;
  } while (s.accept(','));
  return true;
}

bool read_type_group(Scanner &s, std::vector<std::string_view> &types) {
  return s.expect('(', "before types") &&
         (s.accept(')') || (read_types(s, types) && s.expect(')', "after types")));
}

// (T, U) -> V at the cursor.
bool read_function_type(Scanner &s, FunctionTypes &types) {
  if (!read_type_group(s, types.inputs) || !s.expect("->", "in the type of a function"))
    return false;
  return s.peek() == '(' ? read_type_group(s, types.outputs) : s.skip_term(types.outputs.emplace_back());
}

class ModuleReader {
public:
  explicit ModuleReader(std::string_view text) : s_(text, {}, 1) {}

  Result<ModuleText> run() {
    if (!read_module())
      return tl::unexpected(s_.take_error());
    return std::move(module_);
  }

private:
  bool read_module() {
    if (!s_.expect("module", "before a module") || (s_.peek() == '@' && !s_.symbol(module_.name)) ||
        (s_.accept("attributes") && !import::parse_dict(s_, module_.attributes)) ||
        !s_.expect('{', "before the ops of a module"))
      return false;
    while (!s_.accept('}'))
      if (names_.clear(); !read_op(module_.ops.emplace_back()))
        return false;
    return s_.at_end() || s_.fail_here("the end of the module", {});
  }

  // An op in generic form, or one of those that have their own here.
  bool read_op(TextOp &op) {
    std::vector<std::pair<std::string_view, int64_t>> results; // names and counts
    if (s_.peek() == '%') {
      do {
        int64_t count = 1;
        s_.accept('%');
        const std::string_view name = s_.suffix();
        if (name.empty() || (s_.accept(':') && !s_.integer(count)))
          return s_.fail_here("the name of a value", {});
        results.emplace_back(name, count);
      } while (s_.accept(','));
      if (!s_.expect('=', "after the results of an op"))
        return false;
    }
    op.line = s_.cursor().line;
    if (s_.peek() == '"')
      return read_generic(op, results);
    op.name = s_.word();
    if (op.name == "func.func")
      return read_function(op);
    if (op.name == "sdy.mesh")
      return read_mesh(op);
    if (op.name == "return" || op.name == "func.return")
      return read_return(op);
    return s_.fail_here("an op in generic form", {});
  }

  bool read_generic(TextOp &op, const std::vector<std::pair<std::string_view, int64_t>> &names) {
    FunctionTypes types;
    if (!s_.string(op.name) || !s_.expect('(', "before operands") || !read_operands(op.operands) ||
        !s_.expect(')', "after operands"))
      return false;
    if (s_.accept('<') && (!import::parse_dict(s_, op.attributes) || !s_.expect('>', "after properties")))
      return false;
    if (s_.accept('(')) {
      do {
        if (!read_region(op.regions.emplace_back()))
          return false;
      } while (s_.accept(','));
      if (!s_.expect(')', "after regions"))
        return false;
    }
    if (s_.peek() == '{' && !import::parse_dict(s_, op.attributes))
      return false;
    if (!s_.expect(':', "before the type of an op") || !read_function_type(s_, types))
      return false;
    size_t at = 0;
    for (const auto &[name, count] : names) {
      if (count < 1 || static_cast<size_t>(count) > types.outputs.size() - at)
        return s_.fail_here("a type for each result", {});
      names_[name] = static_cast<uint32_t>(module_.types.size());
      for (int64_t i = 0; i < count; ++i)
        op.results.push_back(define(types.outputs[at++]));
    }
    return at == types.outputs.size() || s_.fail_here("a name for each result", {});
  }

  uint32_t define(std::string_view type) {
    module_.types.push_back(type);
    return static_cast<uint32_t>(module_.types.size() - 1);
  }

  // %0, %1#2
  bool read_operands(std::vector<uint32_t> &operands) {
    while (s_.peek() == '%') {
      const char *at = s_.here();
      s_.accept('%');
      const auto known = names_.find(s_.suffix());
      int64_t part = 0;
      if (known == names_.end())
        return s_.fail("TW-101", at, "this value is not defined here");
      if (s_.accept('#') && !s_.integer(part))
        return false;
      operands.push_back(known->second + static_cast<uint32_t>(part));
      if (operands.back() >= module_.types.size())
        return s_.fail("TW-101", at, "this value is not defined here");
      if (!s_.accept(','))
        break;
    }
    return true;
  }

  bool read_argument(TextRegion &region, std::string_view &type) {
    if (!s_.expect('%', "before the name of an argument"))
      return false;
    const std::string_view name = s_.suffix();
    if (!s_.expect(':', "after the name of an argument") || !s_.skip_term(type))
      return false;
    names_[name] = define(type);
    region.arguments.push_back(names_[name]);
    return true;
  }

  bool read_region(TextRegion &region) {
    if (!s_.expect('{', "before a region"))
      return false;
    if (s_.accept('^')) {
      std::string_view type;
      s_.suffix();
      if (s_.accept('(') && !s_.accept(')')) {
        do {
          if (!read_argument(region, type))
            return false;
        } while (s_.accept(','));
        if (!s_.expect(')', "after the arguments of a block"))
          return false;
      }
      if (!s_.expect(':', "after the arguments of a block"))
        return false;
    }
    return read_ops(region);
  }

  bool read_ops(TextRegion &region) {
    while (!s_.accept('}'))
      if (!read_op(region.ops.emplace_back()))
        return false;
    return true;
  }

  std::string_view keep(std::string text) { return module_.made.emplace_back(std::move(text)); }

  // A dictionary that may stand here, as written.
  bool read_dictionary(std::string &text) {
    text = "{}";
    if (s_.peek() != '{')
      return true;
    const char *begin = s_.here();
    if (!s_.skip_braces())
      return false;
    text.assign(begin, s_.cursor().at);
    return true;
  }

  bool read_results(std::vector<std::string_view> &types, std::vector<std::string> &said) {
    if (!s_.accept("->"))
      return true;
    if (!s_.accept('('))
      return said.emplace_back("{}"), s_.skip_term(types.emplace_back());
    if (s_.accept(')'))
      return true;
    do {
      if (!s_.skip_term(types.emplace_back()) || !read_dictionary(said.emplace_back()))
        return false;
    } while (s_.accept(','));
    return s_.expect(')', "after results");
  }

  // func.func public @main(%arg0: T {..}) -> (U {..}) { .. }
  bool read_function(TextOp &op) {
    op.name = "func.func";
    const std::string_view visibility = s_.accept("public")    ? "\"public\""
                                        : s_.accept("private") ? "\"private\""
                                                               : "";
    std::string_view name;
    std::vector<std::string_view> inputs, outputs;
    std::vector<std::string> arguments, results;
    TextRegion &body = op.regions.emplace_back();
    if (!s_.symbol(name) || !s_.expect('(', "before arguments"))
      return false;
    if (!s_.accept(')')) {
      do {
        if (!read_argument(body, inputs.emplace_back()) || !read_dictionary(arguments.emplace_back()))
          return false;
      } while (s_.accept(','));
      if (!s_.expect(')', "after arguments"))
        return false;
    }
    if (!read_results(outputs, results) || !s_.expect('{', "before the ops of a function") || !read_ops(body))
      return false;
    op.attributes.push_back({"sym_name", keep(fmt::format("\"{}\"", name)), nullptr});
    op.attributes.push_back(
        {"function_type",
         keep(fmt::format("({}) -> ({})", fmt::join(inputs, ", "), fmt::join(outputs, ", "))), nullptr});
    if (!visibility.empty())
      op.attributes.push_back({"sym_visibility", visibility, nullptr});
    for (const auto &[attribute, said] :
         {std::pair("arg_attrs", &arguments), std::pair("res_attrs", &results)})
      if (std::ranges::any_of(*said, [](const std::string &one) { return one != "{}"; }))
        op.attributes.push_back({attribute, keep(fmt::format("[{}]", fmt::join(*said, ", "))), nullptr});
    return true;
  }

  // sdy.mesh @mesh = <["x"=2]>
  bool read_mesh(TextOp &op) {
    std::string_view name, mesh;
    if (!s_.symbol(name) || !s_.expect('=', "after the name of a mesh") || !s_.skip_term(mesh))
      return false;
    op.attributes.push_back({"sym_name", keep(fmt::format("\"{}\"", name)), nullptr});
    op.attributes.push_back({"mesh", keep(fmt::format("#sdy.mesh{}", mesh)), nullptr});
    return true;
  }

  // return %0, %1 : T, U
  bool read_return(TextOp &op) {
    op.name = "func.return";
    std::vector<std::string_view> types;
    return read_operands(op.operands) && (!s_.accept(':') || read_types(s_, types));
  }

  Scanner s_;
  ModuleText module_;
  std::unordered_map<std::string_view, uint32_t> names_; // the first value of each
};

} // namespace

Result<ModuleText> read_module(std::string_view text) { return ModuleReader(text).run(); }

Result<std::vector<std::string_view>> split_types(std::string_view text) {
  Scanner s(text, {}, 1);
  std::vector<std::string_view> types;
  if (!s.at_end() && (!read_types(s, types) || !s.at_end())) {
    s.fail_here("types", {});
    return tl::unexpected(s.take_error());
  }
  return types;
}

Result<FunctionTypes> split_function_type(std::string_view text) {
  Scanner s(text, {}, 1);
  FunctionTypes types;
  if (!read_function_type(s, types) || !s.at_end()) {
    s.fail_here("the type of a function", {});
    return tl::unexpected(s.take_error());
  }
  return types;
}

} // namespace tw::emit::artifact
