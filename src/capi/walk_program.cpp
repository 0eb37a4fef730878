// SPDX-License-Identifier: Apache-2.0
// tw_walk_program.h: instructions, values and collectives of a program.
#include <fmt/format.h>

#include "base/watch.hpp"
#include "capi/conflicts.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/view.hpp"

using namespace tw;
using namespace tw::capi;
using spmd::InstrKind;

static_assert(TW_INSTR_COLLECTIVE == static_cast<int>(InstrKind::collective) &&
                  TW_INSTR_RESULT == static_cast<int>(InstrKind::result) &&
                  TW_INSTR_LOOP == static_cast<int>(InstrKind::loop) &&
                  TW_INSTR_ACCUMULATE == static_cast<int>(InstrKind::accumulate),
              "tw_instr_kind_t follows spmd::InstrKind");
static_assert(TW_COLLECTIVE_ALL_GATHER == static_cast<int>(redistribute::Kind::all_gather) &&
                  TW_COLLECTIVE_ALL_TO_ALL == static_cast<int>(redistribute::Kind::all_to_all) &&
                  TW_COLLECTIVE_EXCHANGE == static_cast<int>(redistribute::Kind::exchange),
              "tw_collective_kind_t follows redistribute::Kind");

namespace {

Status give_sharding(const tw_program_t *program, spmd::ValueRef v, tw_sharding_t **out) {
  const spmd::Program &p = *program->subject.program;
  *out = new tw_sharding(p.mesh(), p.type(v).dims, {p.sharding(p.values()[v].sharding), {}});
  return {};
}

} // namespace

tw_status_t tw_program_mesh(const tw_program_t *program, tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_mesh, "out_mesh"));
    *out_mesh = new tw_mesh(program->subject.program->mesh());
    return {};
  });
}

tw_status_t tw_program_argument_sharding(const tw_program_t *program, size_t i,
                                         tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_TRY(check_index(i, program->facts().arguments.size(), "argument"));
    return give_sharding(program, program->facts().arguments[i].value, out_sharding);
  });
}

tw_status_t tw_program_result_sharding(const tw_program_t *program, size_t i, tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_TRY(check_index(i, program->facts().results.size(), "result"));
    return give_sharding(program, program->facts().results[i].value, out_sharding);
  });
}

size_t tw_program_num_actions(const tw_program_t *program) {
  return program ? program->subject.program->actions().size() : 0;
}
tw_status_t tw_program_action(const tw_program_t *program, size_t i, tw_action_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(check_index(i, program->subject.program->actions().size(), "action"));
    return write_view(view_of(program->subject.program->actions()[i]), out_view);
  });
}

size_t tw_program_num_locals(const tw_program_t *program) {
  return program ? program->subject.program->values().size() : 0;
}
tw_status_t tw_program_local(const tw_program_t *program, tw_local_t local_value, tw_local_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(check_index(local_value, program->subject.program->values().size(), "value"));
    const spmd::Value &of = program->subject.program->values()[local_value];
    const bool added = program->subject.program->is_added_value(of.origin);
    return write_view(tw_local_view_t{0, added ? TW_NO_VALUE : of.origin, of.def}, out_view);
  });
}
tw_status_t tw_program_local_sharding(const tw_program_t *program, tw_local_t local_value,
                                      tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_TRY(check_index(local_value, program->subject.program->values().size(), "value"));
    return give_sharding(program, local_value, out_sharding);
  });
}

size_t tw_program_num_instrs(const tw_program_t *program) {
  return program ? program->subject.program->instrs().size() : 0;
}
tw_status_t tw_program_instr(const tw_program_t *program, size_t i, tw_instr_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    const spmd::Program &p = *program->subject.program;
    TW_TRY(check_index(i, p.instrs().size(), "instruction"));
    const spmd::Instr &of = p.instrs()[i];
    const bool moves = of.kind == InstrKind::collective;
    const uint32_t id = moves ? program->facts().collective_of[i] : TW_NO_COLLECTIVE;
    const bool slices = moves && id == TW_NO_COLLECTIVE;
    return write_view(tw_instr_view_t{0, slices ? TW_INSTR_SLICE : static_cast<tw_instr_kind_t>(of.kind),
                                      p.is_added(of.op) ? TW_NO_OP : of.op, p.operands(of).data(),
                                      of.num_operands, of.first_result, of.num_results, moves ? 0 : of.index,
                                      id, of.reduce_axes.bits()},
                      out_view);
  });
}

tw_status_t tw_program_collective(const tw_program_t *program, size_t i, tw_collective_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(check_index(i, program->facts().collectives.size(), "collective"));
    const report::CollectiveFacts &at = program->facts().collectives[i];
    const spmd::Collective &c = program->subject.program->collectives()[at.index];
    tw_collective_view_t view{};
    view.kind = static_cast<tw_collective_kind_t>(c.summary.kind);
    view.reduction = static_cast<tw_reduction_t>(c.summary.reduction);
    view.axes = bits_of(c.summary.axes);
    view.instr = c.instr;
    view.value = c.value;
    view.producer = c.producer;
    view.consumer = c.consumer;
    static_assert(TW_NO_ACTION == graph::kNone);
    view.action = c.action;
    view.times = at.times;
    view.bytes_received = c.summary.bytes_received_max;
    view.mean_bytes_received = c.summary.bytes_received_mean;
    // Where nothing was planned: straight from the holders, and no levels.
    view.method =
        redistribute::name(at.plan ? at.plan->method : redistribute::Method::direct).data(); // a literal
    view.num_steps = at.plan ? static_cast<uint32_t>(at.plan->steps) : 1;
    view.bytes_by_level = at.plan ? at.plan->bytes_by_level.data() : nullptr;
    view.num_levels = at.plan ? at.plan->bytes_by_level.size() : 0;
    view.scratch_bytes = at.scratch_bytes;
    return write_view(view, out_view);
  });
}

tw_status_t tw_program_conflicts(const tw_program_t *program, tw_conflicts_t **out_conflicts) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_conflicts, "out_conflicts"));
    const LongCall call;
    auto found = make_ref<tw_conflicts>(*report::conflicts_of(program->subject));
    TW_TRY(check_watch());
    *out_conflicts = found.leak();
    return {};
  });
}
tw_status_t tw_program_disagreements(const tw_program_t *program, tw_conflicts_t **out_conflicts) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_conflicts, "out_conflicts"));
    const LongCall call;
    auto found = make_ref<tw_conflicts>(*report::disagreements_of(program->subject));
    TW_TRY(check_watch());
    *out_conflicts = found.leak();
    return {};
  });
}
