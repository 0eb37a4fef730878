// SPDX-License-Identifier: Apache-2.0
// Queues of what leaves, and tables of what is expected and of what came early, by connection.
#include "pjrt/links.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/uio.h>

namespace tw::pjrt {

namespace {

constexpr size_t kDirect = 32 << 10;        // as much is received where it belongs
constexpr size_t kMostPieces = 64;          // of memory, in one call of the system
constexpr int64_t kMostMessage = 1ll << 40; // of a message

} // namespace

Runs::Runs(void *data, size_t bytes, std::vector<tw_message_loop_t> loops)
    : data_(static_cast<std::byte *>(data)), run_(bytes), size_(bytes), loops_(std::move(loops)) {
  for (const tw_message_loop_t &loop : loops_)
    size_ *= static_cast<size_t>(loop.n);
}

std::span<std::byte> Runs::from(size_t at) const {
  if (at >= size_)
    return {};
  auto number = static_cast<int64_t>(at / run_);
  std::byte *run = data_;
  for (size_t l = loops_.size(); l-- > 0; number /= loops_[l].n)
    run += number % loops_[l].n * loops_[l].stride;
  const size_t within = at % run_;
  return {run + within, run_ - within};
}

void Runs::copy_out(std::byte *to) const {
  for (size_t at = 0; at < size_; at += run_)
    std::memcpy(to + at, from(at).data(), run_);
}

void Runs::copy_in(const std::byte *bytes) const {
  for (size_t at = 0; at < size_; at += run_)
    std::memcpy(from(at).data(), bytes + at, run_);
}

std::span<std::byte> LinkMessage::from(size_t at) {
  return packed.empty() ? runs.from(at) : std::span(packed).subspan(std::min(at, packed.size()));
}

Links::Links(std::vector<Process> all, size_t self)
    : all_(std::move(all)), peers_(all_.size()), self_(self) {}

// What was sent is on its way; what the other side still sends is taken, else the system would end the
// connection before all has arrived.
Links::~Links() {
  for (size_t p = 0; p < peers_.size(); ++p)
    if (p != self_) {
      send_some(p);
      shutdown(all_[p].socket.fd(), SHUT_WR);
      std::array<char, 4096> rest;
      while (recv(all_[p].socket.fd(), rest.data(), rest.size(), 0) > 0)
        ;
    }
}

void Links::leave(size_t process, std::string why) {
  Peer &peer = peers_[process];
  if (peer.gone.empty())
    peer.gone = all_[process].name + " is gone: " + std::move(why);
}

// ---- what leaves ----

void Links::send_some(size_t process) {
  Peer &peer = peers_[process];
  while (!peer.out.empty() && peer.gone.empty()) {
    std::array<iovec, kMostPieces> pieces;
    size_t n = 0;
    for (Outgoing &one : peer.out) {
      if (n + 2 > kMostPieces)
        break;
      if (one.at < sizeof one.head)
        pieces[n++] = {reinterpret_cast<std::byte *>(&one.head) + one.at, sizeof one.head - one.at};
      const auto size = static_cast<size_t>(one.head.bytes);
      size_t at = one.at < sizeof one.head ? 0 : one.at - sizeof one.head;
      while (at < size && n < kMostPieces) {
        const std::span<std::byte> piece =
            one.message != nullptr ? one.message->from(at) : std::span(one.bytes).subspan(at);
        pieces[n++] = {piece.data(), piece.size()};
        at += piece.size();
      }
    }
    msghdr all{};
    all.msg_iov = pieces.data();
    all.msg_iovlen = n;
    const ssize_t sent = sendmsg(all_[process].socket.fd(), &all, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR)
        continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EPIPE && errno != ECONNRESET)
        leave(process, std::strerror(errno)); // NOLINT(concurrency-mt-unsafe)
      return;                                 // full, or gone: receiving tells
    }
    for (auto done = static_cast<size_t>(sent); !peer.out.empty();) {
      Outgoing &one = peer.out.front();
      const size_t rest = sizeof one.head + static_cast<size_t>(one.head.bytes) - one.at;
      const size_t now = std::min(done, rest);
      one.at += now;
      done -= now;
      if (now < rest)
        break;
      if (one.message != nullptr)
        one.message->is_open = false;
      peer.out.pop_front();
    }
  }
}

// ---- what comes ----

// A head has come.
void Links::begin_incoming(Peer &peer) {
  const Head head = peer.head;
  peer.head_at = 0;
  if (head.bytes < 0 || head.bytes > kMostMessage)
    throw Failure{abi::Code::internal, "a message that has no size"};
  auto made = std::make_unique<Incoming>();
  made->key = {head.channel, head.tag};
  made->size = static_cast<size_t>(head.bytes);
  auto waiting = peer.expected.find(made->key);
  if (head.tag >= 0 && waiting != peer.expected.end()) {
    made->target = waiting->second.front();
    made->is_direct = true;
    waiting->second.pop_front();
    if (waiting->second.empty())
      peer.expected.erase(waiting);
    if (made->target->runs.size() != made->size)
      throw Failure{abi::Code::internal, "a message of " + std::to_string(made->size) +
                                             " bytes where one of " +
                                             std::to_string(made->target->runs.size()) + " is expected"};
    peer.direct = std::move(made);
    peer.coming = peer.direct.get();
  } else {
    made->bytes.resize(made->size);
    auto &list = peer.early[made->key];
    peer.coming = list.emplace_back(std::move(made)).get();
  }
}

