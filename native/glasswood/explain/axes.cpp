#include "glasswood/explain/axes.hpp"

#include <algorithm>
#include <limits>

#include "glasswood/model/model_thresholds.hpp"

namespace glasswood::explain {
namespace {

// What the splits of one feature say about missing values.
struct Route {
    table::FeatureKind kind = table::FeatureKind::unused;
    std::int32_t first_left = std::numeric_limits<std::int32_t>::max();  // lowest cut where missing goes left
    std::int32_t last_right = -1;                                        // highest cut where it goes right
    bool like_unseen = true;
};

// Without its +inf thresholds: "x <= inf" only separates missing values (scikit-learn's trees have such splits), and no
// value lies in the interval above it.
table::Grid without_infinity(const table::Grid& grid) {
    table::Grid kept;
    kept.start.push_back(0);
    for (std::size_t f = 0; f < grid.n_features(); ++f) {
        for (const double threshold : grid.of(f)) {
            if (threshold < std::numeric_limits<double>::infinity()) kept.thresholds.push_back(threshold);
        }
        kept.start.push_back(static_cast<std::int64_t>(kept.thresholds.size()));
    }
    return kept;
}

}  // namespace

Axes make_axes(const model::Ensemble& e, std::span<const std::uint8_t> missing_routed) {
    Axes axes;
    axes.cut.assign(e.n_nodes(), -1);
    axes.grid = without_infinity(model::make_grid(e, 0, e.n_trees(), &axes.cut));
    std::vector<Route> routes(e.n_features());
    for (std::size_t node = 0; node < e.n_nodes(); ++node) {
        if (e.is_leaf(node)) continue;
        Route& route = routes[e.feature[node]];
        route.kind = e.is_category_split(node) ? table::FeatureKind::category : table::FeatureKind::number;
        if (e.is_category_split(node)) {
            route.like_unseen = route.like_unseen && e.missing_left[node] == e.unseen_left[node];
            continue;
        }
        const std::int32_t cut = axes.cut[node];
        if (e.missing_left[node] != 0) {
            route.first_left = std::min(route.first_left, cut);
        } else {
            route.last_right = std::max(route.last_right, cut);
        }
    }
    for (std::size_t f = 0; f < e.n_features(); ++f) {
        const Route& route = routes[f];
        const bool used = route.kind != table::FeatureKind::unused;
        const bool is_category = route.kind == table::FeatureKind::category;
        const auto n_intervals = static_cast<std::int32_t>(axes.grid.of(f).size()) + 1;
        const std::int32_t regular = !used ? 1 : is_category ? e.n_levels[f] : n_intervals;
        const std::int32_t seen = regular + (is_category ? 1 : 0);
        // the last interval does not go right at +inf, where missing may
        const std::int32_t like_missing = is_category ? regular : std::min(route.first_left, regular - 1);
        const bool stands_in = is_category ? route.like_unseen : route.last_right < like_missing;
        const bool own = used && (missing_routed[f] != 0 || !stands_in);
        const std::int32_t missing = own ? seen : used ? like_missing : 0;
        axes.kind.push_back(route.kind);
        axes.regular.push_back(regular);
        axes.missing.push_back(missing);
        axes.size.push_back(seen + (own ? 1 : 0));
        axes.own_missing.push_back(own ? 1 : 0);
    }
    return axes;
}

}  // namespace glasswood::explain
