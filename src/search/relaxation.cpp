// SPDX-License-Identifier: Apache-2.0
// An op is a variable: its choices are its nests, and where it is linear, those that leave partial values as
// they are (spmd/defer_sums.cpp). A value that one op reads is an edge from its maker. One that several read
// is a variable too: the layout in which it is made, and how much is paid for moving it; who needs more pays
// the rest. Ops of one rule share choices, and edges between such ops share tables.
#include "search/relaxation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/saturating.hpp"
#include "base/watch.hpp"
#include "partition/stated.hpp"
#include "search/distances.hpp"
#include "solve/compact.hpp"
#include "spmd/kept_lowering.hpp"

namespace tw::search {
namespace {

using cost::Picoseconds;
using graph::kNone;
using graph::OpId;
using graph::TypeId;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;
using partition::Port;
using sharding::Reduction;
using spmd::ShardingId;

// Who reads a value: one variable, through these operands; of an argument what it makes.
struct Reader {
  uint32_t variable;
  std::vector<uint32_t> operands; // none: a result that overwrites this argument
};

class Builder {
public:
  Builder(const Plan &plan, const system::System &system, spmd::KeptLowering &kept,
          const cost::Repeats *repeats, std::optional<sharding::AxisId> only)
      : plan_(plan), graph_(plan.graph()), lowering_(kept.lowering()), repeats_(repeats),
        terms_(graph_, plan.rules(), plan.mesh(), system), choices_(plan, lowering_, terms_, only),
        variable_of_(graph_.ops().size(), kNone) {
    for (size_t i = 0; i < graph_.arguments().size(); ++i)
      if (const int32_t result = graph_.alias_of_argument(i); result >= 0)
        overwritten_.emplace(static_cast<uint32_t>(result), graph_.arguments()[i]);
  }

  Result<Relaxation> build(std::span<const OpId> order) {
    for (auto at = order.begin(); at != order.end() && !gives_up(); ++at)
      add_op(*at);
    for (auto at = distances_.begin(); at != distances_.end() && !gives_up(); ++at)
      at->second.close();
    for (const OpId op : order)
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i) {
        TW_TRY(check_watch());
        add_moves(graph_.result(op, i));
      }
    return std::move(made_);
  }

private:
  bool is_part(OpId op) const {
    return plan_.takes_part(op) && lowering_.live[op] && !plan_.is_source(op) && !lowering_.is_result(op);
  }
  double weight(OpId op) const {
    return static_cast<double>(terms_.times(op)) *
           static_cast<double>(repeats_ == nullptr ? 1 : repeats_->count[op]);
  }

  void add_op(OpId op) {
    if (!is_part(op))
      return;
    const uint32_t kind = choices_.kind_of(op);
    const bool counted = terms_.is_counted(op);
    if (kind == kNone) {
      if (counted)
        made_.rest = saturating_add(
            made_.rest, static_cast<Picoseconds>(static_cast<double>(terms_.least_op_time(op)) * weight(op)));
      return;
    }
    variable_of_[op] = static_cast<uint32_t>(made_.ops.size());
    made_.ops.push_back(op);
    made_.kinds.push_back(kind);
    if (kind == made_.nests.size())
      note_layouts(op, choices_.kind(kind));
    std::vector<double> costs = choices_.kind(kind).times;
    for (double &cost : costs)
      cost = counted ? cost * weight(op) : 0;
    made_.model.costs.push_back(std::move(costs));
  }

  // Of a kind's first op.
  void note_layouts(OpId op, const Kind &kind) {
    auto &nests = made_.nests.emplace_back();
    for (const Choice &choice : kind.choices) {
      nests.push_back(choice.nest);
      for (uint32_t i = 0; i < choice.operands.size(); ++i)
        distances(graph_.operands(op)[i]).add(choice.operands[i]);
      for (uint32_t i = 0; i < choice.results.size(); ++i)
        distances(graph_.result(op, i)).add(choice.results[i]);
    }
  }

  Distances &distances(ValueId v) {
    const TypeId type = graph_.value(v).type;
    return distances_.try_emplace(type, lowering_, terms_, type).first->second;
  }

  // --- the moves of a value ---

