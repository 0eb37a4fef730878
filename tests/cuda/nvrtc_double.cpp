// SPDX-License-Identifier: Apache-2.0
// A double of NVRTC: the functions that we call, in a library that is opened in its place. Its binary is a
// shared object, which the host's compiler makes of the source and tests/support/device_shim.hpp, and which
// the double of the driver loads. Functions such as exp in it are the host's blocks. The prelude, which all
// files have, is compiled once for all processes.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include <unistd.h>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "kernels/generated/prelude.hpp"
#include "ops/element.hpp"
#include "support/scalar_interpreter.hpp"

#define TW_EXPORT extern "C" __attribute__((visibility("default")))

namespace tw::nvrtc_double {
namespace {

namespace fs = std::filesystem;

struct Program {
  std::string text, binary, log;
};

enum Status : int { kSuccess = 0, kCompilation = 6, kInternal = 11 };

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string contents(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string shim() { return environment("TW_SOURCE_ROOT") + "/tests/support/device_shim.hpp"; }

// What a binary depends on besides the source.
uint64_t identity() {
  static const uint64_t hash = [] {
    const std::string all = contents(shim()) + kernels::generated::prelude() + environment("TW_CXX");
    return hash_bytes(all.data(), all.size());
  }();
  return hash;
}

std::string command(const std::string &rest, const fs::path &log) {
  return fmt::format("{} -std=c++17 -O0 -w -fPIC -ffp-contract=off {} > {} 2>&1", environment("TW_CXX"), rest,
                     log.string());
}

// The prelude behind the shim, and beside it what the compiler has made of both. Other processes find all of
// it or nothing.
const fs::path &header() {
  static const fs::path made = [] {
    const std::string kept = environment("TW_KERNEL_CACHE");
    const fs::path folder = (kept.empty() ? fs::temp_directory_path() : fs::path(kept)) /
                            fmt::format("prelude_{:016x}_{}", identity(), getuid());
    const fs::path header = folder / "prelude.hpp";
    if (fs::exists(folder / "prelude.hpp.gch"))
      return header;
    const std::string own = fmt::format(".{}", getpid());
    fs::create_directories(folder);
    std::ofstream(header.string() + own) << "#include \"" << shim() << "\"\n"
                                         << kernels::generated::prelude();
    fs::rename(header.string() + own, header);
    const fs::path part = folder / ("part" + own);
    if (std::system(command(fmt::format("-x c++-header -o {} {}", part.string(), header.string()),
                            folder / ("log" + own))
                        .c_str()) == 0)
      fs::rename(part, folder / "prelude.hpp.gch");
    return header;
  }();
  return made;
}

Status compile(Program &program) {
  const std::string prelude = kernels::generated::prelude();
  if (program.text.compare(0, prelude.size(), prelude) != 0) {
    program.log = "the file does not begin with the prelude";
    return kCompilation;
  }
  std::string folder = (fs::temp_directory_path() / "tw_nvrtc_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return kInternal;
  const fs::path source = folder + "/source.cpp", object = folder + "/module.so", log = folder + "/log";
  std::ofstream(source) << program.text.substr(prelude.size());
  const int code = std::system(command(fmt::format("-shared -include {} -o {} {}", header().string(),
                                                   object.string(), source.string()),
                                       log)
                                   .c_str());
  if (code == 0)
    program.binary = contents(object);
  program.log = contents(log);
  fs::remove_all(folder);
  return code == 0 ? kSuccess : kCompilation;
}

// As device_shim.hpp has it.
struct ShimFunction {
  const char *op, *result, *argument;
  int arguments;
  kernels::BlockFn block;
  ShimFunction *next;
};

graph::DType type_named(std::string_view name) {
  for (int t = 0; t < static_cast<int>(graph::DType::count_); ++t)
    if (const auto dtype = static_cast<graph::DType>(t); ops::kAll.has(dtype))
      if (kernels::generated::type_name(dtype) == name)
        return dtype;
  return graph::DType::invalid;
}

} // namespace
} // namespace tw::nvrtc_double

using namespace tw::nvrtc_double;

TW_EXPORT int nvrtcVersion(int *major, int *minor) {
  *major = 99;
  *minor =
      static_cast<int>(identity() & 0x7fffffff); // so that no binary of another shim is found in a folder
  return kSuccess;
}
TW_EXPORT const char *nvrtcGetErrorString(int code) {
  return code == kSuccess       ? "success"
         : code == kCompilation ? "compilation failed"
                                : "an error of the double";
}
TW_EXPORT int nvrtcCreateProgram(Program **program, const char *text, const char *, int, const char *const *,
                                 const char *const *) {
  *program = new Program{text, "", ""};
  return kSuccess;
}
TW_EXPORT int nvrtcDestroyProgram(Program **program) {
  delete *program;
  *program = nullptr;
  return kSuccess;
}
// A text that has the value of TW_DOUBLE_REFUSES in it is refused.
TW_EXPORT int nvrtcCompileProgram(Program *program, int, const char *const *) {
  const std::string refused = environment("TW_DOUBLE_REFUSES");
  if (!refused.empty() && program->text.find(refused) != std::string::npos) {
    program->log = "the text has " + refused;
    return kCompilation;
  }
  return compile(*program);
}
TW_EXPORT int nvrtcGetProgramLogSize(Program *program, size_t *size) {
  *size = program->log.size() + 1;
  return kSuccess;
}
TW_EXPORT int nvrtcGetProgramLog(Program *program, char *log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return kSuccess;
}
TW_EXPORT int nvrtcGetCUBINSize(Program *program, size_t *size) {
  *size = program->binary.size();
  return kSuccess;
}
TW_EXPORT int nvrtcGetCUBIN(Program *program, char *binary) {
  std::memcpy(binary, program->binary.data(), program->binary.size());
  return kSuccess;
}

// Gives the functions of a shared object, a list, what they call.
TW_EXPORT void tw_double_set_functions(ShimFunction *functions) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  for (ShimFunction *f = functions; f != nullptr; f = f->next)
    f->block = tw::host_block(f->op, std::vector(static_cast<size_t>(f->arguments), type_named(f->argument)),
                              type_named(f->result));
}
