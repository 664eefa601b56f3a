// What the bindings of explanations share: the paths of an ensemble, rows encoded on their axes, and the checks of
// both.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "glasswood/explain/cell_codes.hpp"
#include "glasswood/explain/leaf_paths.hpp"
#include "glasswood/explain/shares.hpp"
#include "glasswood/model/ensemble.hpp"

namespace glasswood::bind {

// The paths with the arrays they were made from.
struct PathsOwner {
    model::Ensemble ensemble;
    explain::Paths paths;
};

// Feature numbers from Python, a row per table: in range, at least one each.
inline std::span<const std::int32_t> checked_features(const PathsOwner& owner, const Array2<std::int32_t>& features) {
    check_features(view(features), owner.ensemble.n_features());
    if (features.shape(1) == 0) throw nanobind::value_error("a table needs at least one feature");
    return view(features);
}

// Encoded rows with the paths whose axes they are encoded on.
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

// Roles as Python gives them: one small integer per feature.
inline std::vector<explain::Role> checked_roles(const PathsOwner& owner, const Array1<std::uint8_t>& role, int order) {
    check_size(role.size(), owner.ensemble.n_features(), "role");
    if (order < 0 || order > 2) throw nanobind::value_error("order must be 0, 1 or 2");
    const auto given = view(role);
    if (std::ranges::any_of(given, [](std::uint8_t r) { return r > 2; }))
        throw nanobind::value_error("a role must be 0, 1 or 2");
    std::vector<explain::Role> roles(given.size());
    std::ranges::transform(given, roles.begin(), [](std::uint8_t r) { return static_cast<explain::Role>(r); });
    return roles;
}

// Trees [first, last); no last means all that follow.
inline explain::TreeRange checked_trees(const PathsOwner& owner, std::size_t first, std::optional<std::size_t> last) {
    const explain::TreeRange trees{first, last.value_or(owner.paths.n_trees())};
    if (trees.first > trees.last || trees.last > owner.paths.n_trees())
        throw nanobind::value_error("there are fewer trees");
    return trees;
}

inline void check_shares(const PathsOwner& owner, const explain::LeafShares& shares) {
    if (shares.paths != &owner.paths) throw nanobind::value_error("the shares are of other paths");
}

}  // namespace glasswood::bind
