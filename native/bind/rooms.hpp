// One registration function per room; each is defined in the file of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace glasswood {

void bind_threads(nanobind::module_& m);

}  // namespace glasswood