// Where the rest of what comes goes, as far as it is one piece.
std::span<std::byte> Links::room(Peer &peer) {
  Incoming &coming = *peer.coming;
  return coming.is_direct ? coming.target->from(coming.at) : std::span(coming.bytes).subspan(coming.at);
}

// A message has come whole.
void Links::end_incoming(size_t process) {
  Peer &peer = peers_[process];
  Incoming &coming = *peer.coming;
  peer.coming = nullptr;
  if (coming.key.second == kNews) {
    news_[coming.key.first].push_back(std::move(coming.bytes));
    peer.early.erase(Key(coming.key)); // news are taken as they come
    return;
  }
  if (coming.key.second == kNote) {
    const Channel channel = coming.key.first;
    peer.notes[channel].second.emplace_back(reinterpret_cast<const char *>(coming.bytes.data()),
                                            coming.bytes.size());
    peer.early.erase(Key(coming.key));
    compare_notes(process, channel);
    return;
  }
  LinkMessage *const target = coming.target;
  if (target == nullptr)
    return; // it stays where it is until somebody wants it
  if (coming.is_direct) {
    if (!target->packed.empty())
      target->runs.copy_in(target->packed.data());
    peer.direct = nullptr;
  } else {
    target->runs.copy_in(coming.bytes.data());
    auto at = peer.early.find(coming.key);
    at->second.pop_front(); // those before it were claimed, and came, first
    if (at->second.empty())
      peer.early.erase(at);
  }
  target->is_open = false;
}

// Looks at what was read.
void Links::take_buffered(size_t process) {
  Peer &peer = peers_[process];
  for (;;) {
    if (peer.coming != nullptr && peer.coming->at == peer.coming->size) {
      end_incoming(process);
      continue;
    }
    const size_t there = peer.buffer_end - peer.buffer_at;
    if (there == 0)
      return;
    const std::span<std::byte> to =
        peer.coming != nullptr
            ? room(peer)
            : std::span(reinterpret_cast<std::byte *>(&peer.head), sizeof peer.head).subspan(peer.head_at);
    const size_t now = std::min(there, to.size());
    std::memcpy(to.data(), peer.buffer.data() + peer.buffer_at, now);
    peer.buffer_at += now;
    if (peer.coming != nullptr)
      peer.coming->at += now;
    else if ((peer.head_at += now) == sizeof peer.head)
      begin_incoming(peer);
  }
}

void Links::receive_some(size_t process) {
  Peer &peer = peers_[process];
  peer.buffer.resize(kBufferBytes);
  while (peer.gone.empty()) {
    try {
      take_buffered(process);
    } catch (const Failure &failure) { // what follows has no beginning
      peer.gone = all_[process].name + " sends " + failure.message;
      return;
    }
    std::array<iovec, kMostPieces> pieces;
    size_t n = 0;
    const bool is_large = peer.coming != nullptr && peer.coming->size - peer.coming->at >= kDirect;
    const size_t before = is_large ? peer.coming->at : 0;
    if (is_large)
      while (n < kMostPieces && peer.coming->at < peer.coming->size) {
        const std::span<std::byte> piece = room(peer);
        pieces[n++] = {piece.data(), piece.size()};
        peer.coming->at += piece.size();
      }
    else
      pieces[n++] = {peer.buffer.data(), peer.buffer.size()};
    if (is_large)
      peer.coming->at = before;
    const ssize_t got = readv(all_[process].socket.fd(), pieces.data(), static_cast<int>(n));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    if (got <= 0) {
      // What came before is taken.
      leave(process, got == 0 ? "it has closed its connection" : std::strerror(errno)); // NOLINT
      return;
    }
    if (is_large) {
      peer.coming->at += static_cast<size_t>(got);
    } else {
      peer.buffer_at = 0;
      peer.buffer_end = static_cast<size_t>(got);
    }
  }
}

void Links::move_all() {
  for (size_t p = 0; p < peers_.size(); ++p)
    if (p != self_ && peers_[p].gone.empty()) {
      send_some(p);
      receive_some(p);
    }
}

// ---- who does what ----

void Links::compare_notes(size_t process, Channel channel) {
  auto &[own, others] = peers_[process].notes[channel];
  while (!own.empty() && !others.empty()) {
    if (own.front() != others.front() && unlike_[channel].empty())
      unlike_[channel] = all_[process].name + " runs " + others.front() + " where process " +
                         std::to_string(self_) + " runs " + own.front() +
                         ": all processes run the same programs on their devices, in the same order";
    own.pop_front();
    others.pop_front();
  }
}

