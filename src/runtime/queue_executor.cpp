// SPDX-License-Identifier: Apache-2.0
// A run of devices with queues, from begin to end: tiles go in, steps are issued, and when all have succeeded
// tiles come out. Nothing is written to the caller's arrays before that.
#include "runtime/queue_executor.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"

namespace tw::runtime {

namespace {

// How long the host looks without rest for what a device is about to reach, and how long it sleeps then.
constexpr int kLooks = 200;
constexpr auto kNap = std::chrono::microseconds(20);
// What a device that has failed its deadline gets to end what it runs.
constexpr auto kGrace = std::chrono::milliseconds(100);

} // namespace

QueueExecutor::QueueExecutor(const device::QueueKind &kind, std::vector<BoundStep> steps,
                             const sharding::Mesh &mesh, const How &how)
    : Executor(std::move(steps), mesh), kind_(kind), how_(how) {}

std::unique_ptr<QueueExecutor> QueueExecutor::create(const device::QueueKind &kind,
                                                     std::vector<BoundStep> steps, const sharding::Mesh &mesh,
                                                     std::span<const Position> positions,
                                                     std::span<const int32_t> units, const How &how) {
  std::unique_ptr<QueueExecutor> made(new QueueExecutor(kind, std::move(steps), mesh, how));
  for (const Position position : positions)
    made->placed_.emplace_back(position, units[static_cast<size_t>(mesh.device_of(position).index())]);
  if (how.profile) {
    made->step_nanoseconds_.resize(made->steps_.size());
    made->step_calls_.resize(made->steps_.size());
  }
  return made;
}

Status QueueExecutor::open() try {
  lane_numbers_.resize(static_cast<size_t>(mesh_.num_positions()));
  for (const auto &[position, unit] : placed_) {
    TW_ASSIGN(auto queue, kind_.make_queue(unit));
    queue->name_steps(names_);
    queue->tell_failure(&late_failure_);
    if (how_.delays != 0)
      queue->draw_delays(how_.delays + static_cast<uint64_t>(position) * 0x9e3779b97f4a7c15u);
    lane_numbers_[static_cast<size_t>(position)] = static_cast<uint32_t>(lanes_.size());
    lanes_.push_back({position,
                      unit,
                      std::move(queue),
                      kind_.make_event(unit),
                      kind_.make_event(unit),
                      kind_.make_event(unit),
                      kind_.make_event(unit),
                      {kind_.make_event(unit), kind_.make_event(unit)}});
  }
  for (const Lane &lane : lanes_)
    queues_.push_back(lane.queue.get());
  find_groups();
  find_members();
  if (how_.crossing != nullptr)
    open_crossing();
  thread_ = std::thread([this] { work(); });
  return {};
} catch (const std::system_error &error) {
  return fail(Code::resource_exhausted, "TW-672",
              fmt::format("there is no thread that issues to devices: {}", error.what()));
}

QueueExecutor::~QueueExecutor() {
  if (how_.crossing != nullptr)
    how_.crossing->tell_failure(nullptr); // the queue may live on
  if (!thread_.joinable())
    return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

uint64_t QueueExecutor::begin(const Task &task) {
  uint64_t number;
  {
    const std::lock_guard lock(mutex_);
    TW_ASSERT(over_);
    task_ = task;
    arenas_ = task.arenas;
    failure_.reset();
    stops_.store(false);
    over_ = brings_out_ = is_issued_ = false;
    number = ++number_;
  }
  changed_.notify_all();
  return number;
}

void QueueExecutor::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return over_; });
}

bool QueueExecutor::try_finish() {
  const std::lock_guard lock(mutex_);
  return over_;
}

void QueueExecutor::wait_issued() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_issued_ || over_; });
}

void QueueExecutor::tell_issued() {
  {
    const std::lock_guard lock(mutex_);
    is_issued_ = true;
  }
  changed_.notify_all();
}

void QueueExecutor::cancel(uint64_t run) {
  const std::lock_guard lock(mutex_);
  if (number_ != run || over_ || brings_out_ || failure_)
    return;
  failure_.emplace(
      Failure{Error(Code::cancelled, "TW-627", "the run was cancelled"), sharding::kNoPosition, 0});
  stops_.store(true);
}

std::optional<Failure> QueueExecutor::take_failure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

// The issuing thread: a run after the other.
void QueueExecutor::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !over_; });
    if (over_)
      return;
    lock.unlock();
    try {
      run_steps();
    } catch (const std::bad_alloc &) {
      fail_with(Error(Code::resource_exhausted, "TW-701", "out of memory"), sharding::kNoPosition, 0);
      drain();
    }
    lock.lock();
    over_ = true;
    changed_.notify_all();
  }
}

