// SPDX-License-Identifier: Apache-2.0
// A moment's rest inside a loop that waits for another thread.
#pragma once

namespace tw {

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace tw
