// SPDX-License-Identifier: Apache-2.0
// A kernel around one routine of LAPACK. The batch is cut into parts by its size alone.
#include "kernels/lapack/calls.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "kernels/cpu/copy.hpp"
#include "kernels/lapack/library.hpp"
#include "kernels/lapack/routines.hpp"

namespace tw::kernels::lapack {
namespace {

using graph::DType;
using ops::LapackCall;

constexpr double kFlopsOfPart = 1e6;

size_t index_of(DType dtype) {
  return dtype == DType::f32 ? 0 : dtype == DType::f64 ? 1 : dtype == DType::c64 ? 2 : 3;
}

// An array of one matrix.
struct Part {
  DType dtype = DType::invalid;
  int64_t rows = 1, columns = 1, element = 0;
  cpu::CopyPlan to_columns, to_rows; // between arrays, row by row, and LAPACK's matrices, column by column
  int64_t bytes() const { return rows * columns * element; }
};

// Of a matrix by columns, of which a routine may read one triangle only ('L' or 'U').
bool is_finite(const void *data, const Part &part, char triangle) {
  const bool is_double = part.dtype == DType::f64 || part.dtype == DType::c128;
  const int64_t each = part.element / (is_double ? 8 : 4);
  const auto all = [&](const auto *numbers) {
    for (int64_t j = 0; j < part.columns; ++j) {
      const int64_t begin = triangle == 'L' ? j : 0, end = triangle == 'U' ? j + 1 : part.rows;
      const auto *column = numbers + j * part.rows * each;
      if (!std::all_of(column + begin * each, column + end * each, [](auto x) { return std::isfinite(x); }))
        return false;
    }
    return true;
  };
  return is_double ? all(static_cast<const double *>(data)) : all(static_cast<const float *>(data));
}

void fill_with_nan(void *data, const Part &part) {
  const bool is_double = part.dtype == DType::f64 || part.dtype == DType::c128;
  if (part.dtype == DType::s32)
    std::memset(data, 0, static_cast<size_t>(part.bytes()));
  else if (is_double)
    std::fill_n(static_cast<double *>(data), part.bytes() / 8, std::numeric_limits<double>::quiet_NaN());
  else
    std::fill_n(static_cast<float *>(data), part.bytes() / 4, std::numeric_limits<float>::quiet_NaN());
}

class Lapack final : public Kernel {
public:
  Lapack(LapackCall call, const Request &r, void *routine)
      : call_(std::move(call)), routine_(routine_of(call_.routine)), name_("lapack:" + call_.symbol) {
    name_.pop_back();
    job_.routine = routine;
    for (size_t v = 0; v < call_.arrays.size(); ++v) {
      const auto &tile = v < r.operands.size() ? r.operands[v] : r.results[v - r.operands.size()];
      Part &part = parts_.emplace_back();
      part.dtype = tile.dtype;
      part.element = static_cast<int64_t>(graph::byte_size(tile.dtype));
      const std::string_view array = call_.arrays[v];
      if (array.size() > 1)
        part.rows = call_.size(array[1]);
      if (array.size() > 2)
        part.columns = call_.size(array[2]);
      const int64_t extent[] = {part.rows, part.columns}, by_rows[] = {part.columns, 1},
                    by_columns[] = {1, part.rows};
      part.to_columns = {extent, by_rows, by_columns, part.element, cpu::CopyPlan::Stream::never};
      part.to_rows = {extent, by_columns, by_rows, part.element, cpu::CopyPlan::Stream::never};
    }
    for (size_t d = 0; d < call_.batch_rank; ++d)
      matrices_ *= r.operands[0].extent[d];
    const double each = std::max(call_.flops(), 1.0);
    parts_of_batch_ =
        std::clamp<int64_t>(static_cast<int64_t>(static_cast<double>(matrices_) * each / kFlopsOfPart), 1,
                            std::max<int64_t>(matrices_, 1));
    find_workspace();
    lay_out();
  }

  const char *name() const override { return name_.c_str(); }
  int64_t parts() const override { return parts_of_batch_; }
  int64_t scratch_bytes() const override { return scratch_bytes_; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    Job job = job_;
    job.call = &call_;
    auto *memory = static_cast<std::byte *>(scratch);
    for (size_t v = 0; v < parts_.size(); ++v)
      job.arrays[v] = memory + offsets_[v];
    job.work = memory + work_;
    job.rwork = memory + rwork_;
    job.iwork = reinterpret_cast<int *>(memory + iwork_);
    job.own = memory + own_;
    for (int64_t i = matrices_ * part / parts_of_batch_; i < matrices_ * (part + 1) / parts_of_batch_; ++i)
      run_matrix(job, i, operands, results);
    return {};
  }

private:
  size_t num_operands() const { return call_.num_operands; }

  void run_matrix(const Job &job, int64_t i, std::span<const void *const> operands,
                  std::span<void *const> results) const {
    const auto at = [&](size_t v) { return parts_[v].bytes() * i; };
    for (size_t v = 0; v < operands.size(); ++v)
      parts_[v].to_columns.run(static_cast<const std::byte *>(operands[v]) + at(v), job.arrays[v]);
    // What a routine leaves alone, such as vectors that nobody asked for, has the same bits in each run.
    for (size_t v = operands.size(); v < parts_.size(); ++v)
      if (routine_.begins_as[v - operands.size()] == '-')
        std::memset(job.arrays[v], 0, static_cast<size_t>(parts_[v].bytes()));
    int info = -4;
    if (!routine_.needs_finite ||
        is_finite(job.arrays[0], parts_[0], static_cast<char>(call_.attribute("uplo")))) {
      info = routine_.run[index_of(call_.dtype)](job);
    } else {
      for (size_t v = operands.size(); v < parts_.size(); ++v)
        fill_with_nan(job.arrays[v], parts_[v]);
    }
    if (call_.arrays.back() == "I")
      std::memcpy(job.arrays[parts_.size() - 1], &info, sizeof info);
    for (size_t v = operands.size(); v < parts_.size(); ++v)
      parts_[v].to_rows.run(job.arrays[v], static_cast<std::byte *>(results[v - operands.size()]) + at(v));
  }

