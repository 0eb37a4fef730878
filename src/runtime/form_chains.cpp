// SPDX-License-Identifier: Apache-2.0
// Chains: neighbouring steps that all work row by row on the same rows, as those of a softmax or a layer norm
// do, become one step, which takes them through some rows after the other while these are in cache. What only
// the chain itself reads is nowhere else. No chain reaches over a border. Rows that are too long for a cache
// make a chain where the devices have one kernel for it.
//
// Chains grow around reductions over the innermost dimensions, whose results say what a row is, to both
// sides: as long as the next step makes or reads something of the chain and all that it touches has the same
// rows, or none.
#include <algorithm>
#include <limits>

#include "ops/attributes.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

constexpr int64_t kFewestRows = 2; // on some device
constexpr int64_t kMostRowBytes =
    128 << 10; // of a row, of all values together: they stay in the second-level cache
constexpr int64_t kAnyBytes = std::numeric_limits<int64_t>::max();
constexpr int64_t kFewestInSegment = 512; // elements
constexpr size_t kMostSteps = 16;
constexpr uint32_t kMostPassed = 4; // steps that a chain's next one goes in front of

class Chains {
public:
  explicit Chains(Scheduling &s)
      : steps_(s.schedule.steps), places_(s.places), borders_(s.borders), program_(s.program),
        layouts_(s.layouts), roles_(s.roles), options_(s.options), donations_(s.schedule.donations),
        maker_(s.program.values().size(), kNobody), last_reader_(s.program.values().size(), 0) {}

  void run() {
    find_users();
    std::vector<Step> steps;
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < steps_.size();) {
      const auto [first, last] = find_chain(i);
      places.push_back(places_[i]);
      steps.push_back(first == last ? std::move(steps_[i]) : chain(first, last));
      i = std::max(last, i + 1);
    }
    steps_ = std::move(steps);
    places_ = std::move(places);
  }

