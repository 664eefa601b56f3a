#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "glasswood/base/cpu_count.hpp"
#include "glasswood/base/crew.hpp"
#include "glasswood/base/interrupt.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/region_trial.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

std::vector<std::size_t> trial(std::size_t n_chunks, int n_threads, double expected, double taken, std::int64_t failing,
                               std::size_t nested) {
    nb::gil_scoped_release release;
    return base::try_region({n_chunks, n_threads, expected, taken, failing, nested});
}

}  // namespace

void bind_threads(nb::module_& m) {
    m.def("usable_threads", &base::usable_threads, "n_threads"_a,
          "Threads a kernel will use when asked for n_threads: not more than there are CPUs for this process.");
    m.def("available_cpus", &base::available_cpus,
          "CPUs this process may use at once, by its scheduler's mask and the quota of its control group.");
    m.def("cpu_quota", &base::cpu_quota, "membership"_a, "root"_a,
          "CPUs' worth of time that the control groups of a membership file allow; infinite without a quota.");
    m.def("pretend_cpus", &base::pretend_cpus, "n_cpus"_a,
          "Let kernels use so many CPUs instead of those available, 0 for the latter; returns the number before.");
    m.def(
        "wake_cost", [] { return base::Crew::here().wake_cost(); },
        "Nanoseconds between the call for a sleeping thread and its getting up, lately.");
    m.def("try_region", &trial, "n_chunks"_a, "n_threads"_a, "expected"_a, "taken"_a, "failing"_a = -1, "nested"_a = 0,
          "Run a region whose chunks only pass time: `expected` nanoseconds in all by estimate, `taken` each in truth. "
          "Chunk `failing` throws; with `nested`, each chunk opens a region of so many chunks. Returns the thread that "
          "took each chunk, numbered as they came, the caller's is 0.");
    m.def("press_at_check", &base::press_at_check, "number"_a,
          "For tests: press Ctrl-C when kernels have asked so many times whether to go on, from now; 0: never.");
}

}  // namespace glasswood::bind
