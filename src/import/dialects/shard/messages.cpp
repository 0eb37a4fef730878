// SPDX-License-Identifier: Apache-2.0
// send and recv: who takes what is decided while the text is read, so a message without a partner is an error
// of the text. Between two devices messages arrive in the order in which they were sent. In a branch that
// some devices take, these alone send and receive.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

constexpr int64_t kNone = -1; // a device that means no other one

bool check_message(Reader &r, const OpText &op) {
  return check_collective(r, op) && check_has_dims(r, op) &&
         (r.grid_code.knows_active_devices() ||
          r.s.fail("TW-119", op.at,
                   fmt::format("{} stands in a branch, and which devices take it is not known before the "
                               "program runs: constants and indices of devices must decide it",
                               op.name)));
}

// The device that each device means by coordinates along the axes of its op; kNone of those that do not run
// it.
bool read_partners(Reader &r, const OpText &op, std::string_view name, std::vector<int64_t> &partners) {
  const Clauses &clauses = r.grid_code.clauses;
  const Clauses::List &list = *clauses.list(name);
  const Grid &grid = *clauses.grid;
  if (list.numbers.size() != clauses.axes.size())
    return r.s.fail("TW-118", list.at,
                    fmt::format("{}: {} coordinates for {} grid_axes: {} needs one for each", op.name,
                                list.numbers.size(), clauses.axes.size(), name));
  partners.clear();
  for (int64_t device = 0; device < grid.devices(); ++device) {
    int64_t first = device;
    for (const int64_t axis : clauses.axes)
      first -= grid.coordinate(device, static_cast<size_t>(axis)) * grid.stride(static_cast<size_t>(axis));
    partners.push_back(r.grid_code.is_active(device) ? first : kNone);
  }
  std::vector<std::vector<int64_t>> known;
  if (!known_coordinates(r, op, list, known))
    return false;
  for (size_t i = 0; i < known.size(); ++i) {
    const auto axis = static_cast<size_t>(clauses.axes[i]);
    for (size_t device = 0; device < partners.size(); ++device) {
      const int64_t at = known[i][device];
      if (partners[device] == kNone)
        continue;
      if (at < 0 || at >= grid.size(axis))
        return r.s.fail("TW-118", list.at,
                        fmt::format("{}: coordinate {} of {} is {} on {}, and axis {} of @{} has size {}",
                                    op.name, i, name, at, device_text(grid, static_cast<int64_t>(device)),
                                    axis, grid.name, grid.size(axis)));
      partners[device] += at * grid.stride(axis);
    }
  }
  return true;
}

// Branches are read one after the other, so one that waits for a message of a later one cannot be read.
std::string_view branch_note(const Reader &r) {
  return r.grid_code.choices.empty() ? ""
                                     : "; a branch takes what is sent in front of the op, or in a branch "
                                       "that sends before it receives";
}

// Without a source: the one device of the group whose message waits.
bool find_source(Reader &r, const OpText &op, int64_t device, int64_t &source) {
  const Grid &grid = *r.grid_code.clauses.grid;
  source = kNone;
  for (int64_t other = 0; other < grid.devices(); ++other) {
    bool same_group = true;
    for (size_t axis = 0; axis < grid.rank(); ++axis)
      same_group = same_group && (grid.coordinate(other, axis) == grid.coordinate(device, axis) ||
                                  std::ranges::find(r.grid_code.clauses.axes, static_cast<int64_t>(axis)) !=
                                      r.grid_code.clauses.axes.end());
    const auto waiting = r.grid_code.waiting.find({other, device});
    if (!same_group || waiting == r.grid_code.waiting.end() || waiting->second.empty())
      continue;
    if (source >= 0)
      return r.s.fail("TW-119", op.at,
                      fmt::format("{}: {} and {} both sent to {}: say the source", op.name,
                                  device_text(grid, source), device_text(grid, other),
                                  device_text(grid, device)));
    source = other;
  }
  return source >= 0 || r.s.fail("TW-119", op.at,
                                 fmt::format("{}: {} receives, and no device of its group sent to it{}",
                                             op.name, device_text(grid, device), branch_note(r)));
}

