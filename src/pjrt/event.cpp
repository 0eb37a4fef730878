// SPDX-License-Identifier: Apache-2.0
// Events: asked, awaited, and with callbacks.
#include "pjrt/event.hpp"

#include "pjrt/slots.hpp"

namespace tw::pjrt {

const std::shared_ptr<Completion> &Completion::ready() {
  static const std::shared_ptr<Completion> completion = [] {
    auto made = std::make_shared<Completion>();
    made->finish();
    return made;
  }();
  return completion;
}

void Completion::wait() {
  if (is_over())
    return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_over(); });
}

void Completion::then(std::function<void(const Failure *)> callback) {
  if (!is_over()) {
    const std::scoped_lock lock(mutex_);
    if (!is_over()) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback(failure());
}

void Completion::finish(std::optional<Failure> failure) {
  std::vector<std::function<void(const Failure *)>> callbacks;
  {
    const std::scoped_lock lock(mutex_);
    failure_ = std::move(failure);
    over_.store(true, std::memory_order_release);
    callbacks.swap(callbacks_);
    changed_.notify_all();
  }
  for (const auto &callback : callbacks)
    callback(this->failure());
}

void event_destroy(abi::Of<Event> &args) { delete args.object; }

void event_is_ready(abi::Get<Event, bool> &args) { args.value = args.object->completion->is_over(); }

void event_error(abi::Of<Event> &args) {
  Completion &completion = *args.object->completion;
  if (!completion.is_over())
    throw Failure{abi::Code::failed_precondition, "the event is not ready yet"};
  if (completion.failure() != nullptr)
    throw *completion.failure();
}

void event_await(abi::Of<Event> &args) {
  const std::shared_ptr<Completion> completion = args.object->completion;
  completion->wait();
  if (completion->failure() != nullptr)
    throw *completion->failure();
}

void event_on_ready(abi::EventOnReady &args) {
  // The callback may destroy the event.
  const std::shared_ptr<Completion> completion = args.object->completion;
  completion->then([callback = args.callback, user = args.user](const Failure *failure) {
    callback(failure != nullptr ? make_error(*failure) : nullptr, user);
  });
}

void event_create(abi::Of<Event> &args) { args.object = new Event{std::make_shared<Completion>()}; }

void event_set(abi::EventSet &args) {
  const std::shared_ptr<Completion> completion = args.object->completion;
  if (completion->is_over())
    throw Failure{abi::Code::failed_precondition, "the event was set before"};
  if (args.code == abi::Code::ok)
    completion->finish();
  else
    completion->finish(Failure{args.code, std::string(args.message, args.size)});
}

} // namespace tw::pjrt
