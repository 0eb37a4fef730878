// SPDX-License-Identifier: Apache-2.0
// Reads the steps of a plan, and draws who sends what.
#include "picture/move_scene.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "picture/colors.hpp"
#include "picture/sharding_scene.hpp"
#include "picture/words.hpp"
#include "redistribute/direct.hpp"
#include "sharding/axis_names.hpp"

namespace tw::picture {

namespace {

using redistribute::Device;
using redistribute::Problem;
using redistribute::Step;

constexpr size_t kMostDevices = 16;   // whose messages are drawn
constexpr size_t kMostCounted = 1024; // whose messages are counted
constexpr double kMiddle = 236, kChip = 22, kStepText = 11;

using Bytes = std::map<std::pair<Device, Device>, int64_t>;

void add_flows(const Problem &problem, const Step &step, Bytes &bytes) {
  const size_t rank = problem.rank();
  for (size_t to = 0; to + 1 < step.first_piece.size(); ++to)
    for (uint32_t piece = step.first_piece[to]; piece < step.first_piece[to + 1]; ++piece) {
      int64_t size = problem.item_size();
      for (const int64_t n : step.extent(piece, rank))
        size *= n;
      for (const redistribute::Source &source : step.sources_of(piece))
        bytes[{source.device, static_cast<Device>(to)}] += size;
    }
}

std::vector<Step> steps_of(const Move &move) {
  return move.steps != nullptr ? move.steps->read()
                               : std::vector<Step>{redistribute::direct_step(move.problem)};
}

// The tile that a device holds, in the colour of its picture; what is in no mesh of that side is white.
Color color_of(const Subject &subject, Position position) {
  return position < 0 ? Color{255, 255, 255} : tile_color(subject, position);
}

class MoveDrawing {
public:
  MoveDrawing(const Move &move, bool bare) : move_(move), subjects_(move.problem, move.name), bare_(bare) {}

  Scene scene() {
    Scene before = sharding_scene(subjects_.before(), bare_),
          after = sharding_scene(subjects_.after(), bare_);
    scene_.title = fmt::format("{} to {}", before.title, after.title);
    scene_.description = fmt::format("Before: {} After: {}", before.description, after.description);
    const double left = before.width, height = std::max(before.height, after.height);
    scene_.place(std::move(before), 0, 0);
    double y = 19;
    for (const std::string &line : step_words(move_)) {
      scene_.add(
          Text{left + kMiddle / 2, y, fitted(line, kStepText, kMiddle - 8), kStepText, Anchor::middle});
      scene_.description += fmt::format(" {}.", line);
      y += 16;
    }
    y += 6;
    if (move_.problem.num_devices() <= kMostDevices)
      y = messages(left, y);
    else
      arrow(left + 20, left + kMiddle - 20, std::max(y + 10, height / 2));
    scene_.height = std::max(scene_.height, y + 8);
    scene_.place(std::move(after), left + kMiddle, 0);
    return std::move(scene_);
  }

private:
  void arrow(double from, double to, double y) {
    scene_.add(Lines{{{from, y, to - 8, y}}, ink(0.7), 2});
    scene_.add(Triangle{to, y, to - 10, y - 5, to - 10, y + 5, ink(0.7)});
  }

  // A column of senders, one of receivers, and a curve for what goes from one to the other.
  double messages(double left, double top) {
    const Problem &problem = move_.problem;
    const double from = left + 14, to = left + kMiddle - 14;
    const auto y_of = [&](Device d) { return top + (static_cast<double>(d) + 0.5) * kChip; };
    std::vector<Flow> flows = flows_of(move_);
    int64_t most = 1;
    for (const Flow &flow : flows)
      if (flow.from != flow.to)
        most = std::max(most, flow.bytes);
    std::ranges::stable_sort(flows, {},
                             [](const Flow &flow) { return flow.from != flow.to; }); // what stays below
    const Subject before = subjects_.before(), after = subjects_.after();
    for (const Flow &flow : flows) {
      const bool stays = flow.from == flow.to;
      const double width =
          stays ? 1.5 : 1.5 + 3.5 * static_cast<double>(flow.bytes) / static_cast<double>(most);
      const Color sender = darker(color_of(before, problem.src_position(flow.from)), 0.72);
      const double tip = to - kChip / 2 - 2;
      scene_.add(Group{
          "move",
          {{"from", fmt::format("{}", problem.device_id(flow.from))},
           {"to", fmt::format("{}", problem.device_id(flow.to))},
           {"bytes", fmt::format("{}", flow.bytes)}},
          stays ? fmt::format("{} stay on device {}", bytes_text(flow.bytes), problem.device_id(flow.from))
                : fmt::format("{} from device {} to device {}", bytes_text(flow.bytes),
                              problem.device_id(flow.from), problem.device_id(flow.to))});
      scene_.add(Curve{from + kChip / 2 + 1, y_of(flow.from), stays ? tip : tip - 5, y_of(flow.to),
                       stays ? ink(0.22) : solid(sender), width});
      if (!stays)
        scene_.add(Triangle{tip, y_of(flow.to), tip - 7, y_of(flow.to) - 3.5, tip - 7, y_of(flow.to) + 3.5,
                            solid(sender)});
      scene_.add(GroupEnd{});
    }
    for (Device d = 0; d < static_cast<Device>(problem.num_devices()); ++d) {
      if (problem.src_position(d) >= 0)
        chip(from, y_of(d), color_of(before, problem.src_position(d)), problem.device_id(d));
      if (problem.dst_position(d) >= 0)
        chip(to, y_of(d), color_of(after, problem.dst_position(d)), problem.device_id(d));
    }
    const double end = y_of(static_cast<Device>(problem.num_devices()));
    scene_.add(
        Text{left + kMiddle / 2, end + 4, "thickness: bytes; grey: stays", 10, Anchor::middle, ink(0.72)});
    return end + 10;
  }

