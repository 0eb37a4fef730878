// SPDX-License-Identifier: Apache-2.0
// Statements of an artifact: one reading of its records, which fills OpTexts as the generic form of a text
// would. Blocks are entered and left, as a text is read from '{' to '}'.
#pragma once

#include <string>
#include <vector>

#include "import/bytecode/program.hpp"
#include "import/locations.hpp"
#include "import/op_text.hpp"
#include "import/scanner.hpp"
#include "import/types.hpp"

namespace tw::import {

struct Reader;
struct Argument;

// What outlives the readings of one artifact.
struct RecordSource final : Scanner::Origin {
  explicit RecordSource(std::string file) : fault(std::move(file)) {}
  // Tables, ops and names of values; false: `fault` says why.
  bool load(std::string_view bytes);
  std::string place(const char *at) const override;

  bytecode::Fault fault;
  bytecode::Artifact artifact;
  std::unique_ptr<bytecode::Values> values;
  std::unique_ptr<bytecode::Program> program;
  bytecode::ValueNames names;
};

class Records {
public:
  Records(const RecordSource &source, Scanner &scanner, TypeParser &types, graph::GraphBuilder &builder)
      : program_(*source.program), fault_(source.program->values().fault()), s_(scanner), types_(types),
        b_(builder) {}

  // The op at hand into `op`, and on to the next one of its block.
  bool next(Reader &r, OpText &op);
  bool at_end() const { return at_ == end_; }
  // Reads on in the block of a region; `arguments` are its.
  bool enter(uint32_t region, std::vector<Argument> &arguments);
  void leave();
  // The next region of an op that has not been read.
  bool has_region(const OpText &op) const { return op.next_region < op.end_region; }

  // Where a region is one commutative op of its two arguments, what `applies` stands for in texts; else null.
  const bytecode::OpRecord *short_reducer(const OpText &op) const;
  // Whether nothing was taken from the attributes of an op or added to them.
  bool has_own_attributes(const OpText &op) const;
  // Values around a region that what stands in it takes.
  bool captured(Reader &r, uint32_t region, OpText &to);
  // The types of a function, and the attributes of its arguments and results.
  struct FunctionTypes {
    std::vector<graph::TypeId> inputs, results;
    std::vector<std::vector<AttrText>> arg_attrs, res_attrs;
  };
  bool function(const bytecode::FunctionRecord &record, FunctionTypes &types);
  // The function whose body a region is, in generic form.
  std::string function_text(uint32_t region) const;
  const bytecode::Program &program() const { return program_; }
  // The numbers of the values in a region: from the first one on, and behind the last.
  std::pair<uint32_t, uint32_t> values_of(uint32_t region) const;
  bool type(uint32_t index, graph::TypeId &type) {
    type = index < type_ids_.size() ? type_ids_[index] : graph::kNone;
    return type != graph::kNone || read_type(index, type);
  }

private:
  bool read_lists(uint32_t index, std::vector<std::vector<AttrText>> &lists);
  bool read_type(uint32_t index, graph::TypeId &type);
  bool adopt();
  LocationReader::Text location(uint32_t index, uint32_t depth = 0);
  bool operand(Reader &r, uint32_t value, const char *at, OpText &op);

  const bytecode::Program &program_;
  bytecode::Fault &fault_;
  Scanner &s_;
  TypeParser &types_;
  graph::GraphBuilder &b_;
  uint32_t at_ = 0, end_ = 0;
  std::vector<std::pair<uint32_t, uint32_t>> around_; // blocks around the one at hand
  std::vector<graph::TypeId> type_ids_;
  struct Location {
    LocationReader::Text text;
    bool known = false;
  };
  std::vector<Location> locations_;
};

} // namespace tw::import
