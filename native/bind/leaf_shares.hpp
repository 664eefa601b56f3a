// Roles as Python gives them: one small integer per feature.
#pragma once

#include <vector>

#include "glasswood/explain/shares.hpp"
#include "paths.hpp"

namespace glasswood::bind {

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

inline void check_shares(const PathsOwner& owner, const explain::LeafShares& shares) {
    if (shares.paths != &owner.paths) throw nanobind::value_error("the shares are of other paths");
}

}  // namespace glasswood::bind
