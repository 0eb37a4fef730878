// SPDX-License-Identifier: Apache-2.0
// Reads StableHLO text, or MLIR bytecode such as a portable artifact of StableHLO, bare or as jax.export
// wraps it: one entry function with its calls inlined becomes a Graph; shardings that the text
// carries become annotations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotation/annotations.hpp"
#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::annotation {
struct LoopProgram; // loop_program.hpp
}

namespace tw::import {

struct ImportOptions {
  std::string file = "<text>"; // how messages and locations call the text
  std::string entry;           // "" = main, else the only public function
  uint32_t first_line = 1;     // of the text, where it is a part of a file
  // Ops after inlining; beyond it the import ends with an error, so that a short text cannot ask for the
  // whole memory.
  uint32_t max_ops = 4'000'000;
  // Names for arguments 0, 1, .., one a line, before all others that are known (argument_names.hpp).
  std::string names;
  std::string names_file = "<names>"; // how messages call them
  // Axes of the mesh to plan on, in order: a grid (shard dialect) takes its names from them, and sizes that
  // are open.
  std::vector<std::pair<std::string, int64_t>> mesh;
  bool allow_unknown = false; // ops of dialects that nobody here knows become custom_calls
};

// Something that was understood but not carried into the graph, or carried in a way its author should know
// of.
struct Note {
  enum class Kind : uint8_t { ignored, elided } kind;
  std::string text;
  SourcePos first;    // where it was met first
  uint32_t count = 1; // how often
};

struct Imported {
  std::shared_ptr<const graph::Graph> graph;
  annotation::Annotations annotations;
  // What the text says of arguments and results, as written, also where `annotations` leave it out.
  std::vector<annotation::Annotation> stated;
  std::shared_ptr<const annotation::LoopProgram> loops; // null where the text has none
  std::vector<Note> notes;
  std::vector<std::pair<std::string, uint32_t>>
      census;             // op name and count, nested regions included, sorted by name
  uint32_t functions = 0; // in the text
  // Of the code of one device: dimensions in front of each argument and result that count the devices of its
  // grid.
  uint32_t grid_rank = 0;
  uint32_t calls = 0; // inlined
};

// On success the graph passes ops::verify.
Result<Imported> import_text(std::string_view text, const ImportOptions &options = {});

// The parts of a text that `// -----` lines separate, each with the line it starts on.
struct TextPart {
  std::string_view text;
  uint32_t first_line;
};
std::vector<TextPart> split_text(std::string_view text);

// The error for bytes that are no text we read (HLO proto, ONNX, gzip, zip), naming what they are and the
// one-line conversion; success for text.
Status check_is_text(std::string_view bytes, const std::string &file);

} // namespace tw::import