  void add_moves(ValueId v) {
    const Port maker = plan_.flow().maker(v);
    if (maker.node == kNone || !plan_.is_op(maker.node) || variable_of_[maker.node] == kNone)
      return;
    Readers here, further;
    bool is_further = false;
    plan_.flow().each_reader(v, [&](const Port &reader) {
      if (!plan_.is_op(reader.node) || !lowering_.is_live(reader.node))
        return;
      const OpId next = in_next_layer(maker.node, reader.node);
      is_further |= next != reader.node;
      add_reader(here, maker.node, reader.node, reader.index);
      add_reader(further, maker.node, next, reader.index);
    });
    // Of the layers that one stands for, each but the last is read by one like it.
    const double one = static_cast<double>(terms_.times(maker.node));
    const double all = weight(maker.node);
    if (is_further)
      add_moves(v, maker, std::move(further), all - one, true);
    add_moves(v, maker, std::move(here), is_further ? one : all, false);
  }

  // Who reads, in the layer behind each of those that a maker stands for.
  OpId in_next_layer(OpId maker, OpId reader) const {
    return repeats_ != nullptr && repeats_->count[maker] > 1 && repeats_->count[reader] == 1
               ? repeats_->most[reader]
               : reader;
  }

  struct Readers {
    std::vector<Reader> of;
    bool combined = false; // it is a result, or may be
  };
  void add_reader(Readers &readers, OpId maker, OpId op, uint32_t operand) {
    const auto add = [&](uint32_t variable, std::optional<uint32_t> index) {
      if (variable == kNone || variable == variable_of_[maker])
        return;
      auto at = std::ranges::find_if(readers.of, [&](const Reader &r) {
        return r.variable == variable && r.operands.empty() == !index.has_value();
      });
      if (at == readers.of.end())
        at = readers.of.insert(at, {variable, {}});
      if (index)
        at->operands.push_back(*index);
    };
    if (!lowering_.is_result(op))
      return add(variable_of_[op], operand);
    if (partition::is_stated_result(plan_, op))
      return; // it may move for nothing then
    const auto overwritten = overwritten_.find(lowering_.signature_index(op));
    if (overwritten != overwritten_.end() && is_part(overwritten->second))
      add(variable_of_[overwritten->second], std::nullopt);
    else
      readers.combined = true;
  }

  void add_moves(ValueId v, const Port &maker, Readers readers, double weight, bool is_further) {
    const uint32_t made = variable_of_[maker.node];
    std::ranges::stable_sort(readers.of, {}, &Reader::variable);
    if (readers.of.empty()) {
      const Distances &distances = this->distances(v);
      if (readers.combined)
        for (size_t c = 0; c < choices(made).size(); ++c)
          made_.model.costs[made][c] += weight * distances.to_combined(choices(made)[c].results[maker.index]);
    } else if (readers.of.size() == 1 && !readers.combined) {
      add_edge(made, maker.index, readers.of[0], v, weight, is_further);
    } else {
      add_shared(made, maker.index, readers.of, readers.combined, v, weight, is_further);
    }
  }

  const std::vector<Choice> &choices(uint32_t variable) const {
    return choices_.kind(made_.kinds[variable]).choices;
  }

  // What a reader needs of the value in the layout in which it is made.
  double needs(ValueId v, ShardingId made, const Reader &reader, const Choice &choice) {
    const Distances &distances = this->distances(v);
    if (reader.operands.empty())
      return distances.of(made, choice.results[0]);
    double most = 0;
    for (const uint32_t operand : reader.operands)
      if (!is_within(v, made, made_.ops[reader.variable], operand, choice.operands[operand]))
        most = std::max(most, distances.of(made, choice.operands[operand]));
    return most;
  }

