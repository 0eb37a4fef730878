// SPDX-License-Identifier: Apache-2.0
// The import from top to bottom: index, entry function with its calls, annotations, notes, checks.
#include "import/import.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "base/utf8.hpp"
#include "import/bytecode/jax_export.hpp"
#include "import/context.hpp"
#include "import/records.hpp"
#include "import/shardings.hpp"
#include "import/signature.hpp"
#include "import/value_names.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::Annotations;
using annotation::LoopProgram;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;

namespace {

// The function that the caller means: by name, else main, else the only public one.
bool find_entry(Scanner &s, const ModuleIndex &index, const std::string &wanted, uint32_t &entry) {
  const std::string_view name =
      wanted.empty() ? "main" : std::string_view(wanted).substr(wanted.starts_with('@'));
  std::vector<uint32_t> named, public_ones, all;
  std::vector<std::string> known; // also private ones, which a caller may name
  std::string names;
  for (uint32_t i = 0; i < index.functions.size(); ++i) {
    const Function &f = index.functions[i];
    if (!f.has_body)
      continue;
    all.push_back(i);
    known.emplace_back(f.name);
    if (f.name == name)
      named.push_back(i);
    if (!f.is_private) {
      public_ones.push_back(i);
      if (public_ones.size() <= 20)
        names.append(names.empty() ? "@" : ", @").append(f.name);
    }
  }
  // A name in an outer module comes before the same name further in.
  std::stable_sort(named.begin(), named.end(), [&](uint32_t a, uint32_t b) {
    return index.functions[a].module < index.functions[b].module;
  });
  if (!named.empty())
    return entry = named[0], true;
  if (wanted.empty() && public_ones.size() == 1)
    return entry = public_ones[0], true;
  if (wanted.empty() && all.size() == 1)
    return entry = all[0], true;
  if (all.empty())
    return s.fail("TW-106", s.text().data(), "the text defines no function");
  const char *whole_text = nullptr; // no line is wrong
  return s.fail("TW-106", whole_text,
                wanted.empty() ? fmt::format("there is no function @main, and {} public ones: name the entry",
                                             public_ones.size())
                               : fmt::format("there is no function @{}{}", name, nearest_text(name, known)),
                fmt::format("public functions: {}", names.empty() ? "none" : names));
}

// An integer among the attributes of the modules around a function; -1 where there is none.
bool module_integer(Context &c, uint32_t module, std::string_view name, int64_t &value) {
  value = -1;
  for (uint32_t m = module;; m = c.index.modules[m].parent) {
    for (const AttrText &attr : c.index.modules[m].attrs)
      if (attr.name == name)
        return c.attributes.read_int(attr.raw, value);
    if (m == 0)
      return true;
  }
}

// Those of the text, and those that the modules around the entry function carry.
bool read_meshes(Context &c, uint32_t module) {
  for (const auto &[name, cursor, read] : c.index.meshes) {
    MeshDecl mesh;
    c.s.seek(cursor);
    if (!read(c.s, mesh))
      return false;
    if (c.annotations.find_mesh(name))
      return c.s.fail("TW-106", cursor.at, fmt::format("the mesh @{} is defined twice", name));
    mesh.name = name;
    c.annotations.meshes.push_back(std::move(mesh));
  }
  for (uint32_t m = module;; m = c.index.modules[m].parent) {
    std::vector<AttrText> attrs = c.index.modules[m].attrs;
    if (!unfold_carried(c.s, attrs))
      return false;
    for (const AttrText &attr : attrs)
      if (attr.name == "xla.sdy.meshes" && !parse_carried_meshes(c.s, attr.raw, c.annotations.meshes))
        return false;
    if (m == 0)
      return true;
  }
}

// Whether more than one device takes part in what it says.
bool names_devices(const Annotations &annotations, const Annotation &a) {
  const ShardingAnnotation &s = a.sharding;
  if (s.assignment)
    return std::ranges::any_of(s.assignment->tiles, [](int64_t tiles) { return tiles > 1; });
  const MeshDecl *mesh = annotations.find_mesh(s.mesh);
  return mesh == nullptr || std::ranges::any_of(mesh->axes, [](const auto &axis) { return axis.second > 1; });
}

// Annotations of a program for one partition, or that leave everything whole, constrain nothing.
void settle_annotations(Context &c, int64_t partitions) {
  std::vector<Annotation> &all = c.annotations.all;
  bring_to_one_mesh(c.annotations, [&](const Annotation &a, std::string_view why) {
    c.leave_out(fmt::format("sharding {} is left out: {}", a.sharding.text, why), a.pos);
  });
  if (all.empty())
    return;
  const bool none =
      std::none_of(all.begin(), all.end(), [](const Annotation &a) { return a.sharding.constrains(); });
  const std::string_view one = "the module is for one partition (mhlo.num_partitions = 1)";
  if (partitions == 1 && std::ranges::any_of(all, [&](const Annotation &a) {
        return a.sharding.constrains() && names_devices(c.annotations, a);
      }))
    c.leave_out(fmt::format("{} sharding annotations are left out: {}", all.size(), one), all.front().pos);
  else if (none || partitions == 1)
    c.notes.add(Note::Kind::ignored,
                fmt::format("{} sharding annotations, which constrain nothing: {}", all.size(),
                            partitions == 1 ? one : "each leaves its array whole"),
                all.front().pos);
  if (none || partitions == 1)
    all.clear();
}

// Parts of an axis that overlap without one lying in the other: cuts that were found for groups of devices do
// not go with parts that shardings name. The text is then read again without these cuts.
void refuse_overlapping_cuts(const Annotations &annotations, Findings &findings) {
  std::map<std::pair<std::string, std::string>, std::set<int64_t>> cuts; // of each axis of each mesh
  for (const Annotation &a : annotations.all) {
    const auto take = [&](const std::vector<annotation::AxisRef> &axes) {
      for (const annotation::AxisRef &axis : axes)
        if (axis.size != 0)
          cuts[{a.sharding.mesh, axis.name}].insert({axis.pre, axis.pre * axis.size});
    };
    for (const annotation::DimAnnotation &dim : a.sharding.dims)
      take(dim.axes);
    take(a.sharding.replicated);
    take(a.sharding.unreduced);
  }
  for (const auto &[axis, at] : cuts)
    for (auto next = at.begin(), last = next++; next != at.end(); last = next++)
      if (*next % *last != 0)
        findings.refuse_cuts(axis.first);
}

std::string module_name(const ModuleIndex &index, uint32_t module) {
  for (uint32_t m = module;; m = index.modules[m].parent) {
    if (!index.modules[m].name.empty())
      return std::string(index.modules[m].name);
    if (m == 0)
      return {};
  }
}

// An artifact says how much it holds; arguments and results of the entry function are ops too.
void reserve(graph::GraphBuilder &builder, const bytecode::Program &program, uint32_t entry) {
  const bytecode::RegionRecord &body = program.regions[entry];
  const size_t results = body.end == body.first_op ? 0 : program.ops[body.end - 1].num_operands;
  builder.reserve(program.ops.size() + body.num_arguments + results, program.all_values.size(),
                  program.operands.size());
}

// `source`: of an artifact, whose attributes the scanner reads; null for a text.
bool run(Scanner &s, const RecordSource *source, const ImportOptions &options, const ArgumentNames &names,
         Findings &findings, Imported &imported) {
  ModuleIndex index(s);
  uint32_t entry = 0;
  if (!(source != nullptr ? index.build(*source->program) : index.build()) ||
      !find_entry(s, index, options.entry, entry))
    return false;
  const uint32_t module = index.functions[entry].module;
  std::string name = shown(module_name(index, module));
  if (name.empty() && index.functions.size() == 1 && index.functions[entry].name != "main")
    name = index.functions[entry].name;
  Context c(s, index, options, names, findings, std::move(name));
  std::optional<Records> records;
  if (source != nullptr) {
    c.records = &records.emplace(*source, s, c.types, c.builder);
    c.literals.define_numbers(source->values->numbers());
    reserve(c.builder, *source->program, index.functions[entry].region);
  }
  for (const auto &[name, cursor] : index.type_aliases)
    c.types.define_alias(name, cursor);
  for (const auto &[key, hex] : index.resources)
    c.literals.define_resource(key, hex);
  for (const auto &[name, at] : index.skipped)
    c.notes.add(
        Note::Kind::ignored,
        name == "---" ? std::string("text after the module") : fmt::format("{} outside functions", name), at);

  if (!module_integer(c, module, "mhlo.num_partitions", c.partitions) ||
      !module_integer(c, module, "mhlo.num_replicas", c.replicas) || !read_meshes(c, module))
    return false;
  Reader reader(c);
  if (!settle_grids(reader) || !read_entry(reader, entry))
    return false;
  std::set<const char *> not_taken;
  for (const auto &[made, at] : reader.loops.not_taken)
    not_taken.insert(at);
  for (const char *at : not_taken)
    c.notes.add(Note::Kind::ignored, "a distribute that no spmd takes: it moves nothing", at);
  if (LoopProgram &loops = reader.loops.program; !loops.empty())
    imported.loops = std::make_shared<const LoopProgram>(std::move(loops));
  refuse_overlapping_cuts(c.annotations, findings);
  std::ranges::copy_if(c.annotations.all, std::back_inserter(imported.stated),
                       [](const Annotation &a) { return a.at != Annotation::At::value; });
  settle_annotations(c, c.partitions);

  settle_value_names(c.builder, imported.loops != nullptr);
  imported.graph = c.builder.finish();
  imported.annotations = std::move(c.annotations);
  imported.notes = c.notes.take();
  imported.functions = static_cast<uint32_t>(index.functions.size());
  imported.calls = c.calls;
  if (const Grid *grid = reader.grid_code.local; grid != nullptr)
    imported.grid_rank = static_cast<uint32_t>(grid->rank());
  return true;
}

std::vector<std::pair<std::string, uint32_t>> count_ops(const graph::Graph &graph) {
  std::vector<uint32_t> counts(ops::all_ops().size());
  for (const graph::Op &op : graph.ops())
    ++counts[op.code];
  std::vector<std::pair<std::string, uint32_t>> census;
  for (size_t code = 0; code < counts.size(); ++code)
    if (counts[code] != 0)
      census.emplace_back(ops::all_ops()[code]->name, counts[code]);
  return census;
}

// Reads until nothing is found out that would have been needed before.
template <class MakeScanner>
Result<Imported> read_all(const ImportOptions &options, const RecordSource *source, MakeScanner &&make) {
  TW_ASSIGN(const ArgumentNames names, ArgumentNames::parse(options.names, options.names_file));
  Imported imported;
  for (Findings findings;;) {
    Scanner scanner = make();
    imported = {};
    const bool done = run(scanner, source, options, names, findings, imported);
    if (findings.begin_again())
      continue;
    if (done)
      break;
    if (!scanner.failed()) // whoever gives up says why; should one forget, the place is still known
      scanner.fail_here("other text", {});
    return fail(scanner.take_error());
  }
  TW_TRY(names.check(*imported.graph));
  imported.census = count_ops(*imported.graph);
  return imported;
}

Result<Imported> import_artifact(std::string_view bytes, const ImportOptions &options) {
  RecordSource source(options.file);
  if (!bytecode::is_bytecode(bytes) && !bytecode::unwrap_jax_export(bytes, source.fault, bytes))
    return fail(source.fault.take());
  if (!source.load(bytes))
    return fail(source.fault.take());
  const bytecode::Arena &arena = source.values->arena();
  return read_all(options, &source, [&] {
    Scanner scanner({arena.begin(), arena.capacity()}, options.file, 0);
    scanner.set_end(arena.end());
    scanner.set_origin(&source);
    return scanner;
  });
}

} // namespace

Result<Imported> import_text(std::string_view text, const ImportOptions &options) {
  if (bytecode::is_bytecode(text) || bytecode::is_jax_export(text))
    return import_artifact(text, options);
  TW_TRY(check_is_text(text, options.file));
  if (const size_t at = find_not_utf8(text); at != std::string_view::npos) {
    Scanner scanner(text, options.file, options.first_line);
    scanner.fail("TW-003", text.data() + at,
                 fmt::format("the byte 0x{:02x} is no UTF-8", static_cast<unsigned char>(text[at])));
    return fail(scanner.take_error());
  }
  return read_all(options, nullptr, [&] { return Scanner(text, options.file, options.first_line); });
}

std::vector<TextPart> split_text(std::string_view text) {
  std::vector<TextPart> parts;
  size_t begin = 0, at = 0;
  uint32_t line = 1, begin_line = 1;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t next = std::min(end + 1, text.size());
    ++line;
    if (text.substr(at, end - at).starts_with("// -----")) {
      parts.push_back({text.substr(begin, at - begin), begin_line});
      begin = next;
      begin_line = line;
    }
    at = next;
  }
  parts.push_back({text.substr(begin), begin_line});
  return parts;
}

} // namespace tw::import
