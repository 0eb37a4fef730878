// SPDX-License-Identifier: Apache-2.0
// How processes find each other: each listens, tells in the store where, and then has a connection to every
// other one.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pjrt/store.hpp"

namespace tw::pjrt {

// An open socket, closed by its owner.
class Socket {
public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket &&other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Socket &operator=(Socket &&other) noexcept;
  ~Socket();
  int fd() const { return fd_; }

private:
  int fd_ = -1;
};

// A process as all know it.
struct Process {
  int devices = 0;
  std::string name; // "process 1 (10.0.0.5:40000)"
  Socket socket;    // to it; none to this process
};

struct Meeting {
  int process = 0, processes = 1; // this one, of all
  int devices = 1;                // that this process has
  std::string address;            // where others reach it; "": on every network of the machine
  std::chrono::milliseconds deadline{};
};

// All processes, once this one is connected to each of them. All call, as often as each other: `number`
// counts their meetings in this store. A Failure says who did not come.
std::vector<Process> meet(const Store &store, const Meeting &meeting, int number);

} // namespace tw::pjrt