private:
  static constexpr uint32_t kNobody = std::numeric_limits<uint32_t>::max();

  const Step &step(uint32_t i) const { return steps_[i]; }
  ValueRef root(ValueRef v) const { return roles_.view(v).root; }

  void find_users() {
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      for (const ValueRef v : step(i).results)
        maker_[v] = maker_[v] == kNobody ? i : kNobody - 1; // a variable
      step(i).each_read([&](ValueRef v) { last_reader_[root(v)] = i; });
    }
    for (const Instr &in : program_.instrs())
      if (in.kind == InstrKind::result)
        last_reader_[root(program_.operands(in)[0])] = kNobody;
  }

  // --- rows ---

  // Of a reduction over the innermost dimensions: how many are kept.
  std::optional<size_t> kept_dims(const Step &s) const {
    if (s.kind != Step::Kind::kernel || s.results.size() != 1)
      return std::nullopt;
    const graph::Graph &graph = program_.graph();
    const graph::OpId op = program_.instrs()[s.instrs[0]].op;
    if (!ops::is(graph, op, ops::OpKind::reduce) || !ops::reduction_of(graph, graph.op(op).first_region))
      return std::nullopt;
    const auto &dims = std::get<std::vector<int64_t>>(graph.attrs(op)[ops::slot::reduce::dimensions]);
    const size_t kept = program_.type(s.results[0]).rank();
    const bool inner = std::ranges::all_of(dims, [&](int64_t d) { return d >= static_cast<int64_t>(kept); });
    return kept > 0 && inner ? std::optional(kept) : std::nullopt;
  }

  // The leading `dims` dimensions of a layout count the rows, on every device.
  bool has_rows(LayoutId layout, size_t dims) const {
    for (Position d; d < layouts_.num_positions(); ++d) {
      int64_t n = 1;
      for (size_t k = 0; k < dims; ++k)
        n *= layouts_.box(layout, d).extent[k];
      if (n != layouts_.elements(rows_, d))
        return false;
    }
    return true;
  }

  // How many dimensions of a step's space are rows; nothing where it is not about these rows.
  std::optional<size_t> row_dims(const Step &s) const {
    if (const auto kept = kept_dims(s))
      return has_rows(layouts_.of(s.results[0]), *kept) ? kept : std::nullopt;
    if (s.kind != Step::Kind::fused)
      return std::nullopt;
    for (size_t dims = 1; dims <= layouts_.box(s.space, Position()).extent.size(); ++dims)
      if (has_rows(s.space, dims) && std::ranges::all_of(s.reads, [&](const FusedRead &read) {
            return (read.constant || keeps_rows(read, dims)) && has_long_segments(read, s.space, dims);
          }))
        return dims;
    return std::nullopt;
  }

  // The dimensions of the value that count rows stand in front of the others, in the order of the space.
  // Where it has some of them only, several rows read the same one.
  bool keeps_rows(const FusedRead &read, size_t dims) const {
    int next = 0;
    for (size_t k = 0; k < dims; ++k)
      if (read.dims[k] >= 0 && read.dims[k] != next++)
        return false;
    return std::all_of(read.dims.begin() + static_cast<std::ptrdiff_t>(dims), read.dims.end(),
                       [&](int d) { return d < 0 || d >= next; });
  }

  // Where several rows read the same one, blocks of rows end where it begins again, and each block costs
  // calls.
  bool has_long_segments(const FusedRead &read, LayoutId space, size_t dims) const {
    const auto &extent = layouts_.box(space, Position()).extent;
    int64_t elements = 1;
    for (size_t k = dims; k < extent.size(); ++k)
      elements *= extent[k];
    std::optional<bool> is_read; // the innermost dimensions of the segment's rows, or not
    for (size_t k = dims; k-- > 0;) {
      if (extent[k] == 1)
        continue;
      if (is_read.value_or(read.dims[k] >= 0) != (read.dims[k] >= 0))
        return elements >= kFewestInSegment;
      is_read = read.dims[k] >= 0;
      elements *= extent[k];
    }
    return true;
  }

  // Each row reads one of its own.
  bool has_all_rows(const FusedRead &read, size_t dims) const {
    const auto rows = std::count_if(read.dims.begin(), read.dims.begin() + static_cast<std::ptrdiff_t>(dims),
                                    [](int d) { return d >= 0; });
    return rows > 0 && has_rows(layouts_.of(read.value), static_cast<size_t>(rows));
  }

  // --- growth ---

  bool is_made_in(ValueRef v, uint32_t first, uint32_t last) const {
    const uint32_t maker = maker_[root(v)];
    return maker >= first && maker < last;
  }

  bool is_whole(ValueRef v) const {
    if (!roles_.view(v).offset.empty())
      return false;
    for (Position d; d < layouts_.num_positions(); ++d)
      if (layouts_.elements(layouts_.of(v), d) != layouts_.elements(layouts_.of(root(v)), d))
        return false;
    return true;
  }

  bool reads_from(uint32_t i, uint32_t first, uint32_t last) const {
    bool any = false;
    step(i).each_read([&](ValueRef v) { any |= is_made_in(v, first, last); });
    return any;
  }

  bool fits(uint32_t i) const {
    bool plain = row_dims(step(i)).has_value();
    for (const ValueRef v : step(i).results)
      plain = plain && maker_[v] == i;
    return plain;
  }

  bool border_before(uint32_t i) const {
    const auto at = std::ranges::upper_bound(borders_, places_[i - 1]);
    return at != borders_.end() && *at < places_[i];
  }

  // What it reads of steps [first, last) it reads whole and row by row.
  bool reads_by_row(uint32_t i, uint32_t first, uint32_t last) const {
    const Step &s = step(i);
    const size_t rows = *row_dims(s);
    const auto by_row = [&](ValueRef v, bool varied) {
      return !is_made_in(v, first, last) || (varied && is_whole(v));
    };
    return std::ranges::all_of(s.operands, [&](ValueRef v) { return by_row(v, v == s.operands[0]); }) &&
           std::ranges::all_of(s.reads, [&](const FusedRead &read) {
             return read.constant || by_row(read.value, has_all_rows(read, rows));
           });
  }

  // Steps [first, last) read each other by row, and their rows are small.
  bool is_chain(uint32_t first, uint32_t last, int64_t most_row_bytes) const {
    std::vector<ValueRef> touched;
    for (uint32_t i = first; i < last; ++i) {
      if (!reads_by_row(i, first, last))
        return false;
      step(i).each_read([&](ValueRef v) { touched.push_back(root(v)); });
      touched.insert(touched.end(), step(i).results.begin(), step(i).results.end());
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const int64_t rows = layouts_.most_elements(rows_);
    int64_t bytes = 0;
    for (const ValueRef v : touched)
      bytes += roles_.most_bytes(v) / rows;
    return bytes <= most_row_bytes && last - first <= kMostSteps;
  }

  // The longest one that begins at a step: [first, last), or nothing.
  std::pair<uint32_t, uint32_t> find_chain(uint32_t first) {
    const auto [begin, end] = grow_chain(first, kMostRowBytes);
    if (!options_.has_row_chain)
      return {begin, end};
    auto longer = grow_chain(first, kAnyBytes);
    std::vector<uint32_t> moved; // from where
    while (longer.second > first) {
      const uint32_t next = next_behind(longer);
      if (next == longer.second)
        break;
      move_step(next, longer.second++);
      moved.push_back(next);
    }
    if (longer.second > end && options_.has_row_chain(chain(longer.first, longer.second), roles_.views()))
      return longer;
    for (size_t i = moved.size(); i-- > 0;)
      move_step(--longer.second, moved[i]);
    return {begin, end};
  }

  // The next step that a chain may take up past steps that wait for nothing but what is there already, or the
  // chain's end.
  uint32_t next_behind(std::pair<uint32_t, uint32_t> found) const {
    const auto [first, last] = found;
    for (uint32_t i = last; i < std::min<size_t>(last + kMostPassed, steps_.size()); ++i) {
      if (border_before(i) || (step(i).kind != Step::Kind::kernel && step(i).kind != Step::Kind::fused))
        return last;
      if (i > last && fits(i) && reads_from(i, first, last) && !reads_from(i, last, i) &&
          last - first < kMostSteps && reads_by_row(i, first, last) && !is_donated(i))
        return i;
    }
    return last;
  }

  // Whether it writes over an argument, which steps that it passes may read.
  bool is_donated(uint32_t i) const {
    return std::ranges::any_of(donations_, [&](const Donation &d) {
      return std::ranges::any_of(step(i).results, [&](ValueRef v) { return v == d.made; });
    });
  }

  void move_step(uint32_t from, uint32_t to) {
    const auto begin = steps_.begin();
    const uint32_t low = std::min(from, to), high = std::max(from, to);
    from < to ? std::rotate(begin + from, begin + from + 1, begin + to + 1)
              : std::rotate(begin + to, begin + from, begin + from + 1);
    const auto is_moved = [&](uint32_t i) { return i >= low && i <= high; };
    for (uint32_t i = low; i <= high; ++i) {
      for (const ValueRef v : step(i).results)
        maker_[v] = is_moved(maker_[v]) ? i : maker_[v];
      step(i).each_read([&](ValueRef v) {
        if (uint32_t &last = last_reader_[root(v)]; is_moved(last))
          last = low;
      });
    }
    for (uint32_t i = low; i <= high; ++i)
      step(i).each_read([&](ValueRef v) {
        if (uint32_t &last = last_reader_[root(v)]; is_moved(last))
          last = i;
      });
  }

  std::pair<uint32_t, uint32_t> grow_chain(uint32_t first, int64_t most_row_bytes) {
    const std::pair<uint32_t, uint32_t> none{first, first};
    // The next reduction says what rows are; the steps before it lead to it.
    uint32_t seed = first;
    while (seed < steps_.size() && step(seed).kind == Step::Kind::fused && seed - first < kMostSteps)
      ++seed;
    if (seed == steps_.size() || !kept_dims(step(seed)))
      return none;
    rows_ = layouts_.of(step(seed).results[0]);
    if (layouts_.most_elements(rows_) < kFewestRows || !fits(seed))
      return none;
    for (uint32_t i = seed; i > first; --i)
      if (!fits(i - 1) || border_before(i) || !leads_to(i - 1, i, seed + 1))
        return none;
    uint32_t last = seed + 1;
    if (!is_chain(first, last, most_row_bytes))
      return none;
    while (last < steps_.size() && !border_before(last) && fits(last) && reads_from(last, first, last) &&
           is_chain(first, last + 1, most_row_bytes))
      ++last;
    return last - first > 1 && shares(first, last) ? std::pair(first, last) : none;
  }

  bool leads_to(uint32_t maker, uint32_t first, uint32_t last) const {
    for (uint32_t i = first; i < last; ++i)
      if (reads_from(i, maker, maker + 1))
        return true;
    return false;
  }

  // Something with more than one element a row is touched by two of them.
  bool shares(uint32_t first, uint32_t last) const {
    std::vector<ValueRef> seen;
    for (uint32_t i = first; i < last; ++i) {
      std::vector<ValueRef> mine(step(i).results);
      step(i).each_read([&](ValueRef v) { mine.push_back(root(v)); });
      for (const ValueRef v : mine) {
        if (layouts_.most_elements(layouts_.of(v)) <= layouts_.most_elements(rows_))
          continue;
        if (std::ranges::count(seen, v) != 0)
          return true;
      }
      seen.insert(seen.end(), mine.begin(), mine.end());
    }
    return false;
  }

  Step chain(uint32_t first, uint32_t last) const {
    Step whole{};
    whole.kind = Step::Kind::chain;
    whole.space = rows_;
    for (uint32_t i = first; i < last; ++i) {
      step(i).each_read([&](ValueRef v) {
        if (!is_made_in(v, first, last) && std::ranges::count(whole.operands, v) == 0)
          whole.operands.push_back(v);
      });
      for (const FusedRead &read : step(i).reads)
        if (read.constant &&
            std::ranges::none_of(whole.reads, [&](const FusedRead &r) { return r.value == read.value; }))
          whole.reads.push_back(read);
      for (const ValueRef v : step(i).results)
        if (last_reader_[v] >= last)
          whole.results.push_back(v);
    }
    for (uint32_t i = first; i < last; ++i) {
      Step member = steps_[i];
      member.row_dims = *row_dims(member);
      const std::vector<uint32_t> own = own_members(member);
      whole.instrs.insert(whole.instrs.end(), own.begin(), own.end());
      whole.members.push_back(std::move(member));
    }
    return whole;
  }

  std::vector<Step> &steps_;
  std::vector<uint32_t> &places_;
  std::span<const uint32_t> borders_;
  const spmd::Program &program_;
  const Layouts &layouts_;
  const Roles &roles_;
  const ScheduleOptions &options_;
  const std::vector<Donation> &donations_;
  std::vector<uint32_t> maker_, last_reader_; // by root; steps, kNobody for what leaves the program
  LayoutId rows_ = 0;                         // one element a row
};

} // namespace

void form_chains(Scheduling &s) { Chains(s).run(); }

} // namespace tw::runtime
