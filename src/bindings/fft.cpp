// SPDX-License-Identifier: BSD-3-Clause
// Transforms.
#include <stretto/kernels.h>

#include <algorithm>
#include <stretto/fft.hpp>
#include <string>

#include "bindings/objects.hpp"
#include "bindings/timers.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;
namespace fft = stretto::fft;

struct stretto_fft {
  fft::Plan plan;
  std::string schedule;  // what stretto_fft_settings_of points to
};

namespace {

static_assert(static_cast<int>(stretto::Transport::one_sided) == STRETTO_TRANSPORT_ONE_SIDED &&
              static_cast<int>(stretto::Transport::mpi_rma) == STRETTO_TRANSPORT_MPI_RMA &&
              static_cast<int>(stretto::Transport::two_sided) == STRETTO_TRANSPORT_TWO_SIDED &&
              static_cast<int>(stretto::Transport::alltoall) == STRETTO_TRANSPORT_ALLTOALL);
static_assert(static_cast<int>(fft::Kind::real) == STRETTO_FFT_REAL &&
              static_cast<int>(fft::Order::transposed) == STRETTO_FFT_TRANSPOSED &&
              static_cast<int>(fft::Effort::estimate) == STRETTO_FFT_ESTIMATE);

fft::Plan& plan_of(stretto_fft* plan) { return given(plan, "plan").plan; }
const fft::Plan& plan_of(const stretto_fft* plan) { return given(plan, "plan").plan; }

fft::Settings settings_from(const stretto_fft_settings* given_settings) {
  const stretto_fft_settings& settings = given(given_settings, "settings");
  fft::Settings result;
  std::copy_n(settings.size, 3, result.size.begin());
  result.kind = kernel_enumerator<fft::Kind>(settings.kind, STRETTO_FFT_REAL, "kind");
  result.order = kernel_enumerator<fft::Order>(settings.order, STRETTO_FFT_TRANSPOSED, "order");
  result.transport =
      kernel_enumerator<stretto::Transport>(settings.transport, STRETTO_TRANSPORT_ALLTOALL, "transport");
  if (settings.schedule != nullptr) result.schedule = fft::schedule_from(settings.schedule);
  result.effort = kernel_enumerator<fft::Effort>(settings.effort, STRETTO_FFT_ESTIMATE, "effort");
  result.batch = settings.batch;
  std::copy_n(settings.grid, 2, result.grid.begin());
  return result;
}

stretto_fft_settings settings_to_c(const fft::Settings& settings, const char* schedule) {
  stretto_fft_settings result{.batch = settings.batch,
                              .schedule = schedule,
                              .kind = static_cast<int>(settings.kind),
                              .order = static_cast<int>(settings.order),
                              .transport = static_cast<int>(settings.transport),
                              .effort = static_cast<int>(settings.effort)};
  std::copy_n(settings.size.begin(), 3, result.size);
  std::copy_n(settings.grid.begin(), 2, result.grid);
  return result;
}

/// Calls `make(settings)`. Where a rank refuses its arguments, all do.
int give_plan(stretto_runtime* runtime, const stretto_fft_settings* settings, stretto_fft** plan,
              auto&& make) {
  return guarded([&] {
    fft::Settings requested;
    stretto::onesided::agree(runtime_of(runtime), [&] {
      (void)given(plan, "plan");
      requested = settings_from(settings);
    });
    auto object = std::unique_ptr<stretto_fft>(new stretto_fft{make(requested), {}});
    object->schedule = fft::to_string(object->plan.settings().schedule);
    *plan = object.release();
  });
}

int give_box(const fft::Box& box, size_t first[], size_t count[]) {
  given(first, "first");
  given(count, "count");
  std::copy_n(box.first.begin(), 3, first);
  std::copy_n(box.count.begin(), 3, count);
  return STRETTO_SUCCESS;
}

template <typename T>
std::span<const T> input_of(const void* in, size_t count) {
  return {static_cast<const T*>(given_array(in, count, "in")), count};
}
template <typename T>
std::span<T> output_of(void* out, size_t count) {
  return {static_cast<T*>(given_array(out, count, "out")), count};
}

fft::BeforePlane before_plane(stretto_before_plane before, void* context) {
  if (before == nullptr) return {};
  return [before, context](std::size_t plane) { before(plane, context); };
}

}  // namespace

