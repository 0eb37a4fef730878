// SPDX-License-Identifier: Apache-2.0
// The axes that device-local code counts its devices by: those of a mesh, cut into parts where shardings name
// parts, and where groups of devices lie along parts alone. Such cuts are findings: the text is read again.
#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "import/device_local.hpp"
#include "sharding/mesh.hpp"

namespace tw::import {

using annotation::AxisRef;
using annotation::MeshDecl;

// The axes of a mesh, cut where `parts` begin and end, and where the text was found to cut them, as far as
// the cuts of an axis divide each other.
Result<DeviceLocal::Axes> DeviceLocal::cut(const MeshDecl &mesh, std::span<const AxisRef> parts) const {
  int64_t behind = 1; // devices
  for (const auto &[name, size] : mesh.axes) {
    if (size > (int64_t{1} << 20) / behind)
      return fail(Code::out_of_range, "TW-113", "device-local code over more than 2^20 devices");
    behind *= size;
  }
  Axes axes;
  axes.devices = behind;
  for (const auto &[name, size] : mesh.axes) {
    std::set<int64_t> cuts{1, size}; // where parts begin and end, as products of what lies before
    for (const AxisRef &part : parts)
      if (part.name == name && part.size != 0)
        cuts.insert({part.pre, part.pre * part.size});
    for (const int64_t found : findings_.cuts(mesh.name))
      if (const int64_t before = behind / found;
          before * found == behind && size % before == 0 &&
          std::ranges::all_of(cuts, [&](int64_t c) { return c % before == 0 || before % c == 0; }))
        cuts.insert(before);
    behind /= size;
    if (size == 1) {
      axes.refs.push_back({name, 1, 0});
      axes.sizes.push_back(1);
    }
    for (auto next = cuts.begin(), last = next++; next != cuts.end(); last = next++) {
      if (*next % *last != 0)
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("no parts of axis \"{}\" of size {} begin at both {} and {}", name, size,
                                *last, *next));
      axes.refs.push_back(cuts.size() == 2 ? AxisRef{name, 1, 0} : AxisRef{name, *last, *next / *last});
      axes.sizes.push_back(*next / *last);
    }
  }
  return axes;
}

Status DeviceLocal::use_mesh(const MeshDecl &mesh, std::span<const AxisRef> parts) {
  TW_ASSIGN(Axes axes, cut(mesh, parts));
  auto &[refs, sizes, devices] = axes;
  const bool same = mesh.name == mesh_ && refs == refs_ && sizes == sizes_ && mesh.device_ids == device_ids_;
  if (has_mesh() && same)
    return {};
  if (has_mesh() && (fixed_ || !manual_.empty()))
    return mesh.name == mesh_
               ? (std::ranges::all_of(parts, [&](const AxisRef &part) { return axes_of(part).has_value(); })
                      ? Status()
                      : fail(Code::unimplemented, "TW-113",
                             "device-local code over parts of axes inside such code over whole ones"))
               : fail(Code::unimplemented, "TW-113",
                      fmt::format("device-local code over mesh @{} inside such code over @{}", mesh.name,
                                  mesh_));
  if (refs.size() > sharding::kMaxAxes)
    return fail(Code::out_of_range, "TW-113",
                fmt::format("device-local code over a mesh of more than {} axes", sharding::kMaxAxes));
  mesh_ = mesh.name;
  refs_ = std::move(refs);
  sizes_ = std::move(sizes);
  device_ids_ = mesh.device_ids;
  values_.clear(); // what was local before has left
  strides_.assign(sizes_.size(), 1);
  for (size_t i = sizes_.size(); i-- > 1;)
    strides_[i - 1] = strides_[i] * sizes_[i];
  positions_ = count_from(0, static_cast<size_t>(devices));
  if (!mesh.device_ids.empty()) {
    std::ranges::fill(positions_, -1);
    bool all = mesh.device_ids.size() == positions_.size();
    for (size_t p = 0; all && p < positions_.size(); ++p) {
      const int64_t id = mesh.device_ids[p];
      all = id >= 0 && id < devices && positions_[static_cast<size_t>(id)] < 0;
      if (all)
        positions_[static_cast<size_t>(id)] = static_cast<int64_t>(p);
    }
    if (!all)
      return fail(Code::invalid_argument, "TW-113",
                  fmt::format("the device ids of mesh @{} are not those of its {} devices", mesh_, devices));
  }
  return {};
}

bool DeviceLocal::is_manual(std::string_view name) const {
  return std::ranges::any_of(manual_, [&](size_t axis) { return refs_[axis].name == name; });
}

std::optional<MeshAxes> DeviceLocal::axes_of(const AxisRef &ref) const {
  MeshAxes axes;
  int64_t reached = 1;
  for (size_t axis = 0; axis < refs_.size(); ++axis)
    if (const AxisRef &own = refs_[axis]; own.name == ref.name) {
      if (ref.size == 0) {
        axes.push_back(axis);
      } else if (own.pre >= ref.pre && own.pre * sizes_[axis] <= ref.pre * ref.size) {
        axes.push_back(axis);
        reached *= sizes_[axis];
      }
    }
  return ref.size == 0 || reached == ref.size ? std::optional(axes) : std::nullopt;
}