  void find_workspace() {
    Workspace &size = job_.size;
    size = routine_.workspace(call_);
    if (!routine_.asks_for_work)
      return;
    std::complex<double> answer{}; // of any element type
    Job job = job_;
    job.call = &call_;
    job.size.work = -1;
    std::byte nothing[16] = {};
    job.arrays.fill(nothing);
    job.rwork = job.own = nothing;
    int no_integer[4] = {};
    job.iwork = no_integer;
    job.work = &answer;
    routine_.run[index_of(call_.dtype)](job);
    double wanted = 0;
    if (call_.dtype == DType::f32 || call_.dtype == DType::c64) {
      float single = 0;
      std::memcpy(&single, &answer, sizeof single);
      wanted = std::nextafter(single, std::numeric_limits<float>::infinity()); // it was rounded
    } else {
      wanted = answer.real();
    }
    size.work =
        std::clamp<int64_t>(static_cast<int64_t>(std::ceil(wanted)), 1, std::numeric_limits<int32_t>::max());
  }

  // Where each array and each kind of memory lies in the scratch of a part.
  void lay_out() {
    const auto take = [&](int64_t bytes) {
      const int64_t begin = scratch_bytes_;
      scratch_bytes_ += aligned(std::max<int64_t>(bytes, 1));
      return begin;
    };
    for (size_t v = 0; v < parts_.size(); ++v) {
      const char from = v < num_operands() ? '-' : routine_.begins_as[v - num_operands()];
      offsets_.push_back(from == '-' ? take(parts_[v].bytes()) : offsets_[static_cast<size_t>(from - '0')]);
    }
    const auto element = static_cast<int64_t>(graph::byte_size(call_.dtype));
    const int64_t real = call_.is_complex() ? element / 2 : element;
    work_ = take(job_.size.work * element);
    rwork_ = take(job_.size.rwork * real);
    iwork_ = take(job_.size.iwork * static_cast<int64_t>(sizeof(int)));
    own_ = take(job_.size.own * element);
  }

  LapackCall call_;
  const Routine &routine_;
  std::string name_;
  Job job_;
  std::vector<Part> parts_; // of operands, then of results
  std::vector<int64_t> offsets_;
  int64_t work_ = 0, rwork_ = 0, iwork_ = 0, own_ = 0, scratch_bytes_ = 0;
  int64_t matrices_ = 1, parts_of_batch_ = 1;
};

// A rule that the program states may cut what must be whole.
Status check_tiles(const LapackCall &call, const Request &r) {
  for (size_t v = 0; v < call.arrays.size(); ++v) {
    const bool is_operand = v < r.operands.size();
    const Tile &tile = is_operand ? r.operands[v] : r.results[v - r.operands.size()];
    for (size_t d = 0; d < tile.extent.size(); ++d) {
      const int64_t wanted = d < call.batch_rank ? r.operands[0].extent[d] : tile.global[d];
      if (tile.extent[d] != wanted)
        return fail(
            Code::invalid_argument, "TW-230",
            fmt::format("dimension {} of {} {} is {} on a device, expected {}: a rule for this call must "
                        "split its batch everywhere alike, and leave its matrices whole",
                        d, is_operand ? "operand" : "result", is_operand ? v : v - r.operands.size(),
                        tile.extent[d], wanted));
    }
  }
  return {};
}

Result<std::unique_ptr<Kernel>> bind(const Request &r) {
  auto call = ops::read_lapack_call(r.op);
  if (!call) {
    call.error().info().message = fmt::format("{}: {}", called(r.def, r.op), call.error().message());
    return tl::unexpected<Error>(std::move(call.error()));
  }
  if (auto tiles = check_tiles(*call, r); !tiles) {
    tiles.error().info().message = fmt::format("{}: {}", called(r.def, r.op), tiles.error().message());
    return tl::unexpected<Error>(std::move(tiles.error()));
  }
  Result<void *> routine = nullptr;
  if (routine_of(call->routine).is_in_library)
    routine = find_routine(call->symbol);
  if (!routine) {
    routine.error().info().message = fmt::format("{} {}", called(r.def, r.op), routine.error().message());
    return tl::unexpected<Error>(std::move(routine.error()));
  }
  return std::make_unique<Lapack>(std::move(*call), r, *routine);
}

} // namespace

const Routine &routine_of(ops::LapackRoutine routine) {
  using enum ops::LapackRoutine;
  switch (routine) {
  case potrf:
  case trsm:
  case getrf:
  case geqrf:
  case geqp3:
  case orgqr:
  case ormqr:
  case gtsv: return factor_routine(routine);
  case tridiagonal_solve_perturbed: return perturbed_routine();
  default: return eigen_routine(routine);
  }
}

const CustomCall *find_call(const ops::OpView &call) {
  static const CustomCall known{"lapack", {}, {}, bind};
  return ops::is_lapack_call(call) ? &known : nullptr;
}

} // namespace tw::kernels::lapack
