// SPDX-License-Identifier: Apache-2.0
// Appends to the flat arrays of a graph, gives equal types, attributes, small constants and names one id, and
// freezes the result.
#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "graph/graph.hpp"
#include "graph/id_table.hpp"

namespace tw::graph {
namespace {

// Constants up to this size are compared by their bytes; larger ones are kept as they come.
constexpr size_t kInternedConstantBytes = 64;

uint64_t hash_of(const AttrValue &value) {
  Hasher h(value.index());
  if (const auto *integer = std::get_if<int64_t>(&value))
    h.add(*integer);
  else if (const auto *real = std::get_if<double>(&value))
    h.add(std::string_view(reinterpret_cast<const char *>(real), sizeof(double)));
  else if (const auto *text = std::get_if<std::string>(&value))
    h.add(std::string_view(*text));
  else if (const auto *ints = std::get_if<std::vector<int64_t>>(&value))
    h.add(std::span<const int64_t>(*ints));
  else if (const auto *constant = std::get_if<ConstantId>(&value))
    h.add(constant->id);
  return h.value();
}

uint64_t hash_of(const Attrs &attrs) {
  Hasher h(attrs.size());
  for (const AttrValue &value : attrs)
    h.add(hash_of(value));
  return h.value();
}

// As ==, but reals by their bits: -0.0 is not 0.0, and a NaN equals itself.
bool same(const AttrValue &a, const AttrValue &b) {
  const auto *x = std::get_if<double>(&a);
  const auto *y = std::get_if<double>(&b);
  return x && y ? std::memcmp(x, y, sizeof(double)) == 0 : a == b;
}

bool same(const Attrs &a, const Attrs &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const AttrValue &x, const AttrValue &y) { return same(x, y); });
}

// Frees what an array has to spare; a little of it is not worth a copy.
template <class Array> void trim(Array &array) {
  if (array.capacity() - array.size() > array.size() / 16)
    array.shrink_to_fit();
}

} // namespace

struct GraphBuilder::Impl {
  IdTable types, attrs, constants, names;
  std::vector<RegionId> open = {0}; // innermost last
};

GraphBuilder::GraphBuilder(std::string module_name, std::string file)
    : graph_(std::make_unique<Graph>()), impl_(std::make_unique<Impl>()) {
  graph_->module_name_ = std::move(module_name);
  graph_->file_ = std::move(file);
  graph_->regions_.emplace_back();
  graph_->locations_.emplace_back();
  graph_->name_begin_.push_back(0);
  attrs({});
}

GraphBuilder::GraphBuilder(const Graph &from)
    : graph_(std::make_unique<Graph>(from)), impl_(std::make_unique<Impl>()) {
  const auto never = [](uint32_t) { return false; };
  for (uint32_t id = 0; id < from.types_.size(); ++id)
    impl_->types.find_or_add(hash_value(from.types_[id]), never, [&] { return id; });
  for (uint32_t id = 0; id < from.attrs_.size(); ++id)
    impl_->attrs.find_or_add(hash_of(from.attrs_[id]), never, [&] { return id; });
}

GraphBuilder::~GraphBuilder() = default;

void GraphBuilder::reserve(size_t ops, size_t values, size_t operands) {
  Graph &g = *graph_;
  g.ops_.reserve(ops);
  g.regions_[0].ops.reserve(ops);
  g.values_.reserve(values);
  g.name_begin_.reserve(values);
  g.operands_.reserve(operands);
}

TypeId GraphBuilder::type(const TensorType &t) {
  auto &types = graph_->types_;
  return impl_->types.find_or_add(
      hash_value(t), [&](uint32_t id) { return types[id] == t; },
      [&] {
        types.push_back(t);
        return static_cast<uint32_t>(types.size() - 1);
      });
}

AttrsId GraphBuilder::attrs(Attrs a) {
  auto &all = graph_->attrs_;
  return impl_->attrs.find_or_add(
      hash_of(a), [&](uint32_t id) { return same(all[id], a); },
      [&] {
        all.push_back(std::move(a));
        return static_cast<uint32_t>(all.size() - 1);
      });
}

ConstantId GraphBuilder::constant(Constant c) {
  TW_ASSERT(c.bytes && c.type < graph_->types_.size());
  auto &constants = graph_->constants_;
  const auto append = [&] {
    constants.push_back(std::move(c));
    return static_cast<uint32_t>(constants.size() - 1);
  };
  if (c.bytes->size() > kInternedConstantBytes)
    return {append()};
  const uint64_t hash =
      Hasher(c.type)
          .add(c.splat)
          .add(std::string_view(reinterpret_cast<const char *>(c.bytes->data()), c.bytes->size()))
          .value();
  return {impl_->constants.find_or_add(
      hash,
      [&](uint32_t id) {
        const Constant &other = constants[id];
        return other.type == c.type && other.splat == c.splat && *other.bytes == *c.bytes;
      },
      append)};
}

uint32_t GraphBuilder::name(std::string_view text) {
  Graph &g = *graph_;
  const auto append = [&] {
    g.name_text_.append(text);
    g.name_begin_.push_back(static_cast<uint32_t>(g.name_text_.size()));
    return static_cast<uint32_t>(g.name_begin_.size() - 2);
  };
  if (text.starts_with('%')) // names of values occur once: looking them up would take longer than all else
    return append();
  return impl_->names.find_or_add(
      hash_bytes(text.data(), text.size()), [&](uint32_t id) { return g.name_at(id) == text; }, append);
}

LocId GraphBuilder::location(Location loc) {
  if (loc == graph_->locations_.back())
    return static_cast<LocId>(graph_->locations_.size() - 1);
  graph_->locations_.push_back(loc);
  return static_cast<LocId>(graph_->locations_.size() - 1);
}

