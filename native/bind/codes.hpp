// CodesOwner: encoded rows with the paths whose axes they are encoded on.
#pragma once

#include "glasswood/explain/cell_codes.hpp"
#include "paths.hpp"

namespace glasswood::bind {

struct CodesOwner {
    const PathsOwner& owner;
    explain::Codes codes;
};

inline void check_rows(const CodesOwner& codes, std::size_t first, std::size_t last) {
    if (first > last || last > codes.codes.n_rows()) throw nanobind::value_error("there are fewer rows");
}

inline void check_codes(const explain::Paths& paths, const CodesOwner& codes) {
    if (&codes.owner.paths != &paths) throw nanobind::value_error("the codes are of other paths");
}

inline void check_fixed(const CodesOwner& codes) {
    if (!codes.codes.is_fixed()) throw nanobind::value_error("the weights have no unit yet: call fix first");
}

}  // namespace glasswood::bind
