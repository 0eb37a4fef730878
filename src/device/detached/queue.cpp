// SPDX-License-Identifier: Apache-2.0
// Commands are functions. They find the alias of device memory when they run, not before.
#include "device/detached/queue.hpp"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "device/detached/memory.hpp"
#include "device/detached/recording.hpp"

namespace tw::device::detached {

namespace {

// Rests before commands: some queues are quick, others late before every second command.
class Rests {
public:
  Rests() = default;
  explicit Rests(uint64_t seed)
      : random_(static_cast<uint32_t>(seed ^ (seed >> 32))), often_(kOften[draw(std::size(kOften))]) {}
  void take() {
    if (often_ == 0)
      return;
    if (draw(1000) < often_)
      std::this_thread::sleep_for(std::chrono::microseconds(draw(kMostMicroseconds)));
    else if (draw(4) == 0)
      std::this_thread::yield();
  }

private:
  static constexpr uint32_t kOften[] = {0, 1, 20, 300}; // sleeps in a thousand commands
  static constexpr uint32_t kMostMicroseconds = 80;
  uint32_t draw(size_t n) { return static_cast<uint32_t>((random_() >> 8) % n); } // its low bits repeat
  std::minstd_rand random_;
  uint32_t often_ = 0;
};

Error no_memory_of_it(const void *address) {
  return {Code::internal, "TW-674",
          fmt::format("a command of a detached device was given {}, which is not its memory", address)};
}

// The bytes of a command, where the queue's thread reaches them: memory of the unit only.
Result<std::byte *> reach(const void *address, int32_t unit) {
  if (std::byte *at = memory().alias(address, unit))
    return at;
  return fail(no_memory_of_it(address));
}

template <class Pointer> Status reach_all(std::vector<Pointer> &pointers, int32_t unit) {
  for (Pointer &p : pointers)
    if (p != nullptr) {
      TW_ASSIGN(p, reach(p, unit));
    }
  return {};
}

constexpr size_t kAlign = 64;
struct Release {
  void operator()(std::byte *p) const { ::operator delete (p, std::align_val_t{kAlign}); }
};

// What parts share, and behind it the scratch of one.
Status run_kernel(const kernels::Kernel &kernel, std::vector<const void *> operands,
                  std::vector<void *> results, int32_t unit) {
  TW_TRY(reach_all(operands, unit));
  TW_TRY(reach_all(results, unit));
  const auto shared = static_cast<size_t>(kernels::aligned(kernel.shared_bytes()));
  const size_t bytes = shared + static_cast<size_t>(kernel.scratch_bytes()) + 1;
  const std::unique_ptr<std::byte, Release> own(
      static_cast<std::byte *>(::operator new (bytes, std::align_val_t{kAlign})));
  operands.push_back(own.get());
  return kernels::run_serially(kernel, operands, results, own.get() + shared);
}

} // namespace

struct DetachedQueue::State {
  struct Command {
    std::function<Status()> run;
    std::optional<Origin> origin;
    bool always;
  };
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Command> commands;
  std::optional<Origin> running;
  std::optional<Failure> failure;
  std::optional<uint64_t> seed; // of rests from the next command on
  bool dropping = false, ends = false;
  std::atomic<bool> has_failed{false};
  std::atomic<bool> *told = nullptr; // is set as well

  void work() {
    Rests rests;
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return ends || !commands.empty(); });
      if (commands.empty())
        return;
      const Command command = std::move(commands.front());
      commands.pop_front();
      if (!command.always && (dropping || failure))
        continue;
      running = command.origin;
      if (seed)
        rests = Rests(*std::exchange(seed, std::nullopt));
      lock.unlock();
      rests.take();
      Status status = run_safely(command.run);
      lock.lock();
      running.reset();
      if (status || failure)
        continue;
      failure = Failure{std::move(status.error()), command.origin.value_or(Origin())};
      has_failed.store(true);
      if (told != nullptr)
        told->store(true);
    }
  }

  static Status run_safely(const std::function<Status()> &run) try {
    return run();
  } catch (const std::bad_alloc &) {
    return fail(Code::resource_exhausted, "TW-701", "out of memory");
  }
};

DetachedQueue::DetachedQueue(int32_t unit, std::shared_ptr<State> state, std::thread thread)
    : unit_(unit), state_(std::move(state)), thread_(std::move(thread)) {}

Result<std::unique_ptr<Queue>> DetachedQueue::make(int32_t unit) try {
  auto state = std::make_shared<State>();
  std::thread thread([state] { state->work(); });
  return std::unique_ptr<Queue>(new DetachedQueue(unit, std::move(state), std::move(thread)));
} catch (const std::system_error &error) {
  return fail(Code::resource_exhausted, "TW-672",
              fmt::format("there is no thread for the queue of a detached device: {}", error.what()));
}

DetachedQueue::~DetachedQueue() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ends = true;
    state_->dropping = true;
  }
  state_->changed.notify_one();
  thread_.join();
}

void DetachedQueue::put(Run run, std::optional<Origin> origin, bool always) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->commands.push_back({std::move(run), origin, always});
  }
  state_->changed.notify_one();
}

void DetachedQueue::push(Run run, std::optional<Origin> origin) {
  if (recording_ != nullptr)
    recording_->keep(*this, std::move(run), origin);
  else
    put(std::move(run), origin, false);
}