void QueueExecutor::run_steps() {
  step_ = lanes_.empty() ? static_cast<uint32_t>(steps_.size()) : 0; // a process may have no devices
  offset_ = 0;
  exchanges_.clear();
  issued_ = held_ = 0;
  flight_.clear();
  const int64_t began = ticks();
  ends_at_ = how_.deadline.count() > 0 ? Clock::now() + how_.deadline : Clock::time_point::max();
  if (is_stuck()) {
    fail_with(
        Error(Code::unavailable, "TW-673",
              "a device has not come back since an earlier run missed its deadline: make another executable"),
        sharding::kNoPosition, 0);
    return;
  }
  stuck_ = false;
  late_failure_.store(false);
  for (Lane &lane : lanes_) {
    static_cast<void>(lane.queue->recover());
    if (hooks_.schedule != 0)
      lane.queue->draw_delays(hooks_.schedule + static_cast<uint64_t>(lane.position) * 0x9e3779b97f4a7c15u);
  }
  if (how_.crossing != nullptr)
    static_cast<void>(how_.crossing->recover());
  if (notes_times())
    start_timing();
  bring_in();
  const auto first = Clock::now();
  while (step_ < steps_.size() && goes_on() && advance())
    ;
  issuing_ = Clock::now() - first;
  bring_out();
  drain();
  for (const Lane &lane : lanes_)
    flight_.add(lane.position,
                {began, ticks(), 0, step_,
                 step_ == steps_.size() ? FlightRecord::Kind::finished : FlightRecord::Kind::stopped, 0});
}

void QueueExecutor::bring_in() {
  for (const auto &event : task_.order.after)
    for (Lane &lane : lanes_)
      lane.queue->wait(*event);
  for (int64_t part = 0; part < task_.before.parts; ++part)
    task_.before.copy(task_.before.object, part);
  for (const Landing &tile : task_.to_devices)
    lane_of(tile.position).queue->copy_in(tile.device, tile.host, tile.bytes);
  for (const Carry &tile : task_.carry_in)
    lane_of(tile.position).queue->copy(*tile.plan, tile.from, tile.to, nullptr);
  if (!task_.to_devices.empty() || !task_.carry_in.empty())
    meet(); // others read what lies in a leader's arena for all
}

// What any device does from now on it does behind all that was issued to any.
void QueueExecutor::meet() {
  if (lanes_.empty())
    return;
  Lane &first = lanes_.front();
  for (Lane &lane : lanes_) {
    lane.queue->record(*lane.here);
    first.queue->wait(*lane.here);
  }
  first.queue->record(*first.arrived);
  for (Lane &lane : lanes_)
    lane.queue->wait(*first.arrived);
}

// Tiles for the host go to memory of ours. Only when they and all steps have succeeded does anything reach
// the caller's arrays, and from then on nothing of the program can fail.
void QueueExecutor::bring_out() {
  if (!goes_on() || step_ != steps_.size())
    return;
  for (const Landing &tile : task_.to_host)
    lane_of(tile.position).queue->copy_out(tile.host, tile.device, tile.bytes);
  if (task_.order.stream != nullptr)
    return bring_out_behind();
  for (Lane &lane : lanes_)
    lane.queue->record(*lane.idle);
  for (const Lane &lane : lanes_)
    if (!wait_on_host(*lane.idle))
      return;
  if (!goes_on() || !begin_output())
    return;
  for (const Carry &tile : task_.carry_out)
    lane_of(tile.position).queue->copy(*tile.plan, tile.from, tile.to, nullptr);
  if (!task_.carry_out.empty() && !carry_out())
    return;
  for (int64_t part = 0; part < task_.after.parts; ++part)
    task_.after.copy(task_.after.object, part);
}

// From here on nobody cancels the run; false: somebody just has.
bool QueueExecutor::begin_output() {
  const std::lock_guard lock(mutex_);
  brings_out_ = !failure_;
  return brings_out_;
}

// Waits until outputs are there; false: they do not come, since a device was lost or is late.
bool QueueExecutor::carry_out() {
  for (Lane &lane : lanes_)
    lane.queue->record(*lane.idle);
  for (const Lane &lane : lanes_)
    if (!wait_on_host(*lane.idle))
      return false;
  return true;
}

// The same while the host goes on: outputs on devices are written behind all steps unless one of them has
// failed by then, and the program's queue waits for that.
void QueueExecutor::bring_out_behind() {
  meet();
  if (!begin_output())
    return;
  const bool asks = std::ranges::any_of(lanes_, [](const Lane &lane) { return lane.queue->may_fail_late(); });
  Lane &first = lanes_.front();
  for (const Carry &tile : task_.carry_out)
    lane_of(tile.position).queue->copy(*tile.plan, tile.from, tile.to, asks ? &late_failure_ : nullptr);
  for (Lane &lane : lanes_) {
    lane.queue->record(*lane.idle);
    first.queue->wait(*lane.idle);
  }
  first.queue->record(*task_.order.done);
  task_.order.stream->wait(*task_.order.done);
  tell_issued();
  if (!carry_out())
    return;
  for (int64_t part = 0; part < task_.after.parts; ++part)
    task_.after.copy(task_.after.object, part);
}

