// SPDX-License-Identifier: Apache-2.0
// The double of the CUDA driver: modules and their kernels. An image is the text "double", whose kernels are
// those that a test added, or a shared object that the double of NVRTC made, or the plug-in's own assembly,
// whose one kernel writes a word.
#include "cuda/driver_state.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

struct CUmod_st {
  void *library = nullptr;
  std::mutex mutex; // of kernels that run, and of the next
  std::map<std::string, std::unique_ptr<tw::driver_double::Kernel>> kernels;
  ~CUmod_st() {
    if (library != nullptr)
      dlclose(library);
  }
};

namespace tw::driver_double {
namespace {

template <class Function> Function *symbol(void *library, const std::string &name) {
  return reinterpret_cast<Function *>(dlsym(library, name.c_str()));
}

// The section headers are the last thing in a shared object.
size_t size_of(const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + size_t{header.e_shentsize} * header.e_shnum;
}

void *open_image(const void *image) {
  // By a name that no other has: the loader takes one name for one library.
  std::string path = (std::filesystem::temp_directory_path() / "tw_module_XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0)
    return nullptr;
  const auto *from = static_cast<const char *>(image);
  for (size_t left = size_of(image); left > 0;) {
    const ssize_t written = write(file, from, left);
    if (written <= 0)
      break;
    from += written;
    left -= static_cast<size_t>(written);
  }
  close(file);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    std::fprintf(stderr, "the double of the driver: %s\n", dlerror());
  unlink(path.c_str());
  return library;
}

// What its functions such as exp are, the library knows that made the image.
bool set_functions(void *library) {
  const char *compiler = std::getenv("TW_NVRTC");
  void *const made_by = compiler != nullptr ? dlopen(compiler, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (made_by == nullptr)
    return false;
  auto *set = symbol<void(void *)>(made_by, "tw_double_set_functions");
  auto *functions = symbol<void *()>(library, "tw_shim_functions");
  if (set == nullptr || functions == nullptr)
    return false;
  set(functions());
  return true; // it stays open
}

void write_word(const uint32_t *, const uint32_t *, void **arguments) {
  uint32_t *word = nullptr, value = 0;
  std::memcpy(&word, arguments[0], sizeof word);
  std::memcpy(&value, arguments[1], sizeof value);
  *static_cast<volatile uint32_t *>(word) = value;
}

} // namespace
} // namespace tw::driver_double

using namespace tw::driver_double;

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  if (const CUresult code = begin_unsafe(); code != CUDA_SUCCESS)
    return code;
  auto made = std::make_unique<CUmod_st>();
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    made->library = open_image(image);
    if (made->library == nullptr || !set_functions(made->library))
      return CUDA_ERROR_INVALID_IMAGE;
  } else if (std::strstr(static_cast<const char *>(image), ".entry tw_mark(") != nullptr) {
    const std::lock_guard lock(state().mutex);
    if (auto &mark = state().kernels["tw_mark"]; mark == nullptr) // other GPUs' streams may run it
      mark = std::make_unique<Kernel>(Kernel{"tw_mark", write_word, {sizeof(uint32_t *), sizeof(uint32_t)}});
  } else if (std::strcmp(static_cast<const char *>(image), "double") != 0) {
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *module = made.release();
  ++state().alive;
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  delete module;
  --state().alive;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (module->library == nullptr) {
    const std::lock_guard lock(state().mutex);
    const auto found = state().kernels.find(name);
    if (found == state().kernels.end())
      return CUDA_ERROR_NOT_FOUND;
    *function = reinterpret_cast<CUfunction>(found->second.get());
    return CUDA_SUCCESS;
  }
  const std::string called = name;
  const auto *count = symbol<const unsigned long>(module->library, called + "_count");
  auto *launch =
      symbol<void(const unsigned long long *, unsigned, unsigned)>(module->library, called + "_launch");
  if (count == nullptr || launch == nullptr)
    return CUDA_ERROR_NOT_FOUND;
  const std::lock_guard lock(module->mutex);
  auto &kernel = module->kernels[called];
  if (kernel == nullptr)
    kernel = std::make_unique<Kernel>(
        Kernel{called, nullptr, {*count * sizeof(unsigned long long)}, launch, &module->mutex});
  *function = reinterpret_cast<CUfunction>(kernel.get());
  return CUDA_SUCCESS;
}

namespace {

// Addresses of device memory become those where the host finds it.
void run_generated(const Kernel &kernel, std::vector<char> &words, unsigned blocks, unsigned threads) {
  std::vector<unsigned long long> own(words.size() / sizeof(unsigned long long));
  std::memcpy(own.data(), words.data(), words.size());
  for (unsigned long long &word : own)
    word = reinterpret_cast<unsigned long long>(tw_double_alias(reinterpret_cast<void *>(word)));
  const std::lock_guard lock(*kernel.one_at_a_time);
  kernel.launch(own.data(), blocks, threads);
}

} // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                        unsigned tz, unsigned, CUstream stream, void **arguments, void **) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (bx == 0 || by == 0 || bz == 0 || tx == 0 || ty == 0 || tz == 0 || bx > 0x7fffffffu ||
      tx * ty * tz > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  const auto *kernel = reinterpret_cast<const Kernel *>(function);
  std::vector<std::vector<char>> copies;
  for (size_t i = 0; i < kernel->argument_bytes.size(); ++i) {
    const char *from = static_cast<const char *>(arguments[i]);
    copies.emplace_back(from, from + kernel->argument_bytes[i]);
  }
  return enqueue(stream, [=]() mutable {
    if (kernel->launch != nullptr)
      return run_generated(*kernel, copies[0], bx, tx);
    const uint32_t blocks[3] = {bx, by, bz}, threads[3] = {tx, ty, tz};
    std::vector<void *> given;
    for (std::vector<char> &copy : copies)
      given.push_back(copy.data());
    kernel->run(blocks, threads, given.data());
  });
}
