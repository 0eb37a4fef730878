// SPDX-License-Identifier: Apache-2.0
// One lock around the transport, one flag for the end, and waits that end by what they wait for, by an error,
// or by the deadline.
#include "comm/remote/processes.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"

namespace tw::comm {
namespace {

constexpr auto kGiveWay = std::chrono::milliseconds(2);
// It is asking that moves messages on, and a thread that gives way may not be back for long.
constexpr int kLooks = 16;
constexpr auto kPollEvery = std::chrono::microseconds(500);
constexpr auto kNap = std::chrono::microseconds(50);
constexpr auto kRollCall = std::chrono::milliseconds(40);
constexpr int64_t kMostBytes = 1 << 30; // of a message: counts are ints there

void copy_text(std::span<char> to, std::string_view text) {
  const size_t n = std::min(text.size(), to.size() - 1);
  std::memcpy(to.data(), text.data(), n);
  to[n] = 0;
}

// A fact in its record: what does not fit is told apart by its hash.
std::string told(const Fact &fact, size_t most) {
  return fact.value.size() < most ? fact.value
                                  : fmt::format("{}.. {:016x}", fact.value.substr(0, most / 2),
                                                Hasher().add(std::string_view(fact.value)).value());
}

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

} // namespace

Status Exchange::start() {
  const std::lock_guard lock(processes_->mutex_);
  return processes_->start_locked(*this);
}

Result<bool> Exchange::done(Clock::time_point awaited) {
  if (!under_way_)
    return true;
  const std::lock_guard lock(processes_->mutex_);
  TW_TRY(processes_->dead());
  for (int look = 0; look < kLooks; ++look) {
    TW_ASSIGN(const bool through, batch_->test());
    if (through) {
      under_way_ = false;
      return true;
    }
  }
  const auto now = Clock::now();
  TW_TRY(processes_->poll_sometimes(now));
  if (const auto since = std::max(started_, awaited); now > since && now - since > processes_->deadline_) {
    Error error = processes_->waited_for(batch_->missing(), now - since);
    TW_TRY(processes_->poll_locked()); // who asked before us has told us meanwhile
    return fail(std::move(error));
  }
  return false;
}

bool Exchange::in_flight() {
  if (!under_way_)
    return false;
  const std::lock_guard lock(processes_->mutex_);
  under_way_ = !batch_->give_up();
  return under_way_;
}

Processes::Processes(std::unique_ptr<Transport> transport, std::chrono::nanoseconds deadline)
    : transport_(std::move(transport)),
      roll_call_(*transport_, transport_->highest_tag() - RollCall::kTags + 1), rank_(transport_->rank()),
      size_(transport_->size()), deadline_(deadline) {}

Processes::~Processes() = default;

Result<int32_t> Processes::take_tags(size_t count) {
  const int64_t first = next_tag_;
  if (static_cast<int64_t>(count) > transport_->highest_tag() - RollCall::kTags - first)
    return fail(Code::resource_exhausted, "TW-643",
                fmt::format("the communicator has no {} tags left of {}: create another one", count,
                            transport_->highest_tag()));
  next_tag_ += static_cast<int64_t>(count);
  return static_cast<int32_t>(first);
}

Result<Exchange> Processes::prepare(std::span<const Message> messages) {
  Exchange made;
  made.processes_ = this;
  std::vector<Message> pieces;
  for (const Message &m : messages)
    for (int64_t at = 0; at == 0 || at < m.bytes; at += kMostBytes)
      pieces.push_back({m.peer, m.tag, m.sends, m.data + at, std::min(m.bytes - at, kMostBytes), m.loops});
  const std::lock_guard lock(mutex_);
  TW_TRY(dead());
  TW_ASSIGN(made.batch_, transport_->prepare(pieces));
  return made;
}

Status Processes::dead() const {
  if (!dead_.load())
    return {};
  if (remote_error_->rank == rank_)
    return fail(Code::failed_precondition, "TW-645",
                fmt::format("the communicator ended with an earlier error: {}", remote_error_->text));
  return fail(
      Code::remote, "TW-640",
      fmt::format("process {} failed ({}): {}", remote_error_->rank, remote_error_->id, remote_error_->text));
}

Status Processes::poll() {
  if (dead_.load())
    return dead();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock ? poll_locked() : Status();
}

Status Processes::poll_locked() {
  if (!dead_.load()) {
    roll_call_.answer();
    RemoteError error;
    if (transport_->poll_error(error)) {
      remote_error_ = error;
      dead_.store(true);
    }
  }
  return dead();
}

// Asking makes MPI look everywhere, and lets others have the core where they wait for one.
Status Processes::poll_sometimes(Clock::time_point now) {
  if (now - polled_ < kPollEvery)
    return dead();
  polled_ = now;
  return poll_locked();
}

void Processes::abort(const Error &error) {
  const std::lock_guard lock(mutex_);
  if (!poll_locked())
    return;
  RemoteError told;
  told.code = static_cast<int32_t>(error.code());
  told.rank = static_cast<int32_t>(rank_);
  copy_text(told.id, error.info().id);
  copy_text(told.text, error.message());
  remote_error_ = told;
  dead_.store(true);
  transport_->broadcast(told);
}

std::vector<int64_t> Processes::silent_locked() {
  roll_call_.ask();
  std::vector<int64_t> silent = roll_call_.silent();
  RemoteError error;
  for (const auto begin = Clock::now(); !silent.empty() && Clock::now() - begin < kRollCall;
       silent = roll_call_.silent()) {
    roll_call_.answer();
    if (transport_->poll_error(error)) { // it has been found out already
      remote_error_ = error;
      dead_.store(true);
      break;
    }
    std::this_thread::sleep_for(kNap);
  }
  return silent;
}

Result<std::vector<int64_t>> Processes::silent() {
  const std::lock_guard lock(mutex_);
  TW_TRY(poll_locked());
  std::vector<int64_t> silent = silent_locked();
  TW_TRY(dead());
  return silent;
}

// Whom we wait for may wait for another: the one that does not answer is the one that stopped.
Error Processes::waited_for(int64_t peer, std::chrono::nanoseconds time) {
  const std::vector<int64_t> silent = silent_locked();
  const bool waits = !silent.empty() && std::ranges::find(silent, peer) == silent.end();
  std::string text = fmt::format("process {} has waited {:.3g} s for process {}", rank_, seconds(time), peer);
  if (waits)
    text += fmt::format(", which waits as well: it is process {} that does not answer", silent.front());
  return {Code::deadline_exceeded, "TW-641", std::move(text)};
}

Status Processes::start_locked(Exchange &exchange) {
  exchange.started_ = Clock::now();
  TW_TRY(poll_sometimes(exchange.started_));
  exchange.under_way_ = true;
  return exchange.batch_->start();
}

Status Processes::wait_for(Exchange &exchange, Clock::time_point awaited) {
  for (const auto begin = Clock::now();;) {
    TW_ASSIGN(const bool done, exchange.done(awaited));
    if (done)
      return {};
    if (Clock::now() - begin < kGiveWay)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kNap);
  }
}

