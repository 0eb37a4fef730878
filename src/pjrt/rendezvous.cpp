// SPDX-License-Identifier: Apache-2.0
// Each process connects to those before it, and is asked by those behind. Who connects shows a secret that
// only the store has, so nobody else gets in.
#include "pjrt/rendezvous.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tw::pjrt {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kOneTry{3000};       // to reach one address
constexpr milliseconds kBetweenRounds{100}; // of tries
constexpr std::string_view kFormat = "tilewright 1";

milliseconds left(Clock::time_point end) {
  return std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(end - Clock::now()));
}

std::string text_of_error(int error) { return std::strerror(error); } // NOLINT(concurrency-mt-unsafe)

// What a process tells of itself.
struct Card {
  int devices = 0;
  std::string secret, machine, port;
  std::vector<std::string> addresses;

  std::string text() const {
    std::string made = std::string(kFormat) + "\n" + std::to_string(devices) + "\n" + secret + "\n" +
                       machine + "\n" + port + "\n";
    for (const std::string &address : addresses)
      made += address + "\n";
    return made;
  }
  std::string place() const { return (addresses.empty() ? "?" : addresses.front()) + ":" + port; }
};

Card read_card(const std::string &text, int process) {
  std::istringstream lines(text);
  Card card;
  std::string format, devices, address;
  std::getline(lines, format);
  std::getline(lines, devices);
  std::getline(lines, card.secret);
  std::getline(lines, card.machine);
  std::getline(lines, card.port);
  while (std::getline(lines, address))
    card.addresses.push_back(address);
  const auto read = std::from_chars(devices.data(), devices.data() + devices.size(), card.devices);
  if (format != kFormat || read.ec != std::errc() || card.devices < 1 || card.port.empty())
    throw Failure{abi::Code::failed_precondition,
                  "process " + std::to_string(process) +
                      " has another version of tilewright: it does not say '" + std::string(kFormat) + "'"};
  return card;
}

// A word of 32 letters that nobody guesses.
std::string new_secret() {
  std::random_device source;
  std::string made;
  for (int i = 0; i < 8; ++i) {
    uint32_t number = source();
    for (int digit = 0; digit < 4; ++digit, number >>= 8)
      made += static_cast<char>('a' + number % 26);
  }
  return made;
}

// The same for processes that may reach each other by the loopback address.
std::string machine_of_this_process() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? "unknown " + new_secret() : id;
}

std::vector<std::string> addresses_of_this_machine() {
  std::vector<std::string> made, loopback;
  ifaddrs *list = nullptr;
  if (getifaddrs(&list) != 0)
    return {"127.0.0.1"};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs *)> kept(list, freeifaddrs);
  for (const ifaddrs *at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_UP) == 0)
      continue;
    const int family = at->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6)
      continue;
    if (family == AF_INET6 && // those are of one wire, and want its name
        IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6 *>(at->ifa_addr)->sin6_addr))
      continue;
    std::array<char, NI_MAXHOST> text{};
    const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (getnameinfo(at->ifa_addr, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
      continue;
    if ((at->ifa_flags & IFF_LOOPBACK) != 0)
      loopback.emplace_back(text.data());
    else
      made.emplace_back(text.data());
  }
  return made.empty() ? loopback : made;
}

// On every network of the machine, at a port that the system finds.
Socket listen_anywhere(std::string &port) {
  const auto open = [&](int family) {
    Socket made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_storage where{};
    where.ss_family = static_cast<sa_family_t>(family);
    socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    const int off = 0;
    if (family == AF_INET6)
      setsockopt(made.fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    auto *const address = reinterpret_cast<sockaddr *>(&where);
    if (made.fd() < 0 || bind(made.fd(), address, size) != 0 || listen(made.fd(), SOMAXCONN) != 0 ||
        getsockname(made.fd(), address, &size) != 0)
      return Socket();
    port = std::to_string(ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6 *>(&where)->sin6_port
                                                   : reinterpret_cast<sockaddr_in *>(&where)->sin_port));
    return made;
  };
  Socket made = open(AF_INET6);
  if (made.fd() < 0)
    made = open(AF_INET);
  if (made.fd() < 0)
    throw Failure{abi::Code::unavailable,
                  "no port for other processes to connect to: " + text_of_error(errno)};
  return made;
}

bool wait_for(int fd, short events, Clock::time_point end) {
  pollfd one{fd, events, 0};
  int found = 0;
  do
    found = poll(&one, 1, static_cast<int>(left(end).count()));
  while (found < 0 && errno == EINTR);
  return found > 0;
}

bool send_all(int fd, const void *data, size_t size, Clock::time_point end) {
  for (size_t at = 0; at < size;) {
    const ssize_t n = send(fd, static_cast<const char *>(data) + at, size - at, MSG_NOSIGNAL);
    if (n > 0)
      at += static_cast<size_t>(n);
    else if ((errno != EAGAIN && errno != EINTR) || !wait_for(fd, POLLOUT, end))
      return false;
  }
  return true;
}

bool receive_all(int fd, void *data, size_t size, Clock::time_point end) {
  for (size_t at = 0; at < size;) {
    const ssize_t n = recv(fd, static_cast<char *>(data) + at, size - at, 0);
    if (n > 0)
      at += static_cast<size_t>(n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR) || !wait_for(fd, POLLIN, end))
      return false;
  }
  return true;
}

// Who connects says first: the secret of whom it wants, and who it is. The other answers with who it is.
struct Greeting {
  std::array<char, 32> secret;
  int32_t process;
};