RegionId GraphBuilder::open_region(std::span<const TypeId> arg_types) {
  Graph &g = *graph_;
  const auto id = static_cast<RegionId>(g.regions_.size());
  Region &region = g.regions_.emplace_back();
  for (size_t i = 0; i < arg_types.size(); ++i) {
    region.args.push_back(static_cast<ValueId>(g.values_.size()));
    g.values_.push_back({kNone, static_cast<uint32_t>(i), id, arg_types[i], kNone});
  }
  impl_->open.push_back(id);
  return id;
}

void GraphBuilder::close_region(std::vector<ValueId> yields) {
  TW_ASSERT(impl_->open.size() > 1);
  Region &region = graph_->regions_[impl_->open.back()];
  region.yields = std::move(yields);
  region.args.shrink_to_fit();
  region.ops.shrink_to_fit();
  impl_->open.pop_back();
}

// Regions are numbered as they are opened, so those of one op are not neighbours when one of them holds
// regions itself. Moves the owned ones to the front of everything that was opened since the first of them.
RegionId GraphBuilder::gather_regions(std::span<const RegionId> regions) {
  Graph &g = *graph_;
  const RegionId first = *std::min_element(regions.begin(), regions.end());
  bool consecutive = true;
  for (size_t i = 0; i < regions.size(); ++i)
    consecutive &= regions[i] == first + i;
  if (consecutive)
    return first;

  const size_t moved = g.regions_.size() - first;
  std::vector<RegionId> new_id(moved, kNone); // by old id - first
  RegionId next = first;
  for (RegionId region : regions)
    new_id[region - first] = next++;
  for (RegionId &id : new_id)
    if (id == kNone)
      id = next++;
  std::vector<Region> old(std::make_move_iterator(g.regions_.begin() + first),
                          std::make_move_iterator(g.regions_.end()));
  for (size_t i = 0; i < moved; ++i)
    g.regions_[new_id[i]] = std::move(old[i]);
  for (size_t i = 0; i < moved; ++i) {
    const Region &region = g.regions_[first + i];
    for (ValueId arg : region.args)
      g.values_[arg].region = first + static_cast<RegionId>(i);
    for (OpId id : region.ops) {
      Op &op = g.ops_[id];
      op.parent = first + static_cast<RegionId>(i);
      if (op.num_regions > 0)
        op.first_region = new_id[op.first_region - first];
    }
  }
  return first;
}

OpId GraphBuilder::add_op(const NewOp &op) {
  Graph &g = *graph_;
  const auto id = static_cast<OpId>(g.ops_.size());
  const RegionId first_region = op.regions.empty() ? kNone : gather_regions(op.regions);
  g.ops_.push_back({op.code, static_cast<uint16_t>(op.results.size()),
                    static_cast<uint32_t>(op.operands.size()), static_cast<uint32_t>(g.operands_.size()),
                    static_cast<ValueId>(g.values_.size()), op.attrs, op.loc, first_region,
                    static_cast<uint32_t>(op.regions.size()), impl_->open.back()});
  g.operands_.insert(g.operands_.end(), op.operands.begin(), op.operands.end());
  for (uint32_t i = 0; i < op.results.size(); ++i)
    g.values_.push_back({id, i, kNone, op.results[i], kNone});
  for (uint32_t i = 0; i < op.regions.size(); ++i)
    g.regions_[first_region + i].parent = id;
  g.regions_[impl_->open.back()].ops.push_back(id);
  return id;
}

void GraphBuilder::set_value_name(ValueId v, uint32_t name) { graph_->values_[v].name = name; }

OpId GraphBuilder::add_argument(OpCode argument_code, TypeId type, AttrsId attrs, uint32_t name, LocId loc,
                                int32_t alias) {
  const OpId id = add_op({argument_code, {}, {&type, 1}, attrs, loc});
  graph_->arguments_.push_back(id);
  graph_->argument_names_.push_back(name);
  graph_->aliases_.push_back(alias);
  return id;
}

OpId GraphBuilder::add_result(OpCode result_code, ValueId value, AttrsId attrs, uint32_t name, LocId loc) {
  const OpId id = add_op({result_code, {&value, 1}, {}, attrs, loc});
  graph_->results_.push_back(id);
  graph_->result_names_.push_back(name);
  return id;
}

std::shared_ptr<const Graph> GraphBuilder::finish() {
  TW_ASSERT(impl_->open.size() == 1);
  impl_.reset(); // its tables are as large as the arrays that are about to be trimmed
  Graph &g = *graph_;
  trim(g.ops_);
  trim(g.values_);
  trim(g.operands_);
  trim(g.regions_);
  trim(g.regions_[0].ops);
  trim(g.locations_);
  trim(g.name_text_);
  trim(g.name_begin_);

  // Counting sort of all operands by value; the ends move down to the beginnings while the lists fill from
  // the back.
  g.use_begin_.assign(g.values_.size() + 1, 0);
  for (ValueId v : g.operands_)
    ++g.use_begin_[v];
  uint32_t sum = 0;
  for (uint32_t &count : g.use_begin_)
    count = sum += count;
  g.uses_.resize(g.operands_.size());
  for (size_t id = g.ops_.size(); id-- > 0;)
    for (uint32_t i = g.ops_[id].num_operands; i-- > 0;)
      g.uses_[--g.use_begin_[g.operands_[g.ops_[id].first_operand + i]]] = {static_cast<OpId>(id), i};
  return std::shared_ptr<const Graph>(std::move(graph_));
}

} // namespace tw::graph
