// SPDX-License-Identifier: Apache-2.0
// The streams in which groups run: a test's own, or those of the double of the CUDA driver.
#include <utility>

#include "support/nccl_double/clique.hpp"

namespace tw::nccl_double {
namespace {

// What the driver's double has for other doubles (cuda/driver_double.hpp).
struct Driver {
  void (*enqueue)(void *stream, void (*run)(void *), void (*release)(void *), void *user) = nullptr;
  void *(*alias)(const void *memory) = nullptr;
  int (*current_gpu)() = nullptr;
  int (*gpu_of)(void *stream) = nullptr;
};

const Driver *driver() {
  static const Driver *const found = []() -> const Driver * {
    const char *path = std::getenv("TW_CUDA_DRIVER");
    void *library = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (library == nullptr)
      return nullptr;
    static Driver made;
    const auto get = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return get(made.enqueue, "tw_double_enqueue_again") && get(made.alias, "tw_double_alias") &&
                   get(made.current_gpu, "tw_double_current_gpu") && get(made.gpu_of, "tw_double_gpu_of")
               ? &made
               : nullptr;
  }();
  return found;
}

} // namespace

void put(void *stream, std::function<void()> command) {
  using Command = std::function<void()>;
  if (driver() == nullptr)
    return static_cast<Stream *>(stream)->push(std::move(command));
  driver()->enqueue(
      stream, [](void *user) { (*static_cast<Command *>(user))(); },
      [](void *user) { delete static_cast<Command *>(user); }, new Command(std::move(command)));
}

void *found_at(const void *memory) {
  return driver() != nullptr ? driver()->alias(memory) : const_cast<void *>(memory);
}

bool has_gpus() { return driver() != nullptr; }
int current_gpu() { return driver()->current_gpu(); }
int gpu_of(void *stream) { return driver()->gpu_of(stream); }

} // namespace tw::nccl_double