// Messages leave at once, and a machine that is gone without a word is noticed.
void set_up(int fd) {
  const int on = 1, idle = 10, interval = 5, probes = 3;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

// One try at one address; without a socket, `why` says what was wrong.
Socket try_address(const Card &card, const std::string &address, int self, int other, Clock::time_point end,
                   std::string &why) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  if (const int error = getaddrinfo(address.c_str(), card.port.c_str(), &hints, &found); error != 0) {
    why = gai_strerror(error);
    return {};
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo *)> kept(found, freeaddrinfo);
  Socket made(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.fd() < 0 || (connect(made.fd(), found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS)) {
    why = text_of_error(errno);
    return {};
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (!wait_for(made.fd(), POLLOUT, end))
    error = ETIMEDOUT;
  else
    getsockopt(made.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    why = text_of_error(error);
    return {};
  }
  Greeting greeting{{}, self};
  std::memcpy(greeting.secret.data(), card.secret.data(),
              std::min(card.secret.size(), greeting.secret.size()));
  int32_t answer = -1;
  if (!send_all(made.fd(), &greeting, sizeof greeting, end) ||
      !receive_all(made.fd(), &answer, sizeof answer, end) || answer != other) {
    why = "somebody else is there";
    return {};
  }
  set_up(made.fd());
  return made;
}

Socket connect_to(const Card &card, const std::string &machine, int self, int other, Clock::time_point end) {
  std::vector<std::string> addresses = card.addresses;
  if (card.machine == machine)
    addresses.insert(addresses.begin(), "127.0.0.1");
  std::string said;
  for (;;) {
    said.clear();
    for (const std::string &address : addresses) {
      std::string why;
      Socket made = try_address(card, address, self, other, std::min(end, Clock::now() + kOneTry), why);
      if (made.fd() >= 0)
        return made;
      said += (said.empty() ? "" : ", ") + address + ":" + card.port + " (" + why + ")";
    }
    if (Clock::now() >= end)
      throw Failure{abi::Code::unavailable,
                    "process " + std::to_string(self) + " does not reach process " + std::to_string(other) +
                        " at " + said +
                        "; TW_PJRT_ADDRESS of that process, or option address, says where others reach it"};
    poll(nullptr, 0, static_cast<int>(std::min(kBetweenRounds, left(end)).count()));
  }
}

// Whoever asks next and knows the secret: its number and its socket. -1: it was a stranger.
std::pair<int, Socket> accept_one(int listener, const Card &card, int self, Clock::time_point end) {
  if (!wait_for(listener, POLLIN, end))
    return {-1, Socket()};
  Socket made(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (made.fd() < 0)
    return {-1, Socket()};
  const auto soon = std::min(end, Clock::now() + kOneTry);
  Greeting greeting{};
  const int32_t answer = self;
  if (!receive_all(made.fd(), &greeting, sizeof greeting, soon) ||
      std::memcmp(greeting.secret.data(), card.secret.data(), greeting.secret.size()) != 0 ||
      !send_all(made.fd(), &answer, sizeof answer, soon))
    return {-1, Socket()};
  set_up(made.fd());
  return {greeting.process, std::move(made)};
}

// What a process says under its number; keys are new for each client, since stores keep what they have.
std::string key_of(int meeting, int process) {
  return "tilewright/" + std::to_string(meeting) + "/" + std::to_string(process);
}

} // namespace

Socket &Socket::operator=(Socket &&other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0)
    close(fd_);
}

std::vector<Process> meet(const Store &store, const Meeting &meeting, int number) {
  const auto end = Clock::now() + meeting.deadline;
  const int self = meeting.process, size = meeting.processes;
  Card own;
  own.devices = meeting.devices;
  own.secret = new_secret();
  own.machine = machine_of_this_process();
  const Socket listener = listen_anywhere(own.port);
  own.addresses =
      meeting.address.empty() ? addresses_of_this_machine() : std::vector<std::string>{meeting.address};
  store.put(key_of(number, self), own.text());
  std::vector<Card> cards;
  for (int p = 0; p < size; ++p)
    try {
      cards.push_back(p == self ? own : read_card(store.get(key_of(number, p), left(end)), p));
    } catch (const Failure &failure) {
      throw Failure{failure.code, "process " + std::to_string(self) + " waits for process " +
                                      std::to_string(p) + " of " + std::to_string(size) +
                                      ", which has not come: " + failure.message};
    }
  std::vector<Process> all(static_cast<size_t>(size));
  for (int p = 0; p < size; ++p) {
    Process &process = all[static_cast<size_t>(p)];
    process.devices = cards[static_cast<size_t>(p)].devices;
    process.name = "process " + std::to_string(p) + " (" + cards[static_cast<size_t>(p)].place() + ")";
    if (p < self)
      process.socket = connect_to(cards[static_cast<size_t>(p)], own.machine, self, p, end);
  }
  for (int missing = size - 1 - self; missing > 0;) {
    auto [p, socket] = accept_one(listener.fd(), own, self, end);
    if (p > self && p < size && all[static_cast<size_t>(p)].socket.fd() < 0) {
      all[static_cast<size_t>(p)].socket = std::move(socket);
      --missing;
    } else if (Clock::now() >= end) {
      std::string names;
      for (int other = self + 1; other < size; ++other)
        if (all[static_cast<size_t>(other)].socket.fd() < 0)
          names += (names.empty() ? "" : ", ") + all[static_cast<size_t>(other)].name;
      throw Failure{abi::Code::unavailable,
                    "process " + std::to_string(self) + " (" + own.place() + ") was not connected to by " +
                        names +
                        "; TW_PJRT_ADDRESS of this process, or option address, says where others reach it"};
    }
  }
  return all;
}

} // namespace tw::pjrt
