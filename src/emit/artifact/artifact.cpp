// SPDX-License-Identifier: Apache-2.0
// A value's number counts from the start of its function, those of a region together, behind all values of
// the regions around it. What is written first for one version is written again where it needs a newer one.
#include "emit/artifact/artifact.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "emit/artifact/functions.hpp"
#include "emit/artifact/module_text.hpp"
#include "emit/artifact/op_attributes.hpp"
#include "emit/artifact/values.hpp"
#include "import/bytecode/codes.hpp"

namespace tw::emit::artifact {

namespace codes = import::bytecode;

namespace {

constexpr int kFirst = 100; // the version that is tried first
constexpr std::string_view kCast = "builtin.unrealized_conversion_cast";

class Writer {
public:
  Writer(const ModuleText &module, std::string_view form, int version)
      : module_(module), form_(form), version_(version), values_(tables_), numbers_(module.types.size()) {}

  Result<std::string> run() {
    unknown_ = values_.unknown_location();
    Sink ir;
    ir.number_with_flag(1, false); // one op, no arguments
    TW_TRY(write_module(ir));
    return tables_.file(fmt::format("{}{}.{}.0", codes::kPortable, version_ / 100, version_ % 100),
                        ir.bytes());
  }
  int needed() const { return std::max(needed_, values_.needed()); }

private:
  // Ops of another dialect know MLIR's types: casts stand around them.
  static bool is_foreign(const TextOp &op) { return op.name.starts_with("chlo."); }

  Status write_module(Sink &to) {
    to.number(tables_.op("builtin.module"));
    to.byte(codes::kRegions | codes::kHasProperties | (module_.attributes.empty() ? 0 : codes::kAttributes));
    to.number(unknown_);
    if (!module_.attributes.empty()) {
      std::vector<std::pair<std::string, uint32_t>> entries;
      for (const import::AttrText &attr : module_.attributes) {
        TW_ASSIGN(const uint32_t value, values_.attribute(Of::builtin, attr.raw));
        entries.emplace_back(import::unescape(attr.name), value);
      }
      to.number(values_.dictionary(std::move(entries)));
    }
    Sink properties; // its name and its visibility
    properties.number_with_flag(
        module_.name.empty() ? 0 : values_.string(Of::builtin, import::unescape(module_.name)),
        !module_.name.empty());
    properties.number_with_flag(0, false);
    to.number(tables_.properties(properties));
    Sink region;
    TW_TRY(write_region({}, module_.ops, region));
    to.number_with_flag(1, true); // a region that takes nothing from outside
    to.section(codes::kIr, region.bytes());
    return {};
  }

  static size_t values_of(const TextOp &op) {
    return op.results.size() + (is_foreign(op) ? op.operands.size() + op.results.size() : 0);
  }
  static size_t ops_of(const TextOp &op) {
    return 1 + (is_foreign(op) ? op.operands.size() + op.results.size() : 0);
  }

  Status write_region(const std::vector<uint32_t> &arguments, const std::vector<TextOp> &all, Sink &to) {
    size_t count = arguments.size(), ops = 0;
    for (const TextOp &op : all) {
      count += values_of(op);
      ops += ops_of(op);
    }
    const uint32_t first = next_, end = end_;
    next_ = end_;
    end_ += static_cast<uint32_t>(count);
    to.number(1); // block
    to.number(count);
    to.number_with_flag(ops, !arguments.empty());
    if (!arguments.empty()) {
      to.number(arguments.size());
      for (const uint32_t value : arguments) {
        TW_ASSIGN(const uint32_t type, values_.type(Of::vhlo, module_.types[value]));
        numbers_[value] = next_++;
        to.number_with_flag(type, false); // its place is not known
      }
      to.byte(0); // uses in any order
    }
    for (const TextOp &op : all) {
      auto written = is_foreign(op) ? write_foreign(op, to) : write_op(op, to);
      if (!written)
        return tl::unexpected(about(op, std::move(written.error())));
    }
    next_ = first;
    end_ = end;
    return {};
  }

  Error about(const TextOp &op, Error error) {
    if (std::exchange(is_said_, true)) // by an op inside of this one
      return error;
    Error said(Code::unimplemented, "TW-705",
               fmt::format("the op '{}' cannot be written to an artifact: {}", op.name, error.message()));
    return std::move(said).note(fmt::format("it stands in line {} of the form {}", op.line, form_));
  }

  // The parts of an op between its place and its regions.
  struct Parts {
    std::optional<uint32_t> attributes, properties;
    std::vector<uint32_t> types, operands; // operands by number
    bool regions = false;
  };
  void write_parts(std::string_view name, const Parts &parts, Sink &to) {
    to.number(tables_.op(name));
    to.byte(static_cast<uint8_t>(
        (parts.attributes ? codes::kAttributes : 0) | (parts.types.empty() ? 0 : codes::kResults) |
        (parts.operands.empty() ? 0 : codes::kOperands) | (parts.regions ? codes::kRegions : 0) |
        (parts.properties ? codes::kHasProperties : 0)));
    to.number(unknown_);
    if (parts.attributes)
      to.number(*parts.attributes);
    if (parts.properties)
      to.number(*parts.properties);
    if (!parts.types.empty())
      to.numbers(parts.types);
    if (!parts.operands.empty())
      to.numbers(parts.operands);
  }

