// SPDX-License-Identifier: Apache-2.0
// What all strategies share: prices of sequences of decisions, on any number of threads, a budget, and the
// best that was found. Everything depends on the sequences alone, never on threads or time, where episodes
// are the budget.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/worker_pool.hpp"
#include "search/engine.hpp"
#include "search/space.hpp"

namespace tw::search {

// By place in Space::decisions.
using Sequence = std::vector<uint32_t>;
// Each time without one of them, the first one first.
std::vector<Sequence> without_each(const Sequence &sequence);

struct Progress {
  double cost = 0, bound = 0; // seconds, of the best, and that no plan takes less; 0: not known yet
  int64_t peak = 0;
  int64_t episodes = 0;
};

// What others may ask of a search that runs, and tell it, from any thread.
class Control {
public:
  void cancel() { cancelled_.store(true); }
  bool is_cancelled() const { return cancelled_.load(); }
  Progress progress() const {
    const std::lock_guard lock(mutex_);
    return progress_;
  }
  void tell(const Progress &now) {
    const std::lock_guard lock(mutex_);
    progress_ = now;
  }

private:
  std::atomic<bool> cancelled_{false};
  mutable std::mutex mutex_;
  Progress progress_;
};

// Null: there is nobody who could.
inline bool is_cancelled(const Control *control) { return control != nullptr && control->is_cancelled(); }

// Which part of a cost might be saved, if any.
double gap_of(cost::Picoseconds cost, cost::Picoseconds bound);

struct Limits {
  int64_t cap_bytes = 0; // of a device; 0: `search` takes what the system has, and a Driver has none
  int64_t episodes = std::numeric_limits<int64_t>::max();
  std::optional<double> seconds = {};
  uint64_t seed = 0;
  bool exact = false;         // behind the strategies, the best bound that can be proven
  double gap = 0;             // of what fits: a search that comes so near to the bound is over; 0: none is
  unsigned threads = 0;       // 0: one a core
  Control *control = nullptr; // may be null
  // For who asks how far it is: what was priced by other drivers, and what no plan takes less than.
  int64_t priced_before = 0;
  cost::Picoseconds bound = 0;
};

// Picoseconds; less is better. A plan that needs more memory than there is (0: as much as it wants) costs
// more, the more it needs.
double score(const cost::Price &price, int64_t cap_bytes);
inline bool fits(const cost::Price &price, int64_t cap_bytes) {
  return cap_bytes == 0 || price.peak <= cap_bytes;
}

// Bytes that a device of a system may need, where somebody says how many (0: nobody), and those of a price
// among them.
double cap_of(const system::System &system, int64_t cap_bytes);
int64_t cap_of_price(const system::System &system, double cap);

// What everybody would try first.
struct Tried {
  std::string name;
  cost::Price price;
  bool fits;
};

class Driver {
public:
  struct Candidate {
    Sequence sequence;
    std::vector<Engine::Step> steps;
    cost::Price price;
    double score;
  };

  static Result<std::unique_ptr<Driver>> create(std::shared_ptr<const Space> space, const Limits &limits);

  const Space &space() const { return *space_; }
  uint64_t seed() const { return limits_.seed; }
  const cost::Price &root() const { return root_; }
  // By sequence, the steps of its decisions. Each is one episode; those for which none is left are not here.
  std::vector<std::vector<Engine::Step>> evaluate(std::span<const Sequence> sequences);
  // What the decisions of a sequence do; none where it is cut off.
  std::vector<Engine::Step> steps_of(const Sequence &sequence) {
    auto made = price({&sequence, 1});
    return made.empty() ? std::vector<Engine::Step>{} : std::move(made[0]);
  }
  // What a plan would cost without each of its decisions; not counted as plans. Fewer where it is cut off.
  std::vector<cost::Price> prices_without_each(const Sequence &sequence);
  // One of each class of decisions about arguments, the cheapest first: those of a class lead to one state,
  // or each is what follows from another one alone. Priced when first asked for.
  const std::vector<uint32_t> &first_decisions();
  double score(const cost::Price &price) const { return search::score(price, limits_.cap_bytes); }
  bool fits(const cost::Price &price) const { return search::fits(price, limits_.cap_bytes); }
  // The best is near enough to what no plan takes less than.
  bool is_near() const { return limits_.gap > 0 && fits(first_.price) && is_near(first_.price.time()); }
  bool is_near(cost::Picoseconds time) const { return gap_of(time, limits_.bound) <= limits_.gap; }
  bool is_over() const { return left() <= 0 || is_near() || is_cut_off(); }
  int64_t left() const { return limits_.episodes - episodes_; }

  // A plan by its name, for who asks what else there was.
  void note(std::string name, const cost::Price &price) {
    tried_.push_back({std::move(name), price, fits(price)});
  }
  const std::vector<Tried> &tried() const { return tried_; }

  // Those that fit, the best first, of equal ones that with the lower peak, then the shorter one; then those
  // that do not, by their scores; then those of these that need the least memory.
  std::vector<Candidate> best() const;
  const Candidate &first() const { return first_; } // of these
  int64_t episodes() const { return episodes_; }
  int64_t steps() const { return steps_; }
  bool is_cancelled() const { return search::is_cancelled(limits_.control); }
  bool is_cut_off() const { return is_cancelled() || (limits_.seconds && elapsed() > *limits_.seconds); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

private:
  Driver(std::shared_ptr<const Space> space, const Limits &limits)
      : space_(std::move(space)), limits_(limits), pool_(limits.threads) {}
  std::vector<std::vector<Engine::Step>> price(std::span<const Sequence> sequences);
  std::tuple<bool, double, int64_t, size_t> order(const Candidate &c) const;
  void remember(const Sequence &sequence, std::span<const Engine::Step> steps);
  void tell();

  static constexpr size_t kKept = 16, kKeptByPeak = 4; // candidates

  std::shared_ptr<const Space> space_;
  const Limits limits_;
  WorkerPool pool_;
  std::vector<std::unique_ptr<Engine>> engines_; // by worker, made when it is needed
  cost::Price root_;
  std::map<uint64_t, Candidate> candidates_; // by state
  Candidate first_;
  std::exception_ptr thrown_; // by a thread
  std::mutex thrown_mutex_;
  std::vector<Tried> tried_;
  std::optional<std::vector<uint32_t>> first_decisions_;
  int64_t episodes_ = 0, steps_ = 0;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace tw::search
