// SPDX-License-Identifier: Apache-2.0
// The ten functions of NVRTC's C interface that compiling takes.
#include "kernels/generated/nvrtc.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace tw::kernels::generated {

namespace {

// As nvrtc.h has them.
using Program = void *;
using NvrtcStatus = int; // 0: success

constexpr const char *kNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

std::vector<std::string> candidates() {
  const char *where = std::getenv("TW_NVRTC");
  if (where == nullptr || *where == '\0')
    return {std::begin(kNames), std::end(kNames)};
  if (!std::filesystem::is_directory(where))
    return {where};
  std::vector<std::string> found;
  for (const char *name : kNames)
    found.push_back((std::filesystem::path(where) / name).string());
  return found;
}

// Destroys a program that was made.
class Made {
public:
  Made(Program program, NvrtcStatus (*destroy)(Program *)) : program_(program), destroy_(destroy) {}
  Made(const Made &) = delete;
  Made &operator=(const Made &) = delete;
  ~Made() { destroy_(&program_); }

private:
  Program program_;
  NvrtcStatus (*destroy_)(Program *);
};

} // namespace

Result<Nvrtc> Nvrtc::open() {
  std::string tried;
  for (const std::string &name : candidates()) {
    auto library = DynLib::open(name);
    if (!library) {
      tried += fmt::format("{}{}", tried.empty() ? "" : "; ", library.error().message());
      continue;
    }
    Nvrtc nvrtc(std::move(*library));
    TW_ASSIGN(auto *version, nvrtc.library_.get<NvrtcStatus(int *, int *)>("nvrtcVersion"));
    int major = 0, minor = 0;
    version(&major, &minor);
    nvrtc.version_ = fmt::format("{}.{}", major, minor);
    return nvrtc;
  }
  return fail(Code::unavailable, "TW-001",
              fmt::format("NVRTC was not found: {}. Set TW_NVRTC to the library or its folder", tried));
}

std::vector<std::string> Nvrtc::options() { return {"--std=c++17", "--fmad=false"}; }

Result<std::string> Nvrtc::compile(const std::string &file, const std::string &architecture) const {
  TW_ASSIGN(auto *create,
            library_.get<NvrtcStatus(Program *, const char *, const char *, int, const char *const *,
                                     const char *const *)>("nvrtcCreateProgram"));
  TW_ASSIGN(auto *destroy, library_.get<NvrtcStatus(Program *)>("nvrtcDestroyProgram"));
  TW_ASSIGN(auto *compile,
            library_.get<NvrtcStatus(Program, int, const char *const *)>("nvrtcCompileProgram"));
  TW_ASSIGN(auto *log_size, library_.get<NvrtcStatus(Program, size_t *)>("nvrtcGetProgramLogSize"));
  TW_ASSIGN(auto *log, library_.get<NvrtcStatus(Program, char *)>("nvrtcGetProgramLog"));
  TW_ASSIGN(auto *binary_size, library_.get<NvrtcStatus(Program, size_t *)>("nvrtcGetCUBINSize"));
  TW_ASSIGN(auto *binary, library_.get<NvrtcStatus(Program, char *)>("nvrtcGetCUBIN"));
  TW_ASSIGN(auto *error_text, library_.get<const char *(NvrtcStatus)>("nvrtcGetErrorString"));
  Program program = nullptr;
  if (const NvrtcStatus made = create(&program, file.c_str(), "generated.cu", 0, nullptr, nullptr); made != 0)
    return fail(Code::internal, "TW-261",
                fmt::format("NVRTC {} makes no program: {}", version_, error_text(made)));
  const Made owner(program, destroy);
  std::vector<std::string> options = Nvrtc::options();
  options.push_back("--gpu-architecture=" + architecture);
  std::vector<const char *> pointers;
  for (const std::string &option : options)
    pointers.push_back(option.c_str());
  if (const NvrtcStatus done = compile(program, static_cast<int>(pointers.size()), pointers.data());
      done != 0) {
    size_t size = 0;
    log_size(program, &size);
    std::string messages(size, '\0');
    log(program, messages.data());
    return fail(
        Code::internal, "TW-261",
        fmt::format("NVRTC {} for {}: {}\n{}", version_, architecture, error_text(done), messages.c_str()));
  }
  size_t size = 0;
  binary_size(program, &size);
  std::string made(size, '\0');
  if (size == 0 || binary(program, made.data()) != 0)
    return fail(Code::internal, "TW-261",
                fmt::format("NVRTC {} gives no binary for {}; name an architecture such as sm_90", version_,
                            architecture));
  return made;
}

} // namespace tw::kernels::generated