void Links::note(Channel channel, std::span<const size_t> processes, const std::string &what) {
  const std::scoped_lock lock(mutex_);
  const auto bytes = std::as_bytes(std::span(what));
  for (const size_t p : processes) {
    if (p == self_)
      continue;
    peers_[p].notes[channel].first.push_back(what);
    compare_notes(p, channel);
    peers_[p].out.push_back(
        {{channel, static_cast<int64_t>(bytes.size()), kNote, 0}, nullptr, {bytes.begin(), bytes.end()}});
    send_some(p);
  }
}

// ---- batches ----

void Links::start(Channel channel, std::span<LinkMessage> messages) {
  const std::scoped_lock lock(mutex_);
  for (LinkMessage &m : messages) {
    Peer &peer = peers_[m.process];
    m.is_open = true;
    const Key key{channel, m.tag};
    if (m.sends) {
      if (!m.packed.empty())
        m.runs.copy_out(m.packed.data());
      peer.out.push_back({{channel, static_cast<int64_t>(m.runs.size()), m.tag, 0}, &m, {}});
      continue;
    }
    const auto found = peer.early.find(key);
    Incoming *first = nullptr;
    if (found != peer.early.end())
      for (const auto &one : found->second)
        if (one->target == nullptr) {
          first = one.get();
          break;
        }
    if (first == nullptr) {
      peer.expected[key].push_back(&m);
      continue;
    }
    if (first->size != m.runs.size())
      throw Failure{abi::Code::internal, "a message of " + std::to_string(first->size) +
                                             " bytes where one of " + std::to_string(m.runs.size()) +
                                             " is expected"};
    first->target = &m;
    if (first != peer.coming) { // it is there
      m.runs.copy_in(first->bytes.data());
      m.is_open = false;
      found->second.pop_front();
      if (found->second.empty())
        peer.early.erase(found);
    }
  }
  for (size_t p = 0; p < peers_.size(); ++p)
    if (p != self_ && !peers_[p].out.empty())
      send_some(p);
}

bool Links::test(Channel channel, std::span<LinkMessage> messages) {
  const std::scoped_lock lock(mutex_);
  move_all();
  if (const auto unlike = unlike_.find(channel); unlike != unlike_.end())
    throw Failure{abi::Code::failed_precondition, unlike->second};
  const auto open = std::ranges::find_if(
      messages, [&](const LinkMessage &m) { return m.is_open && !peers_[m.process].gone.empty(); });
  // Somebody may have told why that process went.
  if (open != messages.end() && news_[channel].empty())
    throw Failure{abi::Code::unavailable, peers_[open->process].gone};
  return std::ranges::none_of(messages, &LinkMessage::is_open);
}

void Links::give_up(Channel channel, std::span<LinkMessage> messages) {
  const std::scoped_lock lock(mutex_);
  for (LinkMessage &m : messages) {
    if (!m.is_open)
      continue;
    m.is_open = false;
    Peer &peer = peers_[m.process];
    if (m.sends) {
      const auto at = std::ranges::find(peer.out, &m, &Outgoing::message);
      if (at == peer.out.end())
        continue;
      if (at->at == 0) {
        peer.out.erase(at);
        continue;
      }
      at->bytes.resize(m.runs.size()); // the rest of it has to follow
      for (size_t byte = 0; byte < at->bytes.size();) {
        const std::span<std::byte> piece = m.from(byte);
        std::memcpy(at->bytes.data() + byte, piece.data(), piece.size());
        byte += piece.size();
      }
      at->message = nullptr;
      continue;
    }
    const Key key{channel, m.tag};
    if (const auto found = peer.expected.find(key); found != peer.expected.end()) {
      std::erase(found->second, &m);
      if (found->second.empty())
        peer.expected.erase(found);
    }
    if (peer.coming != nullptr && peer.coming->target == &m) { // the rest of it goes nowhere
      Incoming &coming = *peer.coming;
      coming.target = nullptr;
      if (coming.is_direct) {
        coming.is_direct = false;
        coming.bytes.resize(coming.size);
        peer.early[key].push_front(std::move(peer.direct));
      }
    }
  }
}

void Links::tell(Channel channel, std::span<const size_t> processes, std::span<const std::byte> news) {
  const std::scoped_lock lock(mutex_);
  for (const size_t p : processes) {
    if (p == self_)
      continue;
    std::deque<Outgoing> &out = peers_[p].out;
    const bool is_begun = !out.empty() && out.front().at > 0;
    out.insert(out.begin() + (is_begun ? 1 : 0),
               {{channel, static_cast<int64_t>(news.size()), kNews, 0}, nullptr, {news.begin(), news.end()}});
    send_some(p);
  }
}

std::optional<std::vector<std::byte>> Links::news(Channel channel) {
  const std::scoped_lock lock(mutex_);
  move_all();
  auto &list = news_[channel];
  if (list.empty())
    return std::nullopt;
  std::vector<std::byte> first = std::move(list.front());
  list.pop_front();
  return first;
}

} // namespace tw::pjrt
