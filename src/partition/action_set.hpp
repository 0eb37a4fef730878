// SPDX-License-Identifier: Apache-2.0
// Some of a plan's actions, by number: a module may state a layout of each of its values, so what is asked
// for each loop takes no search.
#pragma once

#include <cstdint>
#include <vector>

namespace tw::partition {

using ActionId = uint32_t; // into Plan::actions

class ActionSet {
public:
  bool empty() const { return count_ == 0; }
  bool contains(ActionId t) const { return t < members_.size() && members_[t]; }
  void insert(ActionId t) {
    if (contains(t))
      return;
    if (t >= members_.size())
      members_.resize(size_t{t} + 1, false);
    members_[t] = true;
    ++count_;
  }
  void insert(const ActionSet &others) {
    others.each([&](ActionId t) { insert(t); });
  }
  void erase(ActionId t) {
    if (!contains(t))
      return;
    members_[t] = false;
    --count_;
  }

  // Visits them in ascending order.
  template <class Visit> void each(Visit visit) const {
    for (size_t t = 0; t < members_.size(); ++t)
      if (members_[t])
        visit(static_cast<ActionId>(t));
  }

private:
  std::vector<bool> members_;
  size_t count_ = 0;
};

} // namespace tw::partition
