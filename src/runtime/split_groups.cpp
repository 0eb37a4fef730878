// SPDX-License-Identifier: Apache-2.0
// A fused step waits for the last of what it reads and holds the rest until then, as a sum of many products
// does. Where a part of it gives back more memory than what it makes takes, that part becomes a step of its
// own, right behind the last step that it needs. A cut is tried behind each step that makes something which
// is read. Of the members that can run there, those stay behind whose results take more than they give back.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::InstrKind;
using spmd::ValueRef;

// Less than this is not worth a step.
constexpr int64_t kWorthAStep = 4096;

// Members of a fused step, a bit each.
using Members = uint64_t;
static_assert(kMostMembers <= 64);

constexpr Members member_bit(size_t m) { return Members{1} << m; }

// What members read and none of the others makes.
struct ReadValue {
  uint32_t ready; // steps that must be over; 0: it is there when its straight run begins
  int64_t bytes;  // that are free when the last member has read it
  Members readers;
};

// A fused step whose parts are found.
class GroupParts {
public:
  GroupParts(const Step &step, std::vector<ReadValue> sources, std::vector<int64_t> bytes, Members stored)
      : sources_(std::move(sources)), bytes_(std::move(bytes)), made_of_(bytes_.size(), 0),
        users_(bytes_.size(), 0), stored_(stored) {
    for (size_t m = 0; m < step.args.size(); ++m)
      for (const uint32_t a : step.args[m])
        if (a >= step.reads.size()) {
          made_of_[m] |= member_bit(a - step.reads.size());
          users_[a - step.reads.size()] |= member_bit(m);
        }
    rest_ = bytes_.size() == 64 ? ~Members{0} : member_bit(bytes_.size()) - 1;
  }

  struct Part {
    Members members, stored; // what others need of it
    uint32_t ready;          // steps that must be over
  };
  // Takes away the earliest part that is worth a step.
  std::optional<Part> cut() {
    std::set<uint32_t> times;
    for (const ReadValue &source : sources_)
      if ((source.readers & rest_) != 0)
        times.insert(source.ready);
    if (!times.empty())
      times.erase(std::prev(times.end())); // then all of it can run
    for (const uint32_t ready : times) {
      const Members part = part_at(ready);
      if (ready == 0 || part == 0 || gain(part) < kWorthAStep)
        continue;
      rest_ &= ~part;
      for (size_t m = 0; m < bytes_.size(); ++m)
        if ((part & member_bit(m)) != 0 && (users_[m] & rest_) != 0)
          sources_.push_back({ready, (stored_ & member_bit(m)) != 0 ? 0 : bytes_[m], users_[m]});
      return Part{part, needed_of(part), ready};
    }
    return std::nullopt;
  }
  Part rest() const { return {rest_, needed_of(rest_), 0}; }

private:
  // What can run when these steps are over, without members that the others need and that make more of less.
  Members part_at(uint32_t ready) const {
    Members waiting = 0, part = 0;
    for (const ReadValue &source : sources_)
      waiting |= source.ready > ready ? source.readers : 0;
    for (size_t m = 0; m < bytes_.size(); ++m) // makers come before their users
      if ((rest_ & ~waiting & member_bit(m)) != 0 && (made_of_[m] & rest_ & ~part) == 0)
        part |= member_bit(m);
    for (size_t m = bytes_.size(); m-- > 0;)
      if ((part & member_bit(m)) != 0 && (users_[m] & part) == 0 && gain(part & ~member_bit(m)) >= gain(part))
        part &= ~member_bit(m);
    return part;
  }

  // Bytes that are free when the part has run, less those of what it leaves for others.
  int64_t gain(Members part) const {
    int64_t gained = 0;
    for (const ReadValue &source : sources_)
      if ((source.readers & part) != 0 && (source.readers & rest_ & ~part) == 0)
        gained += source.bytes;
    for (Members left = needed_of(part); left != 0; left &= left - 1)
      gained -= bytes_[static_cast<size_t>(std::countr_zero(left))];
    return gained;
  }

  Members needed_of(Members part) const {
    Members needed = part & stored_;
    for (size_t m = 0; m < bytes_.size(); ++m)
      if ((part & member_bit(m)) != 0 && (users_[m] & rest_ & ~part) != 0)
        needed |= member_bit(m);
    return needed;
  }

  std::vector<ReadValue> sources_;
  std::vector<int64_t> bytes_;           // by member: of its result
  std::vector<Members> made_of_, users_; // by member
  Members stored_;                       // what other steps read
  Members rest_;                         // that no part has taken
};

