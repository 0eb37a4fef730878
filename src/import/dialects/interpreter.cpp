// SPDX-License-Identifier: Apache-2.0
// interpreter.run_parallel: one function on replicas and partitions at once, as programs that test
// collectives have it.
#include <algorithm>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/local_code.hpp"

namespace tw::import::interpreter_dialect {

namespace {

// "interpreter.run_parallel"(%a, %b) {programs = [[@f, @f], [@f, @f]]}: a row a replica, in it a function a
// partition; operands and results by device.
bool lower_run_parallel(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op))
    return false;
  const AttrText *programs = op.find_attr("programs");
  if (programs == nullptr || op.find_attr("infeed") != nullptr)
    return r.s.fail(
        "TW-105", op.at,
        fmt::format("{}: {}", op.name,
                    programs == nullptr ? "the attribute programs is missing" : "infeed is not supported"));
  std::string_view function;
  int64_t replicas = 0, devices = 0;
  for (size_t at = 0; at < programs->raw.size(); ++at) {
    const char c = programs->raw[at];
    replicas += c == '[' && at > 0;
    if (c != '@')
      continue;
    const size_t end = std::min(programs->raw.find_first_of(",] \n\t", at), programs->raw.size());
    const std::string_view name = programs->raw.substr(at, end - at);
    if (!function.empty() && name != function)
      return r.s.fail("TW-113", name.data(),
                      fmt::format("{} runs {} and {}: one function on all devices is supported", op.name,
                                  function, name));
    function = name;
    ++devices;
  }
  if (devices == 0 || replicas == 0 || devices % replicas != 0 ||
      op.operands.size() % static_cast<size_t>(devices) != 0)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} programs in {} rows, and {} operands", op.name, devices, replicas,
                                op.operands.size()));
  if (auto known = r.c.local.use_processes(replicas, devices / replicas); !known)
    return r.s.adopt(std::move(known.error()), op.at);
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));

  OpText call;
  call.name = op.name;
  call.at = op.at;
  call.line = op.line;
  call.column = op.column;
  const size_t arguments = op.operands.size() / static_cast<size_t>(devices);
  for (size_t i = 0; i < arguments; ++i) {
    std::vector<graph::ValueId> values;
    for (size_t d = 0; d < static_cast<size_t>(devices); ++d) {
      values.push_back(op.operands[d * arguments + i]);
      if (r.c.builder.graph().value(values[d]).type != r.c.builder.graph().value(values[0]).type)
        return r.s.fail("TW-110", op.operand_at[d * arguments + i],
                        fmt::format("argument {} of device {} is {}, and that of device 0 is {}", i, d,
                                    graph::to_text(r.c.type_of(values[d])),
                                    graph::to_text(r.c.type_of(values[0]))));
    }
    auto stacked = r.c.local.stack(values);
    if (!stacked)
      return r.s.adopt(std::move(stacked.error()), op.at);
    call.operands.push_back(*stacked);
    call.operand_at.push_back(op.operand_at[i]);
    call.operand_types.push_back(r.c.local.type(*stacked));
  }
  MeshAxes outer = r.c.local.set_manual({0, 1});
  if (!inline_function(r, call, function, function.data()))
    return false;
  r.c.local.set_manual(std::move(outer));
  const std::vector<graph::ValueId> local = r.yields;
  std::vector<graph::ValueId> results;
  for (int64_t d = 0; d < devices; ++d)
    for (const graph::ValueId v : local) {
      auto own = r.c.local.of_device(v, d);
      if (!own)
        return r.s.adopt(std::move(own.error()), op.at);
      results.push_back(*own);
    }
  return bind_local(r, op, results);
}

constexpr Syntax kSyntax[] = {
    {"interpreter.run_parallel", form_default, lower_run_parallel},
};

} // namespace

Dialect dialect() { return {.syntax = kSyntax}; }

} // namespace tw::import::interpreter_dialect
