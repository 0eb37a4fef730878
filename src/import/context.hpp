// SPDX-License-Identifier: Apache-2.0
// What one import works with: the text, the graph it becomes, and what is worth telling.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "annotation/annotations.hpp"
#include "base/utf8.hpp"
#include "graph/graph.hpp"
#include "import/argument_names.hpp"
#include "import/attributes.hpp"
#include "import/device_local.hpp"
#include "import/import.hpp"
#include "import/index.hpp"
#include "import/literals.hpp"
#include "import/locations.hpp"
#include "import/scanner.hpp"
#include "import/types.hpp"

namespace tw::import {

class Records;

// Notes, the same one counted instead of repeated.
class Notes {
public:
  explicit Notes(const Scanner &scanner) : s_(scanner) {}
  void add(Note::Kind kind, std::string_view text, const char *at) {
    add(kind, text, at ? s_.position(at) : SourcePos{s_.file(), 0, 0});
  }
  void add(Note::Kind kind, std::string_view quoted, SourcePos at) {
    const std::string text = shown(quoted);
    ++added_;
    if (const auto known = known_.find(text); known != known_.end()) {
      ++notes_[known->second].count;
      return;
    }
    known_.emplace(text, notes_.size());
    notes_.push_back({kind, text, std::move(at), 1});
  }
  std::vector<Note> take() { return std::move(notes_); }
  size_t added() const { return added_; } // those that repeat one too

private:
  const Scanner &s_;
  std::vector<Note> notes_;
  std::unordered_map<std::string, size_t> known_;
  size_t added_ = 0;
};

struct Context {
  Context(Scanner &scanner, const ModuleIndex &module_index, const ImportOptions &import_options,
          const ArgumentNames &argument_names, Findings &of_readings, std::string module_name)
      : s(scanner), index(module_index), options(import_options), names(argument_names),
        findings(of_readings), builder(std::move(module_name), import_options.file), types(s, builder),
        literals(s, types, builder), attributes(s, literals, builder, index.attr_aliases),
        locations(s, builder, index.attr_aliases), notes(s), local(builder, of_readings) {}

  // The type of a value as the text around it calls it.
  const graph::TensorType &type_of(graph::ValueId v) const { return builder.graph().type_at(local.type(v)); }

  // A sharding that does not hold, once for all places that say the same.
  void leave_out(const std::string &text, SourcePos pos) {
    if (left_out.insert(text).second)
      annotations.left_out.push_back({shown(text), std::move(pos)});
  }
  void leave_out(const std::string &text, const char *at) { leave_out(text, s.position(at)); }

  Scanner &s;
  Records *records = nullptr; // where an artifact is read and no text
  const ModuleIndex &index;
  const ImportOptions &options;
  const ArgumentNames &names;
  Findings &findings;
  graph::GraphBuilder builder;
  TypeParser types;
  LiteralParser literals;
  AttributeReader attributes;
  LocationReader locations;
  Notes notes;
  annotation::Annotations annotations;
  DeviceLocal local;
  int64_t replicas = -1; // as the module says
  std::unordered_set<std::string> left_out;
  uint32_t calls = 0;
  int64_t partitions = -1; // as the module says
};

} // namespace tw::import