class Splitter {
public:
  explicit Splitter(Scheduling &s)
      : steps_(s.schedule.steps), places_(s.places), program_(s.program), roles_(s.roles),
        runs_(s.straight_runs()), makers_(s.program.values().size(), kNobody),
        last_reader_(s.program.values().size(), 0) {
    const auto end = static_cast<uint32_t>(steps_.size());
    for (uint32_t i = 0; i < end; ++i) {
      for (const ValueRef v : steps_[i].results)
        makers_[root(v)] = makers_[root(v)] == kNobody ? i : kSeveral;
      for (const ValueRef v : roots_read(steps_[i], roles_))
        last_reader_[v] = i;
    }
    for (const spmd::Instr &in : program_.instrs())
      if (in.kind == InstrKind::result)
        last_reader_[root(program_.operands(in)[0])] = end;
  }

  void run() {
    std::multimap<uint32_t, Step> parts; // by the step behind which they stand
    for (uint32_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].kind == Step::Kind::fused)
        split(i, parts);
    if (parts.empty())
      return;
    std::vector<Step> steps;
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      steps.push_back(std::move(steps_[i]));
      places.push_back(places_[i]);
      for (auto [at, end] = parts.equal_range(i); at != end; ++at) {
        steps.push_back(std::move(at->second));
        places.push_back(places_[i]);
      }
    }
    steps_ = std::move(steps);
    places_ = std::move(places);
  }

private:
  static constexpr uint32_t kNobody = UINT32_MAX, kSeveral = UINT32_MAX - 1; // a variable is assigned again

  ValueRef root(ValueRef v) const { return roles_.view(v).root; }
  int64_t bytes(ValueRef v) const {
    const int64_t all = roles_.most_bytes(v);
    return all < kWorthAStep ? 0 : all;
  }
  ValueRef made_by(const Step &step, size_t m) const {
    return program_.instrs()[step.instrs[m]].first_result;
  }

  void split(uint32_t s, std::multimap<uint32_t, Step> &parts) {
    std::vector<ReadValue> sources = find_sources(s);
    if (sources.size() < 2)
      return;
    const Step whole = steps_[s];
    std::vector<int64_t> sizes;
    Members stored = 0;
    for (size_t m = 0; m < whole.instrs.size(); ++m) {
      sizes.push_back(bytes(made_by(whole, m)));
      if (std::ranges::count(whole.results, made_by(whole, m)) != 0)
        stored |= member_bit(m);
    }
    GroupParts group(whole, std::move(sources), std::move(sizes), stored);
    bool found = false;
    while (const auto part = group.cut()) {
      parts.emplace(part->ready - 1, step_of(whole, *part));
      found = true;
    }
    if (found)
      steps_[s] = step_of(whole, group.rest());
  }

  std::vector<ReadValue> find_sources(uint32_t s) const {
    const Step &step = steps_[s];
    std::map<ValueRef, ReadValue> by_root;
    for (size_t m = 0; m < step.args.size(); ++m)
      for (const uint32_t a : step.args[m]) {
        if (a >= step.reads.size() || step.reads[a].constant)
          continue;
        const ValueRef v = root(step.reads[a].value);
        const uint32_t maker = makers_[v];
        const bool waits = maker < s && runs_[maker] == runs_[s];
        ReadValue &source = by_root.try_emplace(v, ReadValue{}).first->second;
        source.readers |= member_bit(m);
        source.ready = waits ? maker + 1 : 0;
        source.bytes = waits && last_reader_[v] == s ? bytes(v) : 0;
      }
    std::vector<ReadValue> sources;
    for (const auto &[v, source] : by_root)
      sources.push_back(source);
    return sources;
  }

  Step step_of(const Step &whole, const GroupParts::Part &part) const {
    Step made{Step::Kind::fused, {}, {}, {}, whole.space, {}, {}, {}};
    for (size_t m = 0; m < whole.instrs.size(); ++m) {
      if ((part.members & member_bit(m)) != 0)
        made.instrs.push_back(whole.instrs[m]);
      if ((part.stored & member_bit(m)) != 0)
        made.results.push_back(made_by(whole, m));
    }
    std::ranges::set_intersection(whole.again, made.instrs, std::back_inserter(made.again));
    connect_members(made, program_, roles_);
    return made;
  }

  std::vector<Step> &steps_;
  std::vector<uint32_t> &places_;
  const spmd::Program &program_;
  const Roles &roles_;
  const std::vector<uint32_t> runs_;
  std::vector<uint32_t> makers_;      // by root: the step
  std::vector<uint32_t> last_reader_; // by root
};

} // namespace

void split_groups(Scheduling &s) { Splitter(s).run(); }

} // namespace tw::runtime
