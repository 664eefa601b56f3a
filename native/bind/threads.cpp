#include "glasswood/interrupt.hpp"
#include "glasswood/parallel.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {

void bind_threads(nb::module_& m) {
    m.def("usable_threads", &usable_threads, "n_threads"_a,
          "Threads a kernel will use when asked for n_threads: 1 in a forked child.");
    m.def("press_at_check", &press_at_check, "number"_a,
          "For tests: press Ctrl-C when kernels have asked so many times whether to go on, from now; 0: never.");
}

}  // namespace glasswood
