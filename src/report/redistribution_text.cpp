// SPDX-License-Identifier: Apache-2.0
// A redistribution as people read it: which device holds which block before and after, the steps, the figures
// beside their bounds.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/table.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/type_text.hpp"
#include "report/redistribution.hpp"

namespace tw::report {

using redistribute::Device;
using redistribute::Placement;
using redistribute::Problem;
using Align = Table::Align;

namespace {

constexpr size_t kMaxCells = 16;   // of a grid, each way
constexpr size_t kMostMissing = 8; // parts that are told

std::string bytes_text(double bytes) {
  const char *unit = "B";
  for (const char *next : {"kB", "MB", "GB", "TB"}) {
    if (bytes < 1e4)
      break;
    bytes /= 1e3;
    unit = next;
  }
  return fmt::format("{:.5g} {}", bytes, unit);
}

// Distinct intervals of dimension d, in order.
std::vector<std::pair<int64_t, int64_t>> blocks(const Placement &tiles, size_t d) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (Device device = 0; static_cast<size_t>(device) < tiles.num_devices(); ++device)
    if (tiles.elements(device) != 0)
      result.emplace_back(tiles.offset(device)[d], tiles.offset(device)[d] + tiles.extent(device)[d]);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// "0-3,6": the ids of devices.
std::string ids_text(const std::vector<int64_t> &ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1)
      ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ids[i]);
    if (end - i > 1)
      text += fmt::format("{}{}", end - i > 2 ? "-" : ",", ids[end - 1]);
    i = end;
  }
  return text;
}

// The blocks of the tiled dimensions as rows and columns, each with the devices that hold it. Dimensions
// behind the second tiled one share the columns.
std::string grid(const Placement &tiles, const Problem &problem, size_t width) {
  std::vector<size_t> tiled;
  for (size_t d = 0; d < problem.rank(); ++d)
    if (blocks(tiles, d).size() > 1)
      tiled.push_back(d);
  const size_t row_dim = tiled.empty() ? 0 : tiled[0];
  std::vector<std::vector<std::pair<int64_t, int64_t>>> column_keys;
  const auto column_of = [&](Device device) {
    std::vector<std::pair<int64_t, int64_t>> key;
    for (size_t i = 1; i < tiled.size(); ++i)
      key.emplace_back(tiles.offset(device)[tiled[i]],
                       tiles.offset(device)[tiled[i]] + tiles.extent(device)[tiled[i]]);
    return key;
  };
  const auto devices = static_cast<Device>(problem.num_devices());
  for (Device device = 0; device < devices; ++device)
    if (tiles.elements(device) != 0)
      column_keys.push_back(column_of(device));
  std::ranges::sort(column_keys);
  column_keys.erase(std::unique(column_keys.begin(), column_keys.end()), column_keys.end());
  const auto rows = blocks(tiles, row_dim);
  if (rows.size() > kMaxCells || column_keys.size() > kMaxCells)
    return fmt::format("  {} x {} blocks: too many to draw\n", rows.size(), column_keys.size());
  std::vector<Table::Column> columns{{fmt::format("dim {}", row_dim), Align::right}};
  for (const auto &key : column_keys) {
    std::string title;
    for (size_t i = 0; i < key.size(); ++i)
      title +=
          fmt::format("{}{}:{}..{}", title.empty() ? "" : " ", tiled[i + 1], key[i].first, key[i].second);
    columns.push_back({title.empty() ? "devices" : title, Align::left, 4});
  }
  Table table(std::move(columns));
  for (const auto &row : rows) {
    std::vector<std::string> cells{fmt::format("{}..{}", row.first, row.second)};
    for (const auto &key : column_keys) {
      std::vector<int64_t> ids;
      for (Device device = 0; device < devices; ++device)
        if (tiles.elements(device) != 0 && tiles.offset(device)[row_dim] == row.first &&
            tiles.offset(device)[row_dim] + tiles.extent(device)[row_dim] == row.second &&
            column_of(device) == key)
          ids.push_back(problem.device_id(device));
      cells.push_back(ids_text(ids));
    }
    table.add(std::move(cells));
  }
  return table.text(width);
}

std::string steps_text(const Redistribution &r, size_t width) {
  Table table({{"#", Align::right},
               {"kind"},
               {"over", Align::left, 8},
               {"group", Align::right},
               {"peers", Align::right},
               {"received max", Align::right},
               {"mean", Align::right},
               {"makes", Align::left, 16}});
  const redistribute::Plan &plan = *r.chosen.plan;
  const std::vector<redistribute::StepHead> heads = plan.steps.heads();
  for (size_t i = 0; i < heads.size(); ++i) {
    const auto &step = heads[i];
    const auto &cost = r.chosen.cost.steps[i];
    table.add({fmt::format("{}", i), std::string(redistribute::name(step.kind)), step.axes,
               fmt::format("{}", step.group), fmt::format("{}", cost.peers_max),
               bytes_text(static_cast<double>(cost.received_max)), bytes_text(cost.received_mean),
               made_by(step, plan)});
  }
  return table.text(width);
}

