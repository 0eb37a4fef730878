// SPDX-License-Identifier: Apache-2.0
// Who is still there when somebody has waited too long. Whom a process waits for may itself wait for another,
// so it asks all; every process that waits, or looks for remote_errors between its steps, answers. One thread
// at a time calls.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comm/remote/transport.hpp"

namespace tw::comm {

class RollCall {
public:
  static constexpr int32_t kTags = 2;

  // Hears questions from now on. Where messages cannot be prepared nobody answers, and nobody is asked.
  RollCall(Transport &transport, int32_t first_tag);
  ~RollCall();
  RollCall(const RollCall &) = delete;

  void answer(); // questions that have come; does not wait
  void ask();    // everybody, once
  // Those that have not answered since; all where none was asked.
  std::vector<int64_t> silent();

private:
  struct Peer {
    int64_t rank;
    std::unique_ptr<Batch> question_in, answer_out, question_out, answer_in;
    bool answers = false, asked = false, answered = false; // what is under way, or has come
  };
  Status prepare(Transport &transport, int32_t first_tag);
  static bool is_through(Batch &batch);

  std::unique_ptr<std::byte[]> word_; // nothing is said
  std::vector<Peer> peers_;
};

} // namespace tw::comm
