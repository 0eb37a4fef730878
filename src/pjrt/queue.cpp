// SPDX-License-Identifier: Apache-2.0
// The thread behind a queue.
#include "pjrt/queue.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tw::pjrt {

struct Queue::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  std::thread thread;
  bool stopped = false;

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopped || !tasks.empty(); });
      if (tasks.empty())
        return;
      std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
      task = nullptr; // what it held is let go without the lock
      lock.lock();
    }
  }
};

Queue::Queue() : state_(std::make_shared<State>()) {}

void Queue::push(std::function<void()> task) {
  {
    const std::scoped_lock lock(state_->mutex);
    if (!state_->stopped) {
      state_->tasks.push_back(std::move(task));
      if (!state_->thread.joinable())
        state_->thread = std::thread([state = state_] { state->run(); });
      state_->changed.notify_one();
      return;
    }
  }
  task();
}

void Queue::stop() {
  std::thread thread;
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopped = true;
    thread.swap(state_->thread);
    state_->changed.notify_one();
  }
  if (!thread.joinable())
    return;
  if (thread.get_id() == std::this_thread::get_id())
    thread.detach();
  else
    thread.join();
}

} // namespace tw::pjrt