extern "C" {

int stretto_fft_settings_init(stretto_fft_settings* settings) {
  return give(settings, "settings", [&] { return settings_to_c({}, "slabs"); });
}

int stretto_fft_create(stretto_runtime* runtime, const stretto_fft_settings* settings, stretto_fft** plan) {
  return give_plan(runtime, settings, plan,
                   [&](const fft::Settings& requested) { return fft::Plan(runtime->runtime, requested); });
}

int stretto_fft_create_tuned(stretto_runtime* runtime, const stretto_fft_settings* settings,
                             const char* profile, stretto_fft** plan) {
  return give_plan(runtime, settings, plan, [&](const fft::Settings& requested) {
    return fft::Plan::tuned(runtime->runtime, requested, profile == nullptr ? "" : profile);
  });
}

int stretto_fft_free(stretto_fft** plan) {
  return freed(plan, "plan", [](const stretto_fft&) {});
}

int stretto_fft_settings_of(const stretto_fft* plan, stretto_fft_settings* settings) {
  return give(settings, "settings", [&] {
    const stretto_fft& own = given(plan, "plan");
    return settings_to_c(own.plan.settings(), own.schedule.c_str());
  });
}

int stretto_fft_input(const stretto_fft* plan, size_t first[], size_t count[]) {
  return guarded([&] { give_box(plan_of(plan).input(), first, count); });
}

int stretto_fft_spectrum(const stretto_fft* plan, size_t first[], size_t count[]) {
  return guarded([&] { give_box(plan_of(plan).spectrum(), first, count); });
}

int stretto_fft_forward(stretto_fft* plan, const void* in, size_t in_count, void* out, size_t out_count) {
  return stretto_fft_forward_by_planes(plan, in, in_count, out, out_count, nullptr, nullptr);
}

int stretto_fft_inverse(stretto_fft* plan, const void* in, size_t in_count, void* out, size_t out_count) {
  return stretto_fft_inverse_by_planes(plan, in, in_count, out, out_count, nullptr, nullptr);
}

int stretto_fft_forward_by_planes(stretto_fft* plan, const void* in, size_t in_count, void* out,
                                  size_t out_count, stretto_before_plane before, void* context) {
  return guarded([&] {
    fft::Plan& own = plan_of(plan);
    const std::span<fft::Complex> result = output_of<fft::Complex>(out, out_count);
    if (own.settings().kind == fft::Kind::real) {
      own.forward(input_of<double>(in, in_count), result, before_plane(before, context));
    } else {
      own.forward(input_of<fft::Complex>(in, in_count), result, before_plane(before, context));
    }
  });
}

int stretto_fft_inverse_by_planes(stretto_fft* plan, const void* in, size_t in_count, void* out,
                                  size_t out_count, stretto_before_plane before, void* context) {
  return guarded([&] {
    fft::Plan& own = plan_of(plan);
    const std::span<const fft::Complex> source = input_of<fft::Complex>(in, in_count);
    if (own.settings().kind == fft::Kind::real) {
      own.inverse(source, output_of<double>(out, out_count), before_plane(before, context));
    } else {
      own.inverse(source, output_of<fft::Complex>(out, out_count), before_plane(before, context));
    }
  });
}

int stretto_fft_storage(const stretto_fft* plan, void** address, size_t* count) {
  return guarded([&] {
    void*& begin = given(address, "address");
    std::size_t& numbers = given(count, "count");
    const std::span<fft::Complex> storage = plan_of(plan).storage();
    begin = storage.empty() ? nullptr : storage.data();
    numbers = storage.size();
  });
}

int stretto_fft_memory(const stretto_fft* plan, size_t* copy_bytes, size_t* memory_bytes) {
  return guarded([&] {
    std::size_t& copy = given(copy_bytes, "copy_bytes");
    std::size_t& all = given(memory_bytes, "memory_bytes");
    copy = plan_of(plan).copy_bytes();
    all = plan_of(plan).memory_bytes();
  });
}

int stretto_fft_messages(const stretto_fft* plan, uint64_t* messages) {
  return give(messages, "messages", [&] { return plan_of(plan).messages(); });
}

int stretto_fft_timers(const stretto_fft* plan, stretto_timers* timers) {
  return give(timers, "timers", [&] { return timers_to_c(plan_of(plan).timers()); });
}

int stretto_fft_reset_timers(stretto_fft* plan) {
  return guarded([&] { plan_of(plan).reset_timers(); });
}
}
