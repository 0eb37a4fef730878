// SPDX-License-Identifier: Apache-2.0
// The format: a magic number, then 64-bit little-endian integers; every list starts with its length.
#include "redistribute/plan_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "redistribute/check.hpp"
#include "redistribute/planner.hpp"

namespace tw::redistribute {

using sharding::Mesh;
using sharding::Sharding;
using sharding::SplitRule;

namespace {

constexpr std::string_view kMagic = "tilewright plan 3\n";
static_assert(std::endian::native == std::endian::little);

class Writer {
public:
  explicit Writer(std::string &out) : out_(out) {}

  template <class T> void number(T value) {
    const auto wide = static_cast<int64_t>(value);
    char raw[sizeof wide];
    std::memcpy(raw, &wide, sizeof wide);
    out_.append(raw, sizeof wide);
  }
  void text(std::string_view s) {
    number(s.size());
    out_.append(s);
  }
  template <class List> void numbers(const List &list) {
    number(list.size());
    for (const auto &value : list)
      number(value);
  }
  template <class List, class Each> void list(const List &items, Each each) {
    number(items.size());
    for (const auto &item : items)
      each(item);
  }

private:
  std::string &out_;
};

// After the first mistake everything reads as zero; ok() tells.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T> T number() {
    int64_t wide = 0;
    if (bytes_.size() - at_ < sizeof wide) {
      ok_ = false;
      return T{};
    }
    std::memcpy(&wide, bytes_.data() + at_, sizeof wide);
    at_ += sizeof wide;
    if constexpr (std::is_enum_v<T>) {
      ok_ = ok_ && wide >= 0 && wide < 256;
      return static_cast<T>(wide);
    } else {
      ok_ = ok_ && std::in_range<T>(wide);
      return static_cast<T>(wide);
    }
  }
  bool flag() { return number<int64_t>() != 0; }
  // Of a list whose items take at least `least` bytes each.
  size_t length(size_t least) {
    const auto n = number<uint64_t>();
    if (n > (bytes_.size() - at_) / least) {
      ok_ = false;
      return 0;
    }
    return ok_ ? static_cast<size_t>(n) : 0;
  }
  std::string text() {
    const size_t n = length(1);
    std::string result(bytes_.substr(at_, n));
    at_ += n;
    return result;
  }
  template <class T> std::vector<T> numbers() {
    std::vector<T> result(length(8));
    for (T &value : result)
      value = number<T>();
    return result;
  }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && at_ == bytes_.size(); }

private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

void write(Writer &w, const Layout &layout) {
  w.list(layout.mesh.axes(), [&](const sharding::Axis &axis) {
    w.text(axis.name);
    w.text(axis.parent);
    w.number(axis.size);
    w.number(axis.pre);
  });
  w.numbers(layout.mesh.device_ids());
  w.list(layout.sharding.dims, [&](const sharding::DimSharding &dim) {
    w.numbers(dim.axes);
    w.number(dim.rule.kind);
    w.number(dim.rule.unit);
    w.numbers(dim.rule.cuts ? *dim.rule.cuts : std::vector<int64_t>());
  });
  w.list(layout.halos, [&](const sharding::Halo &halo) {
    w.number(halo.before);
    w.number(halo.after);
    w.number(halo.border);
  });
  w.list(layout.sharding.partial, [&](const sharding::Partial &s) {
    w.number(s.axis);
    w.number(s.kind);
  });
}

