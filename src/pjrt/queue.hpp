// SPDX-License-Identifier: Apache-2.0
// What was handed over to be done later: one after the other, in order, by one thread, which starts with the
// first.
#pragma once

#include <functional>
#include <memory>

namespace tw::pjrt {

class Queue {
public:
  Queue();
  Queue(const Queue &) = delete;
  ~Queue() { stop(); }

  void push(std::function<void()> task);
  // Returns when all is done, unless a task calls it: then the rest is done later. What is pushed afterwards
  // runs in the thread that pushes it.
  void stop();

private:
  struct State; // shared with the thread, which may outlive the queue
  std::shared_ptr<State> state_;
};

} // namespace tw::pjrt