std::string others_text(const Redistribution &r, size_t width) {
  Table table({{"not taken"},
               {"steps", Align::right},
               {"received max", Align::right},
               {"mean", Align::right},
               {"paper cost", Align::right},
               {"scratch", Align::right},
               {"modelled", Align::right}});
  for (const auto &other : r.others)
    table.add(
        {std::string(redistribute::name(other.plan->method)), fmt::format("{}", other.plan->steps.size()),
         bytes_text(static_cast<double>(other.cost.received_max)), bytes_text(other.cost.received_mean),
         fmt::format("{}", other.plan->fig11_cost), bytes_text(static_cast<double>(other.cost.scratch_bytes)),
         fmt::format("{:.4g} us", other.cost.time_us)});
  return table.empty() ? "" : fmt::format("\n{}", table.text(width));
}

// What the planner would do instead of stated steps, where that costs less.
std::string cheaper_text(const Redistribution &r) {
  const auto &stated = r.chosen.cost;
  if (r.chosen.plan->method != redistribute::Method::stated || r.others.empty() ||
      r.others.front().cost.time_us >= stated.time_us)
    return "";
  const auto &[plan, cost] = r.others.front();
  return fmt::format("  cheaper    {}, {} step{}: {} max, {} mean a device, {:.4g} us\n",
                     redistribute::name(plan->method), plan->steps.size(), plan->steps.size() == 1 ? "" : "s",
                     bytes_text(static_cast<double>(cost.received_max)), bytes_text(cost.received_mean),
                     cost.time_us);
}

// Which devices are gone, and what nobody has any more.
std::string lost_text(const Problem &problem) {
  if (problem.lost().empty())
    return "";
  const std::string ids = ids_text({problem.lost().begin(), problem.lost().end()});
  const auto missing = redistribute::find_missing(problem);
  if (missing.empty())
    return fmt::format("  lost       devices {}: all that they had is on others\n", ids);
  int64_t elements = 0;
  for (const auto &part : missing)
    elements += part.box.elements();
  std::string text =
      fmt::format("  lost       devices {}: nobody else has {} of target tiles\n",
                  ids, bytes_text(static_cast<double>(elements * problem.item_size())));
  for (size_t i = 0; i < missing.size() && i < kMostMissing; ++i) {
    std::vector<std::string> box;
    for (size_t d = 0; d < problem.rank(); ++d)
      box.push_back(fmt::format("{}:{}", missing[i].box.offset[d],
                                missing[i].box.offset[d] + missing[i].box.extent[d]));
    text +=
        fmt::format("    device {} lacks [{}]\n", problem.device_id(missing[i].device), fmt::join(box, ", "));
  }
  if (missing.size() > kMostMissing)
    text += fmt::format("    and {} more parts\n", missing.size() - kMostMissing);
  return text;
}

} // namespace

std::string redistribution_text(const Redistribution &r, size_t width) {
  const redistribute::Plan &plan = *r.chosen.plan;
  const redistribute::PlanCost &cost = r.chosen.cost;
  std::string text = fmt::format("{} on {}\n\n", graph::to_short_text(plan.problem->type()), r.mesh);
  text += fmt::format("before  {}\n{}\n", r.src, grid(plan.buffers.front(), *plan.problem, width));
  text += fmt::format("after  {}\n{}\n", r.dst, grid(plan.buffers.back(), *plan.problem, width));
  text += fmt::format("{}: {} step{}\n{}\n", redistribute::name(plan.method), plan.steps.size(),
                      plan.steps.size() == 1 ? "" : "s", steps_text(r, width));
  text += fmt::format(
      "  received   {} max, {} mean a device\n  bound B1   {} max, {} mean: the bytes that a device lacks\n",
      bytes_text(static_cast<double>(cost.received_max)), bytes_text(cost.received_mean),
      bytes_text(static_cast<double>(r.bounds.b1_max)), bytes_text(r.bounds.b1_mean));
  text += lost_text(*plan.problem);
  const std::vector<int64_t> by_level =
      r.bounds.b2.empty() ? std::vector<int64_t>() : redistribute::bytes_by_level(plan, r.topology);
  for (size_t level = 0; level < r.bounds.b2.size(); ++level)
    text += fmt::format(
        "  level {}    {} enter a group; bound B2: {}{}\n", level,
        bytes_text(static_cast<double>(by_level[level])), bytes_text(static_cast<double>(r.bounds.b2[level])),
        r.bounds.b3.empty()
            ? std::string()
            : fmt::format("; bound B3: {} leave one", bytes_text(static_cast<double>(r.bounds.b3[level]))));
  text += fmt::format("  paper cost {} elements, at least {} (arXiv 2112.01075, figure 11)\n",
                      plan.fig11_cost, r.bounds.fig11_floor);
  text += fmt::format(
      "  memory     tiles of {} at most, and {} of scratch; the larger of source and target is {}\n",
      bytes_text(static_cast<double>(cost.height_bytes)), bytes_text(static_cast<double>(cost.scratch_bytes)),
      bytes_text(static_cast<double>(r.bounds.height_bytes)));
  text += fmt::format("  time       {:.4g} us modelled, {:.3g}x the least possible\n", cost.time_us, gap(r));
  if (const std::string certificate = certificate_text(r.chosen); !certificate.empty())
    text += fmt::format("  exact      {}\n", certificate);
  text += cheaper_text(r);
  text += others_text(r, width);
  if (r.check) {
    text += fmt::format("\ncheck  {}{}\n", r.check->pass() ? "PASS" : "FAIL",
                        r.check->moved ? ", elements moved" : "");
    for (const std::string &failure : r.check->failures)
      text += fmt::format("  {}\n", failure);
  }
  return text;
}

} // namespace tw::report
