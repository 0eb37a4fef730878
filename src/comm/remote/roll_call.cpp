// SPDX-License-Identifier: Apache-2.0
// A byte there and a byte back, on tags of their own.
#include "comm/remote/roll_call.hpp"

#include <utility>

namespace tw::comm {

RollCall::RollCall(Transport &transport, int32_t first_tag) : word_(std::make_unique<std::byte[]>(2)) {
  if (!prepare(transport, first_tag))
    peers_.clear();
}

Status RollCall::prepare(Transport &transport, int32_t first_tag) {
  const auto message = [&](int64_t peer, bool answer, bool sends) {
    const Message one[] = {{peer, first_tag + answer, sends, word_.get() + sends, 1}};
    return transport.prepare(one);
  };
  for (int64_t p = 0; p < transport.size(); ++p) {
    if (p == transport.rank())
      continue;
    Peer peer{p, nullptr, nullptr, nullptr, nullptr};
    TW_ASSIGN(peer.question_in, message(p, false, false));
    TW_ASSIGN(peer.answer_out, message(p, true, true));
    TW_ASSIGN(peer.question_out, message(p, false, true));
    TW_ASSIGN(peer.answer_in, message(p, true, false));
    peers_.push_back(std::move(peer));
  }
  for (Peer &peer : peers_)
    TW_TRY(peer.question_in->start());
  return {};
}

// What was begun and cannot be given up is left to whoever still looks at it.
RollCall::~RollCall() {
  bool over = true;
  for (Peer &peer : peers_)
    for (const auto *batch : {&peer.question_in, &peer.answer_out, &peer.question_out, &peer.answer_in})
      over = (*batch)->give_up() && over;
  if (!over)
    static_cast<void>(word_.release());
}

bool RollCall::is_through(Batch &batch) {
  const Result<bool> through = batch.test();
  return through && *through;
}

void RollCall::answer() {
  for (Peer &peer : peers_) {
    if (peer.answers && is_through(*peer.answer_out))
      peer.answers = false;
    if (!peer.answers && is_through(*peer.question_in))
      peer.answers = peer.answer_out->start() && peer.question_in->start();
  }
}

void RollCall::ask() {
  for (Peer &peer : peers_)
    if (!peer.asked)
      peer.asked = peer.answer_in->start() && peer.question_out->start();
}

std::vector<int64_t> RollCall::silent() {
  std::vector<int64_t> missing;
  for (Peer &peer : peers_) {
    peer.answered = peer.answered || (peer.asked && is_through(*peer.answer_in));
    if (!peer.answered)
      missing.push_back(peer.rank);
  }
  return missing;
}

} // namespace tw::comm
