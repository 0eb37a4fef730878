// SPDX-License-Identifier: Apache-2.0
// What the device that needs most holds, place by place of the program.
#include "graph/shown_name.hpp"
#include "graph/types.hpp"
#include "report/page/section.hpp"

namespace tw::report::section_memory {
namespace {

// Bytes and first instruction by place; arrays with the places where they are there.
struct Memory {
  std::vector<int64_t> bytes;
  std::vector<uint32_t> instr;
  size_t peak = 0;
  std::vector<cost::HeldLife> lives;
};

Memory estimated_memory(const cost::Estimate &e) {
  Memory memory;
  for (const cost::MemoryPlace &place : e.places) {
    memory.bytes.push_back(place.bytes);
    memory.instr.push_back(place.instr);
  }
  memory.peak = e.peak_place;
  memory.lives = e.lives;
  return memory;
}

// As in this process, where no machine is named: then nobody says what arrays are for.
Memory planned_memory(const runtime::PlannedMemory &planned, const spmd::Program &p) {
  Memory memory;
  memory.bytes = planned.peak.at;
  memory.instr.push_back(graph::kNone);
  memory.instr.insert(memory.instr.end(), planned.instr_of.begin(), planned.instr_of.end());
  memory.instr.push_back(graph::kNone);
  memory.peak = planned.peak.time;
  for (const auto &life : planned.peak.lives) {
    const bool argument = p.instrs()[p.values()[life.value].def].kind == spmd::InstrKind::argument;
    memory.lives.push_back(
        {{life.value, life.bytes, argument ? cost::Role::parameter : cost::Role::activation},
         life.first,
         life.last});
  }
  return memory;
}

Result<Json> facts(const PageOf &of, Texts &texts) {
  const spmd::Program &p = *of.subject.program;
  Memory memory;
  if (of.estimated) {
    memory = estimated_memory(of.estimated->estimate);
  } else {
    TW_ASSIGN(const auto planned, memory_of(of.subject));
    memory = planned_memory(*planned, p);
  }
  const auto number = [](uint32_t id) { return id == graph::kNone ? Json(-1) : Json(id); };
  return Json{
      {"bytes", memory.bytes},
      {"instr", column(memory.instr, number)},
      {"peak", memory.peak},
      {"roles", of.estimated != nullptr}, // else arguments, and what is made of them
      {"cap_bytes", of.estimated ? Json(std::llround(of.estimated->estimate.cap_bytes)) : Json()},
      {"lives",
       {{"value", column(memory.lives,
                         [&](const auto &l) {
                           return texts.id(graph::shown_name(p.graph(), p.values()[l.value].origin));
                         })},
        {"type", column(memory.lives,
                        [&](const auto &l) { return texts.id(graph::to_short_text(p.type(l.value))); })},
        {"def", column(memory.lives, [&](const auto &l) { return number(p.values()[l.value].def); })},
        {"bytes", column(memory.lives, [](const auto &l) { return l.bytes; })},
        {"role",
         column(memory.lives, [&](const auto &l) { return texts.id(std::string(cost::name(l.role))); })},
        {"first", column(memory.lives, [](const auto &l) { return l.first; })},
        {"last", column(memory.lives, [](const auto &l) { return l.last; })}}}};
}

} // namespace

const Section section = {"memory", facts};

} // namespace tw::report::section_memory