// One record a process, all as long: who has his own has everybody's afterwards.
Status Processes::exchange_records(std::vector<std::byte> &all) {
  const auto bytes = static_cast<int64_t>(all.size()) / size_;
  TW_ASSIGN(const int32_t tag, take_tags(1));
  std::vector<Message> messages;
  for (int64_t p = 0; p < size_; ++p)
    if (p != rank_)
      for (const bool sends : {false, true})
        messages.push_back({p, tag, sends, all.data() + (sends ? rank_ : p) * bytes, bytes});
  TW_ASSIGN(Exchange exchange, prepare(messages));
  Status status = exchange.start();
  if (status)
    status = wait_for(exchange);
  if (!status && exchange.in_flight()) // the records stay for whoever still writes to them
    static_cast<void>(new std::vector<std::byte>(std::move(all)));
  return status;
}

Status Processes::agree_on_largest(std::span<double> values) {
  std::vector<std::byte> all(values.size_bytes() * static_cast<size_t>(size_));
  std::memcpy(all.data() + values.size_bytes() * static_cast<size_t>(rank_), values.data(),
              values.size_bytes());
  TW_TRY(exchange_records(all));
  for (size_t at = 0; at < all.size(); at += sizeof(double)) {
    double value;
    std::memcpy(&value, all.data() + at, sizeof value);
    double &largest = values[at / sizeof(double) % values.size()];
    largest = std::max(largest, value);
  }
  return {};
}