  // Whether the op may find what it needs in the tile that is there, or have it sent (fetch_operand,
  // gather_picks).
  bool is_within(ValueId v, ShardingId made, OpId op, uint32_t operand, ShardingId needed) {
    const ops::Rule &rule = plan_.rule(op);
    if (!rule.windows.empty() && lowering_.sharding(made).partial.empty() &&
        lowering_.summary(graph_.value(v).type, made, needed).kind == redistribute::Kind::copy)
      return true;
    if (operand != 0 || !spmd::may_bring_picks(lowering_, op))
      return false;
    const auto &dims = lowering_.sharding(made).dims;
    for (size_t d = 0; d < dims.size(); ++d)
      if (!dims[d].axes.empty() && (rule.window(0, d) != nullptr || is_picked(rule, d)))
        return true;
    return false;
  }
  static bool is_picked(const ops::Rule &rule, size_t d) {
    return std::ranges::any_of(rule.operands[0][d], [&](ops::FactorId f) {
      return rule.factors[f].kind == ops::FactorKind::reduce && rule.factors[f].reduction == Reduction::pick;
    });
  }

  std::vector<uint64_t> key_of(uint32_t made, uint32_t result, const Reader &reader, double weight) const {
    std::vector<uint64_t> key{made_.kinds[made], result, made_.kinds[reader.variable],
                              static_cast<uint64_t>(weight)};
    key.insert(key.end(), reader.operands.begin(), reader.operands.end());
    return key;
  }

  void add_edge(uint32_t made, uint32_t result, const Reader &reader, ValueId v, double weight,
                bool is_further) {
    const auto [known, fresh] = tables_.try_emplace(key_of(made, result, reader, weight), kNone);
    if (fresh) {
      const auto [rows, row_of] = made_as(made, result);
      const auto [columns, column_of] = wanted_as(reader);
      solve::Table table{
          static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(columns.size()), {}, row_of, column_of};
      for (const uint32_t row : rows)
        for (const uint32_t column : columns)
          table.costs.push_back(weight * needs(v, choices(made)[row].results[result], reader,
                                               choices(reader.variable)[column]));
      known->second = put(table);
    }
    add_edge(made, reader.variable, known->second, name_of(v, reader, false, is_further));
  }
  EdgeName name_of(ValueId v, const Reader &reader, bool is_shared, bool is_further) const {
    const uint32_t operand = reader.operands.empty() ? kNone : reader.operands[0];
    return {v, made_.ops[reader.variable], operand, is_shared, is_further};
  }
  void add_edge(uint32_t first, uint32_t second, uint32_t table, const EdgeName &name) {
    made_.model.edges.push_back({first, second, table});
    made_.edges.push_back(name);
  }

  uint32_t put(const solve::Table &table) {
    made_.model.tables.push_back(solve::compact(table));
    return static_cast<uint32_t>(made_.model.tables.size() - 1);
  }

  // The first of choices that are alike, and by choice which of these it is like.
  struct Alike {
    std::vector<uint32_t> firsts, of;
  };
  template <typename Look> Alike alike(uint32_t variable, const Look &look) const {
    Alike found;
    std::map<std::vector<ShardingId>, uint32_t> known;
    for (uint32_t c = 0; c < choices(variable).size(); ++c) {
      const auto [at, fresh] =
          known.try_emplace(look(choices(variable)[c]), static_cast<uint32_t>(found.firsts.size()));
      if (fresh)
        found.firsts.push_back(c);
      found.of.push_back(at->second);
    }
    return found;
  }
  Alike made_as(uint32_t made, uint32_t result) const {
    return alike(made, [&](const Choice &choice) { return std::vector{choice.results[result]}; });
  }
  Alike wanted_as(const Reader &reader) const {
    return alike(reader.variable, [&](const Choice &choice) {
      std::vector<ShardingId> layouts;
      for (const uint32_t operand : reader.operands)
        layouts.push_back(choice.operands[operand]);
      return layouts.empty() ? std::vector{choice.results[0]} : layouts;
    });
  }

  // A value with a variable of its own.
  void add_shared(uint32_t made, uint32_t result, const std::vector<Reader> &readers, bool combined,
                  ValueId v, double weight, bool is_further) {
    std::vector<uint64_t> key{combined};
    for (const Reader &reader : readers) {
      const auto more = key_of(made, result, reader, weight);
      key.push_back(more.size());
      key.insert(key.end(), more.begin(), more.end());
    }
    const auto [known, fresh] = shared_.try_emplace(std::move(key));
    if (fresh)
      known->second = make_shared(made, result, readers, combined, v, weight);
    const Shared &shared = known->second;
    const auto variable = static_cast<uint32_t>(made_.ops.size());
    made_.ops.push_back(kNone);
    made_.kinds.push_back(kNone);
    made_.model.costs.push_back(shared.costs);
    add_edge(made, variable, shared.maker, {v, kNone, kNone, true, is_further});
    for (size_t r = 0; r < readers.size(); ++r)
      add_edge(variable, readers[r].variable, shared.readers[r], name_of(v, readers[r], true, is_further));
  }