// Of the messages that each device takes: those of one send after the other.
bool take_messages(Reader &r, OpText &op, const std::vector<int64_t> &sources, ValueId &taken) {
  GridCode &code = r.grid_code;
  const Grid &grid = *code.clauses.grid;
  std::map<size_t, std::vector<int64_t>> pairs; // by send
  for (int64_t device = 0; device < grid.devices(); ++device) {
    if (!code.is_active(device))
      continue;
    int64_t source = sources.empty() ? kNone : sources[static_cast<size_t>(device)];
    if (sources.empty() && !find_source(r, op, device, source))
      return false;
    auto &waiting = code.waiting[{source, device}];
    if (waiting.empty())
      return r.s.fail("TW-119", op.at,
                      fmt::format("{}: {} receives from {}, which sent nothing to it before this line{}",
                                  op.name, device_text(grid, device), device_text(grid, source),
                                  branch_note(r)));
    auto &of_send = pairs[waiting.front()];
    of_send.push_back(source);
    of_send.push_back(device);
    waiting.pop_front();
  }
  const graph::OpId first = next_op(r);
  Implied implied(r.c, op);
  taken = pairs.empty() ? op.operands[0] : graph::kNone;
  for (const auto &[send, ends] : pairs) {
    const ValueId sent = code.sent[send].value;
    if (const graph::TypeId type = r.c.local.type(sent); type != op.result_types[0])
      return r.s.fail("TW-119", op.at,
                      fmt::format("{}: {} is sent on line {}, and {} is received", op.name,
                                  graph::to_text(r.c.type_of(sent)), r.s.position(code.sent[send].at).line,
                                  graph::to_text(r.c.builder.graph().type_at(op.result_types[0]))));
    if (code.sent[send].region != r.loops.region)
      return r.s.fail(
          "TW-119", op.at,
          fmt::format("{}: what was sent on line {} stands in another block: a loop or branch has both "
                      "ends of a message, or none",
                      op.name, r.s.position(code.sent[send].at).line));
    annotate_local(r, sent, op, 0);
    auto moved = r.c.local.permute(sent, ends);
    if (!moved)
      return r.s.adopt(std::move(moved.error()), op.at);
    annotate_local(r, *moved, op, 1);
    if (taken == graph::kNone) {
      taken = *moved;
      continue;
    }
    std::vector<int64_t> from_here(static_cast<size_t>(grid.devices()), 0);
    for (size_t i = 1; i < ends.size(); i += 2)
      from_here[static_cast<size_t>(ends[i])] = 1;
    auto here = r.c.local.numbers(graph::DType::i1, from_here);
    if (!here)
      return r.s.adopt(std::move(here.error()), op.at);
    taken = implied.add("stablehlo.select", {*here, *moved, taken});
  }
  state_moves(r, first);
  return implied.ok();
}

} // namespace

// shard.send %x on @grid grid_axes = [0] destination = [%to] : (T, index) -> T
bool lower_send(Reader &r, OpText &op) {
  std::vector<int64_t> to;
  if (!check_message(r, op) || !read_partners(r, op, "destination", to))
    return false;
  GridCode &code = r.grid_code;
  for (size_t device = 0; device < to.size(); ++device)
    if (to[device] != kNone)
      code.waiting[{static_cast<int64_t>(device), to[device]}].push_back(code.sent.size());
  code.sent.push_back({op.operands[0], op.at, r.loops.region});
  return bind_local(r, op, op.operands);
}

// shard.recv %buffer on @grid grid_axes = [0] source = [%from] : (T, index) -> T
bool lower_recv(Reader &r, OpText &op) {
  std::vector<int64_t> from;
  ValueId taken = graph::kNone;
  if (!check_message(r, op))
    return false;
  if (op.result_types.size() != 1 || op.result_types != op.operand_types)
    return r.s.fail("TW-118", op.at, fmt::format("{}: its result has the type of its operand", op.name));
  if (r.grid_code.clauses.list("source") != nullptr && !read_partners(r, op, "source", from))
    return false;
  return take_messages(r, op, from, taken) && bind_local(r, op, {&taken, 1});
}

} // namespace tw::import::shard

namespace tw::import {

bool end_grid_code(Reader &r) {
  for (const auto &[ends, messages] : r.grid_code.waiting)
    if (!messages.empty()) {
      const Grid &grid = *r.grid_code.local;
      return r.s.fail("TW-119", r.grid_code.sent[messages.front()].at,
                      fmt::format("{} sends to {}, which never receives it",
                                  shard::device_text(grid, ends.first),
                                  shard::device_text(grid, ends.second)));
    }
  return true;
}

} // namespace tw::import