Result<Layout> read_layout(Reader &r) {
  std::vector<sharding::Axis> axes(r.length(32));
  for (sharding::Axis &axis : axes) {
    axis.name = r.text();
    axis.parent = r.text();
    axis.size = r.number<int64_t>();
    axis.pre = r.number<int64_t>();
  }
  auto ids = r.numbers<int64_t>();
  Layout layout;
  TW_ASSIGN(layout.mesh, Mesh::create(std::move(axes), std::move(ids)));
  layout.sharding.dims.resize(r.length(32));
  for (sharding::DimSharding &dim : layout.sharding.dims) {
    dim.axes = r.numbers<sharding::AxisId>();
    dim.rule.kind = r.number<SplitRule::Kind>();
    dim.rule.unit = r.number<int64_t>();
    auto cuts = r.numbers<int64_t>();
    if (dim.rule.kind > SplitRule::Kind::cuts)
      return fail(Code::invalid_argument, "TW-525", "the bytes name a split rule that does not exist");
    if (dim.rule.kind == SplitRule::Kind::cuts)
      dim.rule.cuts = std::make_shared<const std::vector<int64_t>>(std::move(cuts));
  }
  layout.halos.resize(r.length(24));
  for (sharding::Halo &halo : layout.halos) {
    halo.before = r.number<int64_t>();
    halo.after = r.number<int64_t>();
    halo.border = r.number<sharding::Border>();
    if (halo.border > sharding::Border::wrap)
      return fail(Code::invalid_argument, "TW-525", "the bytes name a border that does not exist");
  }
  layout.sharding.partial.resize(r.length(16));
  for (sharding::Partial &s : layout.sharding.partial) {
    s.axis = r.number<sharding::AxisId>();
    s.kind = r.number<sharding::Reduction>();
    if (s.kind > sharding::Reduction::pick)
      return fail(Code::invalid_argument, "TW-525", "the bytes name a reduction that does not exist");
  }
  return layout;
}

void write(Writer &w, const Placement &tiles) {
  for (Device d = 0; static_cast<size_t>(d) < tiles.num_devices(); ++d) {
    w.numbers(tiles.offset(d));
    w.numbers(tiles.extent(d));
  }
}

void read(Reader &r, Placement &tiles) {
  for (Device d = 0; static_cast<size_t>(d) < tiles.num_devices() && r.ok(); ++d)
    for (const auto part : {tiles.offset(d), tiles.extent(d)})
      if (const auto values = r.numbers<int64_t>(); values.size() == part.size())
        std::ranges::copy(values, part.begin());
}

void write(Writer &w, const Step &step) {
  w.number(step.kind);
  w.text(step.axes);
  w.number(step.group);
  w.number(step.target);
  w.number(step.level);
  w.number(step.reduction);
  w.numbers(step.first_piece);
  w.numbers(step.bounds);
  w.numbers(step.first_source);
  w.list(step.sources, [&](const Source &s) {
    w.number(s.device);
    w.number(s.buffer);
  });
}

Step read_step(Reader &r) {
  Step step;
  step.kind = r.number<Kind>();
  step.axes = r.text();
  step.group = r.number<int64_t>();
  step.target = r.number<uint32_t>();
  step.level = r.number<uint32_t>();
  step.reduction = r.number<sharding::Reduction>();
  step.first_piece = r.numbers<uint32_t>();
  step.bounds = r.numbers<int64_t>();
  step.first_source = r.numbers<uint32_t>();
  step.sources.resize(r.length(16));
  for (Source &s : step.sources) {
    s.device = r.number<Device>();
    s.buffer = r.number<uint32_t>();
  }
  return step;
}

void write(Writer &w, const Certificate &certificate) {
  w.number(certificate.weak);
  w.list(certificate.excluded, [&](const Certificate::Excluded &e) {
    w.list(e.shards, [&](const std::vector<int64_t> &shards) { w.numbers(shards); });
    w.number(e.cost);
    w.number(e.why);
    w.number(e.step);
  });
}

Certificate read_certificate(Reader &r) {
  Certificate certificate;
  certificate.weak = r.number<int64_t>();
  certificate.excluded.resize(r.length(32));
  for (Certificate::Excluded &e : certificate.excluded) {
    e.shards.resize(r.length(8));
    for (std::vector<int64_t> &shards : e.shards)
      shards = r.numbers<int64_t>();
    e.cost = r.number<int64_t>();
    e.why = r.number<Certificate::Excluded::Why>();
    e.step = r.number<size_t>();
  }
  return certificate;
}

tl::unexpected<Error> damaged(std::string_view how) {
  return fail(Code::invalid_argument, "TW-525",
              fmt::format("these bytes are no redistribution plan: {}", how));
}