// What was issued ends, or is dropped, before the run is over: nothing of it touches memory later. Of a
// device that does not end even so the memory is lost.
void QueueExecutor::drain() {
  bool stops;
  {
    const std::lock_guard lock(mutex_);
    stops = failure_.has_value() || !brings_out_;
  }
  if (stops && how_.crossing != nullptr) { // others that do not come are not waited for
    how_.processes.communicator->stop();
    how_.crossing->drop();
  }
  if (how_.crossing != nullptr)
    how_.crossing->record(*crossing_idle_);
  for (Lane &lane : lanes_) {
    if (stops)
      lane.queue->drop();
    lane.queue->record(*lane.idle);
  }
  const auto given_up =
      ends_at_ == Clock::time_point::max() ? ends_at_ : std::max(ends_at_, Clock::now()) + kGrace;
  while (!is_idle() && Clock::now() < given_up)
    std::this_thread::sleep_for(kNap);
  stuck_ = !is_idle();
  if (!stuck_ && !stops)
    collect_times();
  if (!stuck_)
    collect_failures();
}

bool QueueExecutor::is_idle() const {
  return std::ranges::all_of(lanes_, [](const Lane &lane) { return lane.idle->is_reached(); }) &&
         (crossing_idle_ == nullptr || crossing_idle_->is_reached());
}

void QueueExecutor::collect_failures() {
  for (Lane &lane : lanes_)
    if (auto failure = lane.queue->recover())
      fail_with(std::move(failure->error), failure->origin.position, failure->origin.step);
  if (how_.crossing == nullptr)
    return;
  if (auto failure = how_.crossing->recover())
    fail_with(std::move(failure->error), sharding::kNoPosition, step_);
}

std::optional<Failure> QueueExecutor::settle() {
  for (Lane &lane : lanes_) {
    lane.queue->record(*lane.idle);
    while (!lane.idle->is_reached())
      std::this_thread::sleep_for(kNap);
    if (auto failure = lane.queue->recover())
      return Failure{std::move(failure->error), failure->origin.position, failure->origin.step};
  }
  return std::nullopt;
}

// The first failure counts.
void QueueExecutor::fail_with(Error error, Position position, uint32_t step) {
  const std::lock_guard lock(mutex_);
  if (!failure_) {
    failure_.emplace(Failure{std::move(error), position, step});
    if (how_.processes.on_failure)
      how_.processes.on_failure(*failure_);
  }
  stops_.store(true);
}

bool QueueExecutor::has_failed() const {
  return std::ranges::any_of(queues_, [](const device::Queue *queue) { return queue->has_failed(); }) ||
         (how_.crossing != nullptr && how_.crossing->has_failed());
}

// Nothing has failed, nobody has cancelled, and there is time.
bool QueueExecutor::goes_on() {
  if (stops_.load())
    return false;
  if (has_failed()) {
    stops_.store(true); // drain() collects it
    return false;
  }
  if (Status others = poll_others(); !others) {
    fail_with(std::move(others.error()), sharding::kNoPosition, 0);
    return false;
  }
  if (ends_at_ == Clock::time_point::max() || Clock::now() < ends_at_)
    return true;
  device::Origin late; // the first step that some device still runs
  for (const Lane &lane : lanes_)
    if (const auto running = lane.queue->running();
        running && (late.position < 0 || running->step < late.step))
      late = *running;
  fail_with(Error(Code::deadline_exceeded, "TW-673",
                  fmt::format("the run missed its deadline of {} ms here",
                              std::chrono::duration_cast<std::chrono::milliseconds>(how_.deadline).count())),
            late.position, late.step);
  return false;
}

// False: the run is over meanwhile.
bool QueueExecutor::wait_on_host(const device::Event &event) {
  for (int looks = 0; !event.is_reached(); ++looks) {
    if (!goes_on())
      return false;
    if (looks < kLooks)
      pause_briefly();
    else
      std::this_thread::sleep_for(kNap);
  }
  return goes_on();
}

std::optional<Failure> QueueExecutor::run_alone(std::span<const BoundStep> steps, Position position,
                                                std::span<std::byte *const> arenas) {
  arenas_ = arenas;
  device::Queue &own = queue(position);
  for (uint32_t i = 0; i < steps.size(); ++i)
    if (const kernels::Kernel *kernel = steps[i].kernels[static_cast<size_t>(position)]) {
      operands_.resize(std::max(operands_.size(), steps[i].num_operands));
      results_.resize(std::max(results_.size(), steps[i].num_results));
      resolve(steps[i], position, operands_.data(), results_.data());
      own.launch(*kernel, {operands_.data(), steps[i].num_operands}, {results_.data(), steps[i].num_results},
                 {position, i});
    }
  return settle();
}

} // namespace tw::runtime
