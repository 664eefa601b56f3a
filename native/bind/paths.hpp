// PathsOwner: the paths of an ensemble with the arrays they were made from, as the bindings of explanations take them.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::bind {

struct PathsOwner {
    model::Ensemble ensemble;
    explain::Paths paths;
};

// Feature numbers from Python, a row per table: in range, at least one each.
inline std::span<const std::int32_t> checked_features(const PathsOwner& owner, const Array2<std::int32_t>& features) {
    const auto exists = [&](std::int32_t f) {
        return f >= 0 && static_cast<std::size_t>(f) < owner.ensemble.n_features();
    };
    if (!std::ranges::all_of(view(features), exists)) throw nanobind::value_error("a feature does not exist");
    if (features.shape(1) == 0) throw nanobind::value_error("a table needs at least one feature");
    return view(features);
}

}  // namespace glasswood::bind