// --- lists of devices ---

std::vector<std::pair<std::string, int64_t>> DeviceLocal::cut_devices(std::span<const int64_t> iota) const {
  std::set<int64_t> cuts{1};
  int64_t behind = 1;
  for (size_t i = iota.size(); i-- > 0;)
    cuts.insert(behind *= iota[i]);
  for (const int64_t cut : findings_.cuts(std::string(kGspmdMesh)))
    if (behind % cut == 0 &&
        std::ranges::all_of(cuts, [&](int64_t c) { return c % cut == 0 || cut % c == 0; }))
      cuts.insert(cut);
  std::vector<std::pair<std::string, int64_t>> axes;
  for (auto outer = cuts.rbegin(), inner = std::next(outer); inner != cuts.rend(); outer = inner++)
    axes.emplace_back(fmt::format("{}", axes.size()), *outer / *inner);
  if (axes.empty() && !iota.empty())
    axes.emplace_back("0", 1);
  return axes;
}

std::optional<MeshAxes> DeviceLocal::axes_between(int64_t from, int64_t to) const {
  MeshAxes axes;
  int64_t reached = from;
  for (size_t axis = sizes_.size(); axis-- > 0;)
    if (sizes_[axis] > 1 && strides_[axis] >= from && strides_[axis] * sizes_[axis] <= to) {
      if (strides_[axis] != reached)
        break;
      axes.insert(axes.begin(), axis);
      reached *= sizes_[axis];
    }
  if (reached == to)
    return axes;
  if (!fixed_)
    for (const int64_t cut : {from, to})
      findings_.add_cut(mesh_, cut);
  return std::nullopt;
}

bool DeviceLocal::cut_axis(size_t axis, int64_t parts) const {
  if (sizes_[axis] % parts != 0)
    return false;
  findings_.add_cut(mesh_, strides_[axis] * (sizes_[axis] / parts));
  return true;
}

Status DeviceLocal::use_processes(int64_t replicas, int64_t partitions) {
  TW_TRY(use_mesh({"processes", {{"replica", replicas}, {"partition", partitions}}, {}}));
  replicas_ = replicas;
  processes_ = true;
  keep_axes();
  return {};
}

// --- groups of devices ---

Status DeviceLocal::check(const DeviceGroups &groups) const {
  std::vector<bool> seen(positions_.size(), false);
  for (const auto &group : groups) {
    if (group.empty() || group.size() != groups[0].size())
      return fail(Code::invalid_argument, "TW-113", "groups of devices must be equally large; -1 fills up");
    for (const int64_t id : group) {
      if (id == -1)
        continue;
      if (id < 0 || id >= std::ssize(positions_))
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("device {} is in no mesh: @{} has {} devices", id, mesh_, positions_.size()));
      if (seen[static_cast<size_t>(id)])
        return fail(Code::invalid_argument, "TW-113", fmt::format("device {} is in two groups", id));
      seen[static_cast<size_t>(id)] = true;
    }
  }
  return {};
}

// How members of the first group stand to each other: steps that count so many, minor ones first. Then all
// groups must be like it.
std::optional<MeshAxes> DeviceLocal::axes_of(const DeviceGroups &groups) const {
  if (groups.empty())
    return std::nullopt;
  const auto size = std::ssize(groups[0]);
  std::vector<int64_t> at; // positions
  for (const auto &group : groups)
    for (const int64_t id : group)
      at.push_back(id < 0 ? -1 : positions_[static_cast<size_t>(id)]);
  std::vector<int64_t> sorted = at;
  std::ranges::sort(sorted);
  if (sorted != count_from(0, positions_.size()))
    return std::nullopt;
  struct Digit {
    int64_t step, count;
  };
  std::vector<Digit> digits;
  for (int64_t done = 1; done < size; done *= digits.back().count) {
    const auto from_first = [&](int64_t member) { return at[static_cast<size_t>(member)] - at[0]; };
    Digit digit{from_first(done), 1};
    while (digit.count * done < size && from_first(digit.count * done) == digit.count * digit.step)
      ++digit.count;
    if (digit.step <= 0 || size % (done * digit.count) != 0)
      return std::nullopt;
    digits.push_back(digit);
  }
  for (size_t i = 0; i < at.size(); ++i) {
    int64_t member = static_cast<int64_t>(i) % size, base = at[i - static_cast<size_t>(member)],
            expected = base;
    for (const auto [step, count] : digits) {
      if (base / step % count != 0)
        return std::nullopt;
      expected += member % count * step;
      member /= count;
    }
    if (at[i] != expected)
      return std::nullopt;
  }
  MeshAxes axes;
  bool found = true; // all digits are looked at, so that all cuts are found at once
  for (const auto [step, count] : digits) {
    const auto counting = axes_between(step, step * count);
    found = found && counting;
    if (found)
      axes.insert(axes.begin(), counting->begin(), counting->end());
  }
  return found ? std::optional(axes) : std::nullopt;
}

} // namespace tw::import
