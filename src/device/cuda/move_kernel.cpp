// SPDX-License-Identifier: Apache-2.0
// Finds the pieces of a taker, and makes kernels of them: a table of boxes an array, and one pass over each
// piece that combines.
#include "device/cuda/move_kernel.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/group.hpp"
#include "kernels/generated/host_functions.hpp"
#include "ops/strided.hpp"

namespace tw::device::cuda {
namespace {

using kernels::BoxMove;
using kernels::generated::Group;
using redistribute::Device;
using redistribute::Placement;
using Held = redistribute::Source;
using Numbers = std::vector<int64_t>;

// So many copies of their own instead of a kernel.
constexpr size_t kMostPlain = 4;

// Where a box begins in the dense tile of a device; in elements.
struct Corner {
  int64_t offset = 0;
  Numbers strides;
};
Corner corner(const Placement &tiles, Device d, std::span<const int64_t> box_offset) {
  Corner at{0, ops::dense_strides(tiles.extent(d))};
  for (size_t dim = 0; dim < box_offset.size(); ++dim)
    at.offset += (box_offset[dim] - tiles.offset(d)[dim]) * at.strides[dim];
  return at;
}

// Elements from the first to behind the last of a box.
int64_t span_of(const Corner &at, std::span<const int64_t> extent) {
  int64_t last = 0;
  for (size_t dim = 0; dim < extent.size(); ++dim)
    last += (extent[dim] - 1) * at.strides[dim];
  return last + 1;
}

bool is_run(const Corner &at, std::span<const int64_t> extent) {
  return span_of(at, extent) == ops::product(extent);
}

graph::DType bits_of(int64_t bytes) {
  switch (bytes) {
  case 1: return graph::DType::u8;
  case 2: return graph::DType::u16;
  case 4: return graph::DType::u32;
  case 8: return graph::DType::u64;
  default: return graph::DType::invalid;
  }
}

// Elements [first, last) of a tile.
struct Span {
  int64_t first, last;
  auto operator<=>(const Span &) const = default;
};

// Those that overlap or touch become one, in ascending order. What is between others may be written
// meanwhile, so far tiles come without it.
void join_spans(std::vector<Span> &spans) {
  std::ranges::sort(spans);
  std::vector<Span> joined;
  for (const Span &s : spans)
    if (!joined.empty() && s.first <= joined.back().last)
      joined.back().last = std::max(joined.back().last, s.last);
    else
      joined.push_back(s);
  spans = std::move(joined);
}

Error host_has_to(std::string why) { return {Code::unimplemented, "TW-260", std::move(why)}; }

} // namespace

MovedRegion moved_region(const comm::RegionReduce &reduce) {
  auto region = kernels::generated::scalar_region(reduce.graph, reduce.region);
  if (!region)
    return {{}, reduce.rank, region.error().message()};
  if (const Status same = kernels::generated::take_host_bits(region->nodes); !same)
    return {{}, reduce.rank, same.error().message()};
  return {std::move(*region), reduce.rank};
}

class MoveBuilder {
public:
  MoveBuilder(std::span<const MovedArray> arrays, size_t taker, std::span<const std::shared_ptr<Gpu>> gpus)
      : arrays_(arrays), taker_(taker), gpus_(gpus), made_(new MoveKernel) {}

  Status add_copies(size_t array);
  Status add_sums(size_t array);
  Status add_region(const MovedRegion &region);
  Result<std::unique_ptr<MoveKernel>> finish();
  bool is_empty() const {
    return std::ranges::all_of(arrays_,
                               [&](const MovedArray &a) { return pieces(a).first == pieces(a).second; });
  }

private:
  std::pair<size_t, size_t> pieces(const MovedArray &a) const {
    const auto &first = a.move->step.first_piece;
    return {first[taker_], first[taker_ + 1]};
  }
  std::span<const int64_t> offset(const MovedArray &a, size_t piece) const {
    return a.move->step.offset(piece, a.move->buffers[0].rank());
  }
  std::span<const int64_t> extent(const MovedArray &a, size_t piece) const {
    return a.move->step.extent(piece, a.move->buffers[0].rank());
  }
  Corner source_corner(const MovedArray &a, const Held &source, size_t piece) const {
    return corner(a.move->buffers[source.buffer], source.device, offset(a, piece));
  }
  Corner target_corner(const MovedArray &a, size_t piece) const {
    return corner(a.move->buffers[a.move->step.target], static_cast<Device>(taker_), offset(a, piece));
  }
  size_t slot(size_t array, const Held &source) const {
    const MovedArray &a = arrays_[array];
    return array * a.slots + source.buffer * a.move->buffers[0].num_devices() +
           static_cast<size_t>(source.device);
  }