// Large steps that are what this program would write down are its own: the plan has the hash that it has
// where it is made.
void follow_from_tiles(Plan &plan) {
  StepSize size;
  for (const Step &step : plan.steps) {
    size.pieces += static_cast<int64_t>(step.num_pieces());
    size.sources += std::ssize(step.sources);
  }
  if (!size.is_large() || plan.method != Method::direct || plan.problem->has_halos())
    return;
  PlanOptions options;
  options.method = Method::direct;
  options.height_bytes = INT64_MAX;
  if (const auto own = make_plans(plan.problem, options))
    for (const Costed &made : *own)
      if (made.plan->steps.later_size().sources == size.sources && made.plan->buffers == plan.buffers &&
          made.plan->steps == plan.steps)
        plan.steps = made.plan->steps;
}

} // namespace

std::string to_bytes(const Plan &plan, const Topology &topology) {
  std::string out(kMagic);
  Writer w(out);
  const Problem &problem = *plan.problem;
  w.number(problem.type().dtype);
  w.numbers(problem.type().dims);
  write(w, problem.src());
  write(w, problem.dst());
  w.numbers(problem.lost());
  w.list(topology.groups, [&](const std::vector<int32_t> &groups) { w.numbers(groups); });
  w.number(plan.method);
  w.number(plan.exact);
  w.number(plan.fig11_cost);
  write(w, plan.certificate);
  w.list(plan.buffers, [&](const Placement &tiles) { write(w, tiles); });
  w.list(plan.images, [&](const Image &image) {
    w.number(image.buffer);
    w.number(image.of);
    w.numbers(image.shift);
  });
  w.list(plan.steps.read(), [&](const Step &step) { write(w, step); });
  return out;
}

Result<LoadedPlan> from_bytes(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return damaged("they do not begin like one of this version");
  Reader r(bytes.substr(kMagic.size()));
  graph::TensorType type;
  type.dtype = r.number<graph::DType>();
  type.dims = r.numbers<int64_t>();
  if (type.dtype >= graph::DType::count_ || graph::byte_size(type.dtype) == 0)
    return damaged("no such element type");
  TW_ASSIGN(Layout src, read_layout(r));
  TW_ASSIGN(Layout dst, read_layout(r));
  auto lost = r.numbers<int64_t>();
  if (!r.ok())
    return damaged("they end early");
  TW_ASSIGN(Problem problem,
            Problem::create(std::move(type), std::move(src), std::move(dst), std::move(lost)));
  std::vector<std::vector<int32_t>> groups(r.length(8));
  for (auto &level : groups)
    level = r.numbers<int32_t>();
  TW_ASSIGN(Topology topology, Topology::create(std::move(groups), problem.num_devices()));
  auto plan = std::make_shared<Plan>();
  plan->problem = std::make_shared<const Problem>(std::move(problem));
  plan->method = r.number<Method>();
  plan->exact = r.flag();
  plan->fig11_cost = r.number<int64_t>();
  plan->certificate = read_certificate(r);
  // A tile of a device takes two lists of its rank.
  const size_t tile_bytes = 16 * (1 + plan->problem->rank()) * plan->problem->num_devices();
  plan->buffers.assign(r.length(tile_bytes), Placement(plan->problem->rank(), plan->problem->num_devices()));
  for (Placement &tiles : plan->buffers)
    read(r, tiles);
  plan->images.resize(r.length(24));
  for (Image &image : plan->images) {
    image.buffer = r.number<uint32_t>();
    image.of = r.number<uint32_t>();
    image.shift = r.numbers<int64_t>();
  }
  std::vector<Step> steps(r.length(8 * 10));
  for (Step &step : steps)
    step = read_step(r);
  plan->steps = std::move(steps);
  if (!r.done())
    return damaged(r.ok() ? "something follows the plan" : "they end early, or a number is out of range");
  if (plan->method == Method::automatic || plan->method > Method::stated || plan->buffers.size() < 2)
    return damaged("method or buffers are missing");
  for (const Step &step : plan->steps)
    if (step.kind > Kind::exchange || step.reduction > sharding::Reduction::pick ||
        step.level >= topology.num_levels())
      return damaged("a step has no such kind, reduction or level");
  if (const CheckReport report = check(*plan); !report.pass()) {
    Error error(Code::invalid_argument, "TW-525", "the plan in these bytes is wrong: " + report.failures[0]);
    for (size_t i = 1; i < report.failures.size(); ++i)
      error = std::move(error).note(report.failures[i]);
    return fail(std::move(error));
  }
  follow_from_tiles(*plan);
  return LoadedPlan{std::move(plan), std::move(topology)};
}

} // namespace tw::redistribute