  struct Shared {
    std::vector<double> costs;
    uint32_t maker;
    std::vector<uint32_t> readers; // tables
  };
  Shared make_shared(uint32_t made, uint32_t result, const std::vector<Reader> &readers, bool combined,
                     ValueId v, double weight) {
    const Alike layouts = made_as(made, result);
    std::vector<Alike> wanted;
    for (const Reader &reader : readers)
      wanted.push_back(wanted_as(reader));
    struct Paid {
      uint32_t layout; // of `layouts`
      double cost;
      std::vector<std::vector<double>> rest; // by reader and what it wants
    };
    std::vector<Paid> paid;
    for (uint32_t l = 0; l < layouts.firsts.size(); ++l) {
      const ShardingId layout = choices(made)[layouts.firsts[l]].results[result];
      std::vector<std::vector<double>> needed;
      const double least = combined ? distances(v).to_combined(layout) : 0;
      std::set<double> sums{least};
      for (size_t r = 0; r < readers.size(); ++r) {
        auto &of = needed.emplace_back();
        for (const uint32_t choice : wanted[r].firsts) {
          of.push_back(needs(v, layout, readers[r], choices(readers[r].variable)[choice]));
          if (of.back() > least && of.back() < solve::kNever)
            sums.insert(of.back());
        }
      }
      for (const double sum : sums) {
        auto rest = needed;
        for (auto &of : rest)
          for (double &cost : of)
            cost = weight * std::max(0.0, cost - sum);
        paid.push_back({l, weight * sum, std::move(rest)});
      }
    }
    Shared shared{{}, 0, {}};
    const auto size = static_cast<uint32_t>(paid.size());
    std::vector<uint32_t> own(size); // what may be paid is not alike
    std::iota(own.begin(), own.end(), 0);
    solve::Table maker{static_cast<uint32_t>(layouts.firsts.size()), size, {}, layouts.of, own};
    for (uint32_t l = 0; l < maker.rows; ++l)
      for (const Paid &p : paid)
        maker.costs.push_back(p.layout == l ? 0 : solve::kNever);
    shared.maker = put(maker);
    for (const Paid &p : paid)
      shared.costs.push_back(p.cost);
    for (size_t r = 0; r < readers.size(); ++r) {
      solve::Table table{size, static_cast<uint32_t>(wanted[r].firsts.size()), {}, own, wanted[r].of};
      for (const Paid &p : paid)
        table.costs.insert(table.costs.end(), p.rest[r].begin(), p.rest[r].end());
      shared.readers.push_back(put(table));
    }
    return shared;
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  spmd::Lowering &lowering_;
  const cost::Repeats *const repeats_;
  const cost::Terms terms_;
  OpChoices choices_;
  std::unordered_map<uint32_t, OpId> overwritten_; // by result, the argument
  std::vector<uint32_t> variable_of_;              // by op; kNone: it has none
  std::map<TypeId, Distances> distances_;
  std::map<std::vector<uint64_t>, uint32_t> tables_;
  std::map<std::vector<uint64_t>, Shared> shared_;
  Relaxation made_;
};

} // namespace

Result<Relaxation> relax(const Plan &plan, const system::System &system, const spmd::Options &options,
                         const cost::Repeats *repeats) {
  TW_ASSIGN(const auto kept, spmd::KeptLowering::create(plan, options));
  std::vector<OpId> order(plan.graph().ops().size());
  std::iota(order.begin(), order.end(), 0);
  return Builder(plan, system, *kept, repeats, std::nullopt).build(order);
}

Result<Relaxation> relax(const Plan &plan, const system::System &system, sharding::AxisId axis,
                         std::span<const OpId> order) {
  TW_ASSIGN(const auto kept, spmd::KeptLowering::create(plan));
  return Builder(plan, system, *kept, nullptr, axis).build(order);
}

} // namespace tw::search