  // The operand that begins there, and reaches so far. Kernels read far ones in staging.
  size_t read(size_t array, const Held &source, int64_t offset, int64_t bytes, bool by_kernel = true);
  size_t write(size_t array, int64_t offset);
  // Its result, or a place in scratch from which it is copied there.
  void put(size_t array, size_t piece, std::vector<Place> &results);
  void add_boxes(std::vector<BoxMove> moves, std::vector<Place> operands, Place result, int64_t element_size);

  std::span<const MovedArray> arrays_;
  const size_t taker_;
  std::span<const std::shared_ptr<Gpu>> gpus_;
  std::unique_ptr<MoveKernel> made_;
  KernelPlan plan_{"move", {}};
};

size_t MoveBuilder::read(size_t array, const Held &source, int64_t offset, int64_t bytes, bool by_kernel) {
  const Gpu &own = *gpus_[taker_], &from = *gpus_[static_cast<size_t>(source.device)];
  const bool far = !reaches(own, from), fetches = far && by_kernel;
  auto &reads = made_->reads_;
  const size_t at = slot(array, source);
  for (size_t i = 0; i < reads.size(); ++i)
    if (reads[i].slot == at && reads[i].offset == offset && reads[i].bytes >= bytes &&
        made_->fetches_[i] == fetches)
      return i;
  reads.push_back({at, offset, bytes, far ? &from : nullptr, 0});
  made_->fetches_.push_back(fetches);
  return reads.size() - 1;
}

size_t MoveBuilder::write(size_t array, int64_t offset) {
  const size_t at = array * arrays_[array].move->buffers[0].num_devices() + taker_;
  auto &writes = made_->writes_;
  for (size_t i = 0; i < writes.size(); ++i)
    if (writes[i].slot == at && writes[i].offset == offset)
      return i;
  writes.push_back({at, offset});
  return writes.size() - 1;
}

void MoveBuilder::add_boxes(std::vector<BoxMove> moves, std::vector<Place> operands, Place result,
                            int64_t element_size) {
  const auto table_at = static_cast<int64_t>(plan_.table.size());
  for (const bool aligned : {true, false}) {
    auto made = kernels::generated::box_source(moves, static_cast<uint32_t>(operands.size()), element_size,
                                               kEntry, aligned ? 16 : element_size);
    Part part{std::move(made.source), operands, {result}};
    part.operands.push_back(
        {Place::Where::table, aligned ? table_at : static_cast<int64_t>(plan_.table.size())});
    plan_.table.insert(plan_.table.end(), made.table.begin(), made.table.end());
    (aligned ? plan_.parts : plan_.anywhere).push_back(std::move(part));
  }
}

// All boxes that come from one holder each.
Status MoveBuilder::add_copies(size_t array) {
  const MovedArray &a = arrays_[array];
  const auto [begin, end] = pieces(a);
  struct Copy {
    size_t piece;
    Held source;
    Corner from, to;
  };
  std::vector<Copy> copies;
  bool plain = true;
  for (size_t p = begin; p < end; ++p)
    if (const auto sources = a.move->step.sources_of(p); sources.size() == 1) {
      copies.push_back({p, sources[0], source_corner(a, sources[0], p), target_corner(a, p)});
      plain = plain && is_run(copies.back().from, extent(a, p)) && is_run(copies.back().to, extent(a, p));
    }
  if (copies.empty())
    return {};
  const int64_t size = a.element_size;
  if (plain && copies.size() <= kMostPlain) {
    for (const Copy &c : copies) {
      const int64_t bytes = ops::product(extent(a, c.piece)) * size;
      made_->plain_.push_back({read(array, c.source, c.from.offset * size, bytes, false),
                               write(array, c.to.offset * size), bytes});
    }
    return {};
  }
  std::vector<BoxMove> moves;
  std::vector<Place> operands;
  std::vector<size_t> operand_of;            // by operand of the part: the kernel's
  std::map<size_t, std::vector<Span>> spans; // by tile: those of its boxes
  for (const Copy &c : copies)
    spans[slot(array, c.source)].push_back(
        {c.from.offset, c.from.offset + span_of(c.from, extent(a, c.piece))});
  for (auto &[tile, of_tile] : spans)
    join_spans(of_tile);
  for (const Copy &c : copies) {
    const auto &of_tile = spans.at(slot(array, c.source));
    auto [first, last] =
        *std::ranges::find_if(of_tile, [&](const Span &s) { return c.from.offset < s.last; });
    if (reaches(*gpus_[taker_], *gpus_[static_cast<size_t>(c.source.device)]))
      first = 0, last = of_tile.back().last; // tiles begin at multiples of what kernels move at once
    const size_t operand = read(array, c.source, first * size, (last - first) * size);
    auto at = std::ranges::find(operand_of, operand);
    if (at == operand_of.end()) {
      operand_of.push_back(operand);
      operands.push_back({Place::Where::operand, static_cast<int64_t>(operand)});
      at = operand_of.end() - 1;
    }
    const auto box = extent(a, c.piece);
    moves.push_back({static_cast<uint32_t>(at - operand_of.begin()),
                     {box.begin(), box.end()},
                     c.from.offset - first,
                     c.to.offset,
                     c.from.strides,
                     c.to.strides});
  }
  add_boxes(std::move(moves), std::move(operands),
            {Place::Where::result, static_cast<int64_t>(write(array, 0))}, size);
  return {};
}

void MoveBuilder::put(size_t array, size_t piece, std::vector<Place> &results) {
  const MovedArray &a = arrays_[array];
  const Corner to = target_corner(a, piece);
  if (is_run(to, extent(a, piece))) {
    results.push_back({Place::Where::result, static_cast<int64_t>(write(array, to.offset * a.element_size))});
    return;
  }
  results.push_back({Place::Where::scratch, plan_.scratch_bytes});
  plan_.scratch_bytes += kernels::aligned(ops::product(extent(a, piece)) * a.element_size);
}

// Each piece of several holders is one pass in the order of their ranks.
Status MoveBuilder::add_sums(size_t array) {
  const MovedArray &a = arrays_[array];
  const auto [begin, end] = pieces(a);
  const bool picks = a.reduction == sharding::Reduction::pick;
  const graph::DType dtype = picks ? bits_of(a.element_size) : a.dtype;
  for (size_t p = begin; p < end; ++p) {
    const auto sources = a.move->step.sources_of(p);
    if (sources.size() == 1)
      continue;
    if (dtype == graph::DType::invalid || a.reduction == sharding::Reduction::raw)
      return fail(host_has_to("elements of this type are not combined by kernels"));
    const auto box = extent(a, p);
    Group group{{box.begin(), box.end()}, {}, {}, {0}};
    Part part;
    std::vector<uint32_t> args;
    for (const Held &source : sources) {
      const Corner from = source_corner(a, source, p);
      const size_t operand =
          read(array, source, from.offset * a.element_size, span_of(from, box) * a.element_size);
      args.push_back(static_cast<uint32_t>(group.inputs.size()));
      group.inputs.push_back({dtype, from.strides});
      part.operands.push_back({Place::Where::operand, static_cast<int64_t>(operand)});
    }
    group.nodes.push_back(
        {kernels::generated::combination(a.reduction, dtype, sources.size(), a.move->combine.from_zero),
         args});
    TW_ASSIGN(part.source, kernels::generated::group_source(group, kEntry));
    put(array, p, part.results);
    const Place made = part.results[0];
    plan_.parts.push_back(part);
    plan_.anywhere.push_back(std::move(part));
    if (made.where == Place::Where::scratch) {
      const Corner to = target_corner(a, p);
      add_boxes({{0, {box.begin(), box.end()}, 0, to.offset, ops::dense_strides(box), to.strides}}, {made},
                {Place::Where::result, static_cast<int64_t>(write(array, 0))}, a.element_size);
    }
  }
  return {};
}

// The arrays have one step; each piece folds the parts that have something to add.
Status MoveBuilder::add_region(const MovedRegion &how) {
  const MovedArray &any = arrays_[0];
  const size_t n = arrays_.size();
  if (!how.why_none.empty())
    return fail(host_has_to(how.why_none));
  const auto [begin, end] = pieces(any);
  for (size_t i = 0; i < n; ++i)
    if (how.region.arguments[i] != arrays_[i].dtype || how.region.arguments[n + i] != arrays_[i].dtype)
      return fail(host_has_to("the region has other types than the arrays"));
  for (size_t p = begin; p < end; ++p) {
    const auto all = any.move->step.sources_of(p);
    const auto rank = [&](const Held &s) { return how.rank[static_cast<size_t>(s.device)]; };
    std::vector<Held> sources;
    for (const Held &s : all)
      if (all.size() == 1 || rank(s) >= 0)
        sources.push_back(s);
    if (all.size() == 1)
      continue; // a copy
    std::ranges::stable_sort(sources, {}, rank);
    const auto box = extent(any, p);
    Group group{{box.begin(), box.end()}, {}, {}, {}};
    Part part;
    for (const Held &source : sources)
      for (size_t i = 0; i < n; ++i) {
        const MovedArray &a = arrays_[i];
        const Corner from = source_corner(a, source, p);
        const size_t operand =
            read(i, source, from.offset * a.element_size, span_of(from, box) * a.element_size);
        group.inputs.push_back({a.dtype, from.strides});
        part.operands.push_back({Place::Where::operand, static_cast<int64_t>(operand)});
      }
    const auto inputs = static_cast<uint32_t>(group.inputs.size());
    std::vector<uint32_t> running; // by array: where its value so far is
    for (size_t i = 0; i < n; ++i)
      running.push_back(static_cast<uint32_t>(i));
    for (size_t s = 1; s < sources.size(); ++s) {
      const auto first = inputs + static_cast<uint32_t>(group.nodes.size());
      const auto argument = [&](uint32_t at) {
        return at < n       ? running[at]
               : at < 2 * n ? static_cast<uint32_t>(s * n + at - n)
                            : first + at - static_cast<uint32_t>(2 * n);
      };
      for (const kernels::generated::GroupNode &node : how.region.nodes) {
        kernels::generated::GroupNode copy = node;
        for (uint32_t &at : copy.args)
          at = argument(at);
        group.nodes.push_back(std::move(copy));
      }
      std::vector<uint32_t> next;
      for (const uint32_t yielded : how.region.yields)
        next.push_back(argument(yielded));
      running = std::move(next);
    }
    if (std::ranges::any_of(running, [&](uint32_t at) { return at < inputs; }))
      return fail(host_has_to("the region yields what it is given"));
    for (const uint32_t at : running)
      group.outputs.push_back(at - inputs);
    TW_ASSIGN(part.source, kernels::generated::group_source(group, kEntry));
    for (size_t i = 0; i < n; ++i)
      put(i, p, part.results);
    const std::vector<Place> results = part.results;
    plan_.parts.push_back(part);
    plan_.anywhere.push_back(std::move(part));
    for (size_t i = 0; i < n; ++i)
      if (results[i].where == Place::Where::scratch) {
        const Corner to = target_corner(arrays_[i], p);
        add_boxes({{0, {box.begin(), box.end()}, 0, to.offset, ops::dense_strides(box), to.strides}},
                  {results[i]}, {Place::Where::result, static_cast<int64_t>(write(i, 0))},
                  arrays_[i].element_size);
      }
  }
  return {};
}

Result<std::unique_ptr<MoveKernel>> MoveBuilder::finish() {
  for (size_t i = 0; i < made_->reads_.size(); ++i)
    if (made_->fetches_[i]) {
      made_->reads_[i].staging = made_->staging_bytes_;
      made_->staging_bytes_ += kernels::aligned(made_->reads_[i].bytes);
    }
  if (!plan_.parts.empty()) {
    TW_ASSIGN(made_->kernel_, CompiledKernel::make(std::move(plan_)));
  }
  return std::move(made_);
}

Result<std::unique_ptr<MoveKernel>> MoveKernel::make(std::span<const MovedArray> arrays,
                                                     const std::optional<MovedRegion> &region, size_t taker,
                                                     std::span<const std::shared_ptr<Gpu>> gpus) {
  MoveBuilder builder(arrays, taker, gpus);
  if (builder.is_empty())
    return nullptr;
  for (size_t a = 0; a < arrays.size(); ++a) {
    TW_TRY(builder.add_copies(a));
    if (!region)
      TW_TRY(builder.add_sums(a));
  }
  if (region)
    TW_TRY(builder.add_region(*region));
  return builder.finish();
}

std::vector<const void *> MoveKernel::operands(std::span<const void *const> src) const {
  std::vector<const void *> found;
  for (const Read &read : reads_)
    found.push_back(static_cast<const std::byte *>(src[read.slot]) + read.offset);
  return found;
}

std::vector<void *> MoveKernel::results(std::span<void *const> dst) const {
  std::vector<void *> found;
  for (const Write &write : writes_)
    found.push_back(static_cast<std::byte *>(dst[write.slot]) + write.offset);
  return found;
}

Status MoveKernel::enqueue(CudaQueue &queue, std::span<const void *const> operands,
                           std::span<void *const> results) const {
  for (const Plain &copy : plain_) {
    const Read &read = reads_[copy.operand];
    if (operands[copy.operand] == results[copy.result]) // it stays where it is
      continue;
    TW_TRY(read.far != nullptr
               ? queue.copy_far(results[copy.result], operands[copy.operand], *read.far,
                                static_cast<size_t>(copy.bytes))
               : queue.copy(results[copy.result], operands[copy.operand], static_cast<size_t>(copy.bytes)));
  }
  if (kernel_ == nullptr)
    return {};
  std::vector<const void *> here(operands.begin(), operands.end());
  for (size_t i = 0; i < reads_.size(); ++i)
    if (fetches_[i]) {
      const Read &read = reads_[i];
      TW_TRY(
          queue.copy_far(staging_ + read.staging, operands[i], *read.far, static_cast<size_t>(read.bytes)));
      here[i] = staging_ + read.staging;
    }
  return kernel_->enqueue(queue, here, results);
}

} // namespace tw::device::cuda