  Status write_op(const TextOp &op, Sink &to) {
    if (op.name == "sdy.mesh")
      return write_mesh(op, to);
    if (vhlo_name(op.name).empty())
      return not_written("VHLO has no such op");
    int needed = 0;
    TW_ASSIGN(const VhloText text, to_vhlo(op, version_, needed));
    needed_ = std::max(needed_, needed);
    Parts parts;
    Sink properties;
    for (const Said &one : text.properties) {
      TW_ASSIGN(const uint32_t value, one.name == "api_version" ? values_.api_version(one.value)
                                                                : values_.attribute(Of::vhlo, one.value));
      properties.number(value);
    }
    if (!text.properties.empty())
      parts.properties = tables_.properties(properties);
    TW_ASSIGN(parts.attributes, dictionary(Of::vhlo, text.others));
    for (const uint32_t value : op.operands)
      parts.operands.push_back(numbers_[value]);
    TW_TRY(define(Of::vhlo, op.results, parts.types));
    parts.regions = !op.regions.empty();
    write_parts(fmt::format("vhlo.{}", text.form->name), parts, to);
    if (parts.regions)
      to.number_with_flag(op.regions.size(), false);
    for (const TextRegion &region : op.regions)
      TW_TRY(write_region(region.arguments, region.ops, to));
    return {};
  }

  Status define(Of of, const std::vector<uint32_t> &results, std::vector<uint32_t> &types) {
    for (const uint32_t value : results) {
      TW_ASSIGN(const uint32_t type, values_.type(of, module_.types[value]));
      types.push_back(type);
      numbers_[value] = next_++;
    }
    return {};
  }

  Result<std::optional<uint32_t>> dictionary(Of of, const std::vector<Said> &all) {
    if (all.empty())
      return std::nullopt;
    std::vector<std::pair<std::string, uint32_t>> entries;
    for (const Said &one : all) {
      TW_ASSIGN(const uint32_t value, values_.attribute(of, one.value));
      entries.emplace_back(import::unescape(one.name), value);
    }
    return values_.dictionary(std::move(entries));
  }

  // sdy.mesh @mesh = <["x"=2]>
  Status write_mesh(const TextOp &op, Sink &to) {
    const std::string_view name = op.attributes[0].raw;
    TW_ASSIGN(const uint32_t mesh, values_.mesh(name.substr(1, name.size() - 2), op.attributes[1].raw));
    Sink properties;
    properties.number(mesh);
    TW_ASSIGN(const uint32_t symbol, values_.attribute(Of::builtin, name));
    properties.number(symbol);
    write_parts(op.name,
                {.attributes = {}, .properties = tables_.properties(properties), .types = {}, .operands = {}},
                to);
    return {};
  }

  // A value with its type in the other dialect; answers with its number.
  Status write_cast(Of of, uint32_t value, uint32_t number, Sink &to) {
    TW_ASSIGN(const uint32_t type, values_.type(of, module_.types[value]));
    write_parts(kCast, {.attributes = {}, .properties = {}, .types = {type}, .operands = {number}}, to);
    return {};
  }

  // An op of a dialect that versions of StableHLO say nothing of, with all its attributes in one dictionary.
  Status write_foreign(const TextOp &op, Sink &to) {
    if (!op.regions.empty())
      return not_written("VHLO has no such op");
    values_.need(kMixed);
    Parts parts;
    for (const uint32_t value : op.operands) {
      TW_TRY(write_cast(Of::builtin, value, numbers_[value], to));
      parts.operands.push_back(next_++);
    }
    std::vector<Said> said;
    for (const import::AttrText &attr : op.attributes)
      said.push_back({attr.name, std::string(attr.raw)});
    TW_ASSIGN(parts.attributes, dictionary(Of::builtin, said));
    TW_TRY(define(Of::builtin, op.results, parts.types));
    write_parts(op.name, parts, to);
    for (const uint32_t value : op.results) {
      TW_TRY(write_cast(Of::vhlo, value, numbers_[value], to));
      numbers_[value] = next_++;
    }
    return {};
  }

  const ModuleText &module_;
  const std::string_view form_;
  const int version_;
  Tables tables_;
  Values values_;
  std::vector<uint32_t> numbers_; // of values in the file
  uint32_t next_ = 0, end_ = 0;   // of the region at hand
  uint32_t unknown_ = 0;
  int needed_ = kFirst;
  bool is_said_ = false; // which op it is that failed
};

} // namespace

Result<std::string> to_artifact(std::string_view text, std::string_view form) {
  TW_ASSIGN(const std::string generic, with_generic_functions(text));
  TW_ASSIGN(const ModuleText module, read_module(generic));
  for (int version = kFirst;;) {
    Writer writer(module, form, version);
    TW_ASSIGN(std::string bytes, writer.run());
    if (writer.needed() <= version)
      return bytes;
    version = writer.needed();
  }
}

} // namespace tw::emit::artifact
