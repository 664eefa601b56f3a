#include "glasswood/parallel.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {

void bind_threads(nb::module_& m) {
    m.def("usable_threads", &usable_threads, "n_threads"_a,
          "Threads a kernel will use when asked for n_threads: 1 in a forked child.");
}

}  // namespace glasswood