  void chip(double x, double y, Color color, int64_t id) {
    scene_.add(Rect{x - kChip / 2, y - kChip / 2 + 2, kChip, kChip - 4, 4, solid(color),
                    solid(darker(color, 0.62))});
    scene_.add(Text{x, y + 3.8, fmt::format("{}", id), 10, Anchor::middle, solid(kOnTile)});
  }

  const Move &move_;
  const MoveSubjects subjects_;
  const bool bare_;
  Scene scene_;
};

} // namespace

MoveSubjects::MoveSubjects(const redistribute::Problem &problem, std::string_view name)
    : problem_(problem),
      name_(name), before_{problem.src().sharding, problem.src().halos}, after_{problem.dst().sharding,
                                                                                problem.dst().halos} {}

std::vector<Flow> flows_of(const Move &move) {
  Bytes bytes;
  for (const Step &step : steps_of(move))
    add_flows(move.problem, step, bytes);
  // Devices that all want one sum make a part of it each, and give it to the others: 2/g of what each would
  // get by adding all up alone.
  int64_t group = 2;
  if (move.steps == nullptr && move.problem.same_mesh())
    if (const auto summary = redistribute::summarise(move.problem);
        summary.kind == redistribute::Kind::all_reduce)
      for (group = 1; const sharding::AxisId a : summary.axes)
        group *= move.problem.src().mesh.size(a);
  std::vector<Flow> flows;
  for (const auto &[ends, sum] : bytes)
    flows.push_back({ends.first, ends.second, ends.first == ends.second ? sum : sum * 2 / group});
  return flows;
}

std::vector<std::string> step_words(const Move &move) {
  const auto line = [](redistribute::Kind kind, const std::string &axes, int64_t received) {
    return received == 0 ? std::string("each device cuts its own tile")
                         : fmt::format("{}{}{}: {} a device", redistribute::name(kind),
                                       axes.empty() ? "" : " over ", plain(axes), bytes_text(received));
  };
  const bool summed = move.steps == nullptr && move.problem.same_mesh();
  if (summed || move.problem.num_devices() > kMostCounted) {
    if (!move.problem.same_mesh())
      return {fmt::format("to another mesh{}", move.steps != nullptr && move.steps->size() > 1
                                                   ? fmt::format(", in {} steps", move.steps->size())
                                                   : "")};
    const redistribute::Summary summary = redistribute::summarise(move.problem);
    const std::vector<std::string> axes = sharding::axis_names(summary.axes, move.problem.src().mesh);
    return {line(summary.kind, fmt::format("{}", fmt::join(axes, ",")), summary.bytes_received_max)};
  }
  std::vector<std::string> lines;
  const std::vector<Step> steps = steps_of(move);
  for (const Step &step : steps) {
    Bytes bytes;
    add_flows(move.problem, step, bytes);
    std::map<Device, int64_t> received;
    int64_t most = 0;
    for (const auto &[ends, sum] : bytes)
      if (ends.first != ends.second)
        most = std::max(most, received[ends.second] += sum);
    lines.push_back((steps.size() > 1 ? fmt::format("{}. ", lines.size() + 1) : "") +
                    line(step.kind, step.axes, most));
  }
  if (lines.empty())
    lines.push_back("nothing moves");
  return lines;
}

Scene move_scene(const Move &move, bool bare) { return MoveDrawing(move, bare).scene(); }

} // namespace tw::picture