Status Processes::share(int64_t root, std::span<std::byte> bytes) {
  if (size_ == 1)
    return poll();
  const auto size = static_cast<int64_t>(bytes.size());
  std::vector<std::byte> record(bytes.begin(), bytes.end());
  TW_ASSIGN(const int32_t tag, take_tags(1));
  std::vector<Message> messages;
  for (int64_t p = 0; p < size_; ++p)
    if (rank_ == root ? p != root : p == root)
      messages.push_back({p, tag, rank_ == root, record.data(), size});
  TW_ASSIGN(Exchange exchange, prepare(messages));
  Status status = exchange.start();
  if (status)
    status = wait_for(exchange, rank_ == root ? Clock::time_point() : Clock::time_point::max());
  if (status)
    std::ranges::copy(record, bytes.begin());
  else if (exchange.in_flight()) // the record stays for whoever still writes to it
    static_cast<void>(new std::vector<std::byte>(std::move(record)));
  return status;
}

// Every process hears all others' facts, so all come to the same verdict: the first fact in which one differs
// from process 0.
Status Processes::agree(std::span<const Fact> facts) {
  constexpr size_t kText = 256;
  const size_t record = facts.size() * kText;
  std::vector<std::byte> all(record * static_cast<size_t>(size_));
  const auto text = [&](int64_t process, size_t fact) {
    return reinterpret_cast<char *>(all.data()) + static_cast<size_t>(process) * record + fact * kText;
  };
  for (size_t f = 0; f < facts.size(); ++f)
    copy_text({text(rank_, f), kText}, told(facts[f], kText));
  TW_TRY(exchange_records(all));
  for (size_t f = 0; f < facts.size(); ++f)
    for (int64_t p = 1; p < size_; ++p)
      if (std::strcmp(text(p, f), text(0, f)) != 0)
        return fail(
            Code::invalid_argument, "TW-642",
            fmt::format(
                "the processes do not run the same: {} is \"{}\" on process {} and \"{}\" on process 0",
                facts[f].name, text(p, f), p, text(0, f)));
  return {};
}

// Rounds of a dissemination barrier: after round k every process has heard, directly or not, of 2^(k+1) - 1
// others.
Status Rendezvous::prepare(Processes &processes) {
  constexpr size_t kMostRounds = 32;
  if (words_ != nullptr) // it is there already
    return {};
  processes_ = &processes;
  words_ = std::make_unique<std::byte[]>(2);
  TW_ASSIGN(int32_t tag, processes.take_tags(kMostRounds));
  const int64_t size = processes.size(), rank = processes.rank();
  for (int64_t apart = 1; apart < size; apart *= 2, ++tag) {
    const Message messages[] = {{(rank + size - apart) % size, tag, false, words_.get(), 1},
                                {(rank + apart) % size, tag, true, words_.get() + 1, 1}};
    TW_ASSIGN(Exchange exchange, processes.prepare(messages));
    rounds_.push_back(std::move(exchange));
  }
  return {};
}

Status Rendezvous::barrier() {
  TW_TRY(processes_->poll());
  for (Exchange &exchange : rounds_) {
    TW_TRY(exchange.start());
    TW_TRY(processes_->wait_for(exchange));
  }
  return {};
}

Rendezvous::~Rendezvous() {
  for (Exchange &exchange : rounds_)
    if (exchange.in_flight()) {
      static_cast<void>(words_.release()); // somebody may still write there
      return;
    }
}

} // namespace tw::comm