// No wait lasts for ever, in whatever order queues come to what they were given, and each goes on behind the
// place that its event stood for when it was issued:
// - A wait is for one place, and that is reached by one command, its record. Nothing takes that back, so
//   neither a late record of the same event nor a later one changes what the wait is for.
// - A place is told to others (`set`) when its record is in the queue. So whoever waits for it is issued
//   later.
// - Records and waits run after failures too, when commands are dropped, and before a queue ends.
// Suppose that some commands are never over, and take of these the one that was issued first. What its queue
// holds in front of it was issued earlier, so that is over. It is no wait, whose record was issued earlier
// and is over too. But everything else runs when its turn comes.
void DetachedQueue::put_record(EventState &event) {
  auto place = std::make_shared<Place>();
  put(
      [place]() -> Status {
        place->nanoseconds = std::chrono::steady_clock::now().time_since_epoch().count();
        place->reached.store(true, std::memory_order_release);
        place->reached.notify_all();
        return {};
      },
      std::nullopt, true);
  event.set(std::move(place));
}

void DetachedQueue::put_wait(const EventState &event) {
  if (auto place = event.last())
    put(
        [place = std::move(place)]() -> Status {
          place->reached.wait(false, std::memory_order_acquire);
          return {};
        },
        std::nullopt, true);
}

void DetachedQueue::record(Event &event) {
  const auto &state = static_cast<DetachedEvent &>(event).state();
  event.queue = this;
  event.recording = recording_ != nullptr ? recording_->number() : 0;
  if (recording_ != nullptr)
    recording_->keep_record(*this, state);
  else
    put_record(*state);
}

void DetachedQueue::wait(const Event &event) {
  const auto &state = static_cast<const DetachedEvent &>(event).state();
  if (recording_ != nullptr)
    recording_->keep_wait(*this, event, state);
  else if (event.recording == 0) // else the recording was over for all its queues
    put_wait(*state);
}

void DetachedQueue::copy_in(void *device, const void *host, size_t bytes) {
  push(
      [=, unit = unit_]() -> Status {
        TW_ASSIGN(std::byte * to, reach(device, unit));
        if (bytes > 0) // empty arrays may have no address
          std::memcpy(to, host, bytes);
        return {};
      },
      std::nullopt);
}

void DetachedQueue::copy_out(void *host, const void *device, size_t bytes) {
  push(
      [=, unit = unit_]() -> Status {
        TW_ASSIGN(const std::byte *from, reach(device, unit));
        if (bytes > 0)
          std::memcpy(host, from, bytes);
        return {};
      },
      std::nullopt);
}

void DetachedQueue::copy(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> *unless) {
  if (what.bytes() == 0)
    return;
  const kernels::cpu::CopyPlan plan(what);
  push(
      [=]() -> Status {
        if (unless != nullptr && unless->load())
          return {};
        TW_ASSIGN(const std::byte *src, reach(from.memory, from.unit));
        TW_ASSIGN(std::byte * dst, reach(to.memory, to.unit));
        plan.run(src, dst);
        return {};
      },
      std::nullopt);
}

void DetachedQueue::fill(void *device, std::span<const std::byte> element, size_t times) {
  push(
      [device, times, unit = unit_,
       own = std::vector<std::byte>(element.begin(), element.end())]() -> Status {
        TW_ASSIGN(std::byte * to, reach(device, unit));
        for (size_t i = 0; i < times; ++i)
          std::memcpy(to + i * own.size(), own.data(), own.size());
        return {};
      },
      std::nullopt);
}

void DetachedQueue::launch(const kernels::Kernel &kernel, std::span<const void *const> operands,
                           std::span<void *const> results, Origin origin) {
  push([&kernel, in = std::vector<const void *>(operands.begin(), operands.end()),
        out = std::vector<void *>(results.begin(), results.end()),
        unit = unit_] { return run_kernel(kernel, in, out, unit); },
       origin);
}

void DetachedQueue::move(const comm::ByTaker &moves, size_t round, sharding::Position taker,
                         comm::ByTaker::Tiles tiles, Origin origin) {
  push(
      [&moves, round, taker, tiles = std::move(tiles)]() -> Status {
        comm::ByTaker::Tiles reached = tiles;
        const auto reach_any = [](auto &pointers) -> Status {
          for (auto &p : pointers)
            if (const void *at = p; at != nullptr && (p = memory().alias(at)) == nullptr)
              return fail(no_memory_of_it(at));
          return {};
        };
        TW_TRY(reach_any(reached.src));
        TW_TRY(reach_any(reached.dst));
        moves.run(round, taker, reached);
        return {};
      },
      origin);
}

void DetachedQueue::tell_failure(std::atomic<bool> *failed) {
  const std::lock_guard lock(state_->mutex);
  state_->told = failed;
}

bool DetachedQueue::has_failed() const { return state_->has_failed.load(); }

std::optional<Origin> DetachedQueue::running() const {
  const std::lock_guard lock(state_->mutex);
  return state_->running;
}

void DetachedQueue::drop() {
  const std::lock_guard lock(state_->mutex);
  state_->dropping = true;
}

std::optional<Failure> DetachedQueue::recover() {
  const std::lock_guard lock(state_->mutex);
  state_->dropping = false;
  state_->has_failed.store(false);
  return std::exchange(state_->failure, std::nullopt);
}

void DetachedQueue::draw_delays(uint64_t seed) {
  const std::lock_guard lock(state_->mutex);
  state_->seed = seed;
}

} // namespace tw::device::detached
