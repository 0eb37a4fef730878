// SPDX-License-Identifier: Apache-2.0
// Monte Carlo tree search (UCT; Kocsis and Szepesvari, 2006) over sequences of decisions. A batch of paths is
// chosen before any is priced, each as if those before it had found nothing (virtual loss), so threads change
// no path.
#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>

#include "search/strategy.hpp"

namespace tw::search::tree_strategy {

namespace {

constexpr int64_t kBatch = 8;
constexpr double kExplore = 0.4;
constexpr size_t kDepth = 12;
constexpr int kGivesUp = 400;  // paths that led to nothing that was not known
constexpr size_t kRollout = 2; // decisions drawn behind a path, at most

struct Node {
  int64_t visits = 0;
  double reward = 0;                                                // the sum of all
  std::vector<std::pair<uint32_t, std::unique_ptr<Node>>> children; // in the order of first_decisions
  bool closed = false; // the decision to here left nothing to decide
};

uint64_t splitmix(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

class Tree {
public:
  Tree(Driver &driver, std::vector<uint32_t> decisions)
      : driver_(driver), decisions_(std::move(decisions)), random_(driver.seed()) {}

  void run() {
    while (!driver_.is_over() && !decisions_.empty() && known_again_ < kGivesUp) {
      std::vector<Sequence> batch;
      std::vector<std::vector<Node *>> paths;
      for (int64_t i = 0; i < std::min(kBatch, driver_.left()); ++i) {
        auto [sequence, path] = choose();
        batch.push_back(std::move(sequence));
        paths.push_back(std::move(path));
      }
      const auto outcomes = driver_.evaluate(batch);
      for (size_t i = 0; i < outcomes.size(); ++i)
        learn(paths[i], outcomes[i]);
      if (outcomes.size() < batch.size())
        return;
    }
  }

private:
  std::pair<Sequence, std::vector<Node *>> choose() {
    Sequence sequence;
    std::vector<Node *> path{&root_};
    while (sequence.size() < kDepth) {
      Node &node = *path.back();
      ++node.visits; // a loss, until it is known
      // The more often it was here, the more children it has; those that promise most come first.
      const auto wide = static_cast<size_t>(2 * std::sqrt(static_cast<double>(node.visits)) + 1);
      if (node.children.size() < std::min(wide, decisions_.size())) {
        node.children.emplace_back(decisions_[node.children.size()], std::make_unique<Node>());
        sequence.push_back(node.children.back().first);
        path.push_back(node.children.back().second.get());
        ++path.back()->visits;
        break;
      }
      size_t best = node.children.size();
      double most = -1;
      for (size_t c = 0; c < node.children.size(); ++c) {
        const Node &child = *node.children[c].second;
        if (child.closed || std::ranges::find(sequence, node.children[c].first) != sequence.end())
          continue;
        const auto visits = static_cast<double>(std::max<int64_t>(child.visits, 1));
        const double value =
            child.reward / visits + kExplore * std::sqrt(std::log(static_cast<double>(node.visits)) / visits);
        if (value > most) {
          most = value;
          best = c;
        }
      }
      if (best == node.children.size())
        break;
      sequence.push_back(node.children[best].first);
      path.push_back(node.children[best].second.get());
    }
    for (size_t i = splitmix(random_) % (kRollout + 1); i > 0; --i) {
      const double at =
          static_cast<double>(splitmix(random_) >> 11) * 0x1p-53; // those that promise most, more often
      sequence.push_back(decisions_[static_cast<size_t>(at * at * static_cast<double>(decisions_.size()))]);
    }
    return {std::move(sequence), std::move(path)};
  }

  // Between 0, what nothing tiled costs, and 1, the best that is known.
  double reward(double score) const {
    const double worst = std::log(driver_.score(driver_.root())), best = std::log(driver_.first().score);
    return worst <= best ? 0 : std::clamp((worst - std::log(score)) / (worst - best), 0.0, 1.0);
  }

  void learn(const std::vector<Node *> &path, const std::vector<Engine::Step> &steps) {
    if (path.size() > 1 && steps[path.size() - 2].lines.empty())
      path.back()->closed = true;
    double least = driver_.score(driver_.root());
    bool fresh = false;
    for (size_t i = path.size() < 2 ? 0 : path.size() - 2; i < steps.size(); ++i) {
      least = std::min(least, driver_.score(steps[i].price));
      fresh = states_.insert(steps[i].state).second || fresh;
    }
    known_again_ = fresh ? 0 : known_again_ + 1;
    const double won = reward(least);
    for (Node *node : path)
      node->reward += won;
  }

  Driver &driver_;
  const std::vector<uint32_t> decisions_;
  uint64_t random_;
  Node root_;
  std::unordered_set<uint64_t> states_;
  int known_again_ = 0; // paths, the last ones, that led to no state that was not known
};

void run(Driver &driver) {
  std::vector<uint32_t> decisions = driver.first_decisions();
  // What arguments alone do not bring under the cap, values between may, behind any of them.
  if (!driver.fits(driver.first().price))
    for (uint32_t d = 0; d < driver.space().decisions.size(); ++d)
      if (driver.space().decisions[d].kind == Decision::Kind::value)
        decisions.push_back(d);
  Tree(driver, std::move(decisions)).run();
}

} // namespace

const Strategy &strategy() {
  static const Strategy strategy{"tree", "Monte Carlo tree search over sequences of decisions.", run};
  return strategy;
}

} // namespace tw::search::tree_strategy
