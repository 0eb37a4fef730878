// SPDX-License-Identifier: Apache-2.0
// Lists begin with how many there are. What is read may come from anywhere, so each word is checked.
#include "search/kept_words.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <unordered_map>

namespace tw::search {

using graph::kNone;
using graph::OpId;
using partition::Plan;

namespace {

// A value by the number of what makes it, and as which result of that.
constexpr int kResultBits = 16;

class WordWriter {
public:
  WordWriter(const ProgramKey &key, const Plan &plan) : key_(key), graph_(plan.graph()) {}

  std::vector<uint64_t> write(const Found &found) {
    put(found.ending);
    put(found.gather_per_use);
    put(found.price);
    put(found.bound);
    put(std::bit_cast<uint64_t>(found.peak_bytes));
    put(found.episodes);
    put(found.steps_taken.size());
    for (const ProgramStep &step : found.steps_taken)
      put(step);
    put(found.tried.size());
    for (const Tried &tried : found.tried) {
      put(tried.name);
      put(tried.price);
      put(tried.fits);
    }
    put(found.groups.size());
    for (const Group &group : found.groups) {
      put(group.arguments.size());
      for (const size_t argument : group.arguments)
        put(key_.numbers[graph_.arguments()[argument]]);
    }
    return std::move(words_);
  }

private:
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void put(T word) { words_.push_back(static_cast<uint64_t>(word)); }
  void put(const cost::Price &price) {
    put(price.computing);
    put(price.moving);
    put(price.received);
    put(price.peak);
  }
  void put(const std::string &text) {
    put(text.size());
    for (size_t at = 0; at < text.size(); at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
      put(word);
    }
  }
  void put(const ProgramStep::Cost &cost) {
    put(cost.time);
    put(cost.peak);
  }
  void put(const ProgramStep &step) {
    put(step.kind);
    put(step.behind);
    put(step.without.has_value());
    if (step.without)
      put(*step.without);
    put(step.lines.size());
    for (const ProgramLine &line : step.lines) {
      put(line.of);
      put(line.of_state);
      put(line.dim);
      put(line.axis);
      put(line.members.size());
      for (const uint32_t member : line.members)
        put_member(line.of, member);
    }
  }
  void put_member(Line::Of of, uint32_t member) {
    switch (of) {
    case Line::Of::group: return put(key_.numbers[graph_.arguments()[member]]);
    case Line::Of::border: return put(key_.numbers[member]);
    case Line::Of::value: break;
    }
    const graph::Value &value = graph_.value(member);
    put(uint64_t{key_.numbers[value.def]} << kResultBits | value.index);
  }

  const ProgramKey &key_;
  const graph::Graph &graph_;
  std::vector<uint64_t> words_;
};

// Words from outside: what they count is never more than there are.
class WordReader {
public:
  WordReader(std::span<const uint64_t> words, const ProgramKey &key, const Plan &plan)
      : words_(words), key_(key), plan_(plan), graph_(plan.graph()) {
    for (uint32_t i = 0; i < graph_.arguments().size(); ++i)
      arguments_[graph_.arguments()[i]] = i;
  }

  std::optional<Found> read() {
    Found found;
    found.ending = take<Ending>(Ending::infeasible);
    found.gather_per_use = take() != 0;
    found.price = take_price();
    found.bound = take_signed();
    found.peak_bytes = std::bit_cast<double>(take());
    found.episodes = take_signed();
    for (size_t left = take_count(); left > 0 && good_; --left)
      found.steps_taken.push_back(take_step());
    for (size_t left = take_count(); left > 0 && good_; --left) {
      std::string name = take_text();
      const cost::Price price = take_price();
      found.tried.push_back({std::move(name), price, take() != 0});
    }
    for (size_t left = take_count(); left > 0 && good_; --left) {
      Group &group = found.groups.emplace_back();
      for (size_t members = take_count(); members > 0 && good_; --members)
        group.arguments.push_back(take_argument());
    }
    if (!good_ || !words_.empty())
      return std::nullopt;
    return found;
  }

private:
  uint64_t take() {
    if (words_.empty()) {
      good_ = false;
      return 0;
    }
    const uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  int64_t take_signed() { return static_cast<int64_t>(take()); }
  uint64_t take_below(uint64_t end) {
    const uint64_t word = take();
    good_ = good_ && word < end;
    return good_ ? word : 0;
  }
  template <class T> T take(T last) { return static_cast<T>(take_below(static_cast<uint64_t>(last) + 1)); }
  size_t take_count() { return take_below(words_.size() + 1); }
  std::string take_text() {
    const size_t size = take_below(words_.size() * sizeof(uint64_t));
    std::string text(size, '\0');
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
      const uint64_t word = take();
      std::memcpy(text.data() + at, &word, std::min(sizeof word, size - at));
    }
    return text;
  }
  cost::Price take_price() {
    cost::Price price;
    price.computing = take_signed();
    price.moving = take_signed();
    price.received = take_signed();
    price.peak = take_signed();
    return price;
  }
  ProgramStep::Cost take_cost() {
    const int64_t time = take_signed();
    return {time, take_signed()};
  }
  ProgramStep take_step() {
    ProgramStep step;
    step.kind = take<Decision::Kind>(Decision::Kind::borders);
    step.behind = take_cost();
    if (take() != 0)
      step.without = take_cost();
    for (size_t left = take_count(); left > 0 && good_; --left) {
      ProgramLine &line = step.lines.emplace_back();
      line.of = take<Line::Of>(Line::Of::border);
      line.of_state = take() != 0;
      line.dim = static_cast<uint8_t>(take_below(Line::kWhole + 1));
      line.axis = static_cast<sharding::AxisId>(take_below(plan_.mesh().num_axes()));
      for (size_t members = take_count(); members > 0 && good_; --members)
        line.members.push_back(take_member(line.of));
      good_ = good_ && !line.members.empty();
    }
    return step;
  }
  OpId take_op() {
    const uint64_t number = take_below(key_.ops.size());
    return good_ ? key_.ops[number] : 0;
  }
  uint32_t take_argument() {
    const auto found = arguments_.find(take_op());
    good_ = good_ && found != arguments_.end();
    return good_ ? found->second : 0;
  }
  uint32_t take_member(Line::Of of) {
    if (of == Line::Of::group)
      return take_argument();
    uint64_t result = 0;
    OpId op = 0;
    if (of == Line::Of::value) {
      const uint64_t word = take_below(uint64_t{key_.ops.size()} << kResultBits);
      op = good_ ? key_.ops[word >> kResultBits] : 0;
      result = word & ((1U << kResultBits) - 1);
    } else {
      op = take_op();
    }
    good_ = good_ && result < graph_.op(op).num_results;
    if (!good_)
      return 0;
    return of == Line::Of::border ? op : graph_.result(op, static_cast<uint32_t>(result));
  }

  std::span<const uint64_t> words_; // those that are left
  const ProgramKey &key_;
  const Plan &plan_;
  const graph::Graph &graph_;
  std::unordered_map<OpId, uint32_t> arguments_; // by op, which argument it is
  bool good_ = true;
};

} // namespace

std::vector<uint64_t> words_of(const Found &found, const ProgramKey &key, const Plan &plan) {
  return WordWriter(key, plan).write(found);
}

std::optional<Found> found_in(std::span<const uint64_t> words, const ProgramKey &key, const Plan &plan) {
  return WordReader(words, key, plan).read();
}

} // namespace tw::search
