#include "glasswood/explain/intervals/tree_means.hpp"

#include <algorithm>
#include <cmath>

namespace glasswood::explain::intervals {
namespace {

// Below this share of the mean square a variance is rounding.
constexpr double rounding = 4e-15;

}  // namespace

void describe(const model::Ensemble& e, Formula formula, std::size_t tree, const double* moments, std::size_t step,
              double* plane) {
    const double mass = moments[0], n_leaves = moments[1];
    plane[0] = formula != Formula::leafmean ? mass : n_leaves > 0.0 ? mass / n_leaves : 0.0;
    for (std::size_t k = 0; k < e.width; ++k) {
        double mean = e.value[e.tree_start[tree] * e.width + k];
        double spread = 0.0;
        if (mass > 0.0) {
            mean = moments[2 + 2 * k] / mass;
            const double square = moments[3 + 2 * k] / mass;
            const double variance = square - mean * mean;
            spread = variance <= rounding * square ? 0.0 : std::sqrt(variance);
        }
        plane[(1 + 2 * k) * step] = mean;
        plane[(2 + 2 * k) * step] = spread;
    }
}

std::span<const double> TreeMeans::differences(std::size_t tree, std::span<const std::int32_t> features) {
    prepare(tree, features);
    const std::size_t s = n_moments(e_), n_cells = n_outer_ * n_inner_;
    planes_.resize(n_planes(e_) * n_cells);
    for (std::size_t o = 0; o < n_outer_; ++o) {
        for (std::size_t i = 0; i < n_inner_; ++i) {
            const std::size_t cell = o * n_inner_ + i;
            double* sum = both_.data() + cell * s;
            for (std::size_t q = 0; q < s; ++q) sum[q] += (outer_[o * s + q] + inner_[i * s + q]) + neither_[q];
            describe(e_, formula_, tree, sum, n_cells, planes_.data() + cell);
        }
    }
    for (std::size_t p = 0; p < n_planes(e_); ++p) difference(planes_.data() + p * n_cells);
    return planes_;
}

void TreeMeans::prepare(std::size_t tree, std::span<const std::int32_t> features) {
    const std::size_t degree = features.size();
    breaks_.assign(degree, std::span(&first_cell, 1));
    const std::int32_t n_leaves = paths_.tree_leaf[tree + 1] - paths_.tree_leaf[tree];
    sides_.assign(degree * n_leaves, -1);
    for (std::size_t d = 0; d < degree; ++d) {
        const std::int64_t own = own_->own().find(tree, features[d]);
        if (own < 0) continue;
        breaks_[d] = own_->own().of(own);
        for (const TreeCells::LeafSide& at : own_->leaves(own)) sides_[at.leaf * degree + d] = at.side;
    }
    n_inner_ = breaks_[degree - 1].size();
    n_outer_ = 1;
    for (std::size_t d = 0; d + 1 < degree; ++d) n_outer_ *= breaks_[d].size();
    const std::size_t s = n_moments(e_);
    both_.assign(n_outer_ * n_inner_ * s, 0.0);
    outer_.assign(n_outer_ * s, 0.0);
    inner_.assign(n_inner_ * s, 0.0);
    neither_.assign(s, 0.0);
    for (std::int32_t i = 0; i < n_leaves; ++i) {
        const std::size_t leaf = paths_.tree_leaf[tree] + i;
        if (paths_.reachable[leaf] != 0) add_leaf(leaf, features, sides_.data() + i * degree);
    }
}

void TreeMeans::add_leaf(std::size_t leaf, std::span<const std::int32_t> features, const std::int64_t* sides) {
    const std::size_t degree = features.size(), s = n_moments(e_);
    double w = paths_.weight[leaf];
    if (formula_ == Formula::shared) {
        for (std::size_t d = 0; d < degree; ++d)
            w /= std::max(1, sides[d] < 0 ? paths_.axes.regular[features[d]] : paths_.n_regular[sides[d]]);
    }
    leaf_.set(leaf, w);
    const std::int64_t last = sides[degree - 1];
    bool has_outer = false;
    for (std::size_t d = 0; d + 1 < degree; ++d) has_outer = has_outer || sides[d] >= 0;
    if (!has_outer) {
        if (last < 0) leaf_.add_to(neither_.data());
        for (const std::int32_t i : cells_of(last)) leaf_.add_to(inner_.data() + i * s);
        return;
    }
    if (degree == 2) {  // pairs need no list of products
        for (const std::int32_t o : own_->cells(sides[0])) {
            if (last < 0) leaf_.add_to(outer_.data() + o * s);
            for (const std::int32_t i : cells_of(last)) leaf_.add_to(both_.data() + (o * n_inner_ + i) * s);
        }
        return;
    }
    list_outer(sides, degree);
    for (const std::int64_t o : outer_cells_) {
        if (last < 0) leaf_.add_to(outer_.data() + o * s);
        for (const std::int32_t i : cells_of(last)) leaf_.add_to(both_.data() + (o * n_inner_ + i) * s);
    }
}

// The outer cells that a leaf meets: products of its own cells on all features but the last.
void TreeMeans::list_outer(const std::int64_t* sides, std::size_t degree) {
    outer_cells_.assign(1, 0);
    for (std::size_t d = 0; d + 1 < degree; ++d) {
        const auto n = static_cast<std::int64_t>(breaks_[d].size());
        next_cells_.clear();
        for (const std::int64_t before : outer_cells_) {
            if (sides[d] < 0) {
                for (std::int64_t cell = 0; cell < n; ++cell) next_cells_.push_back(before * n + cell);
            } else {
                for (const std::int32_t cell : own_->cells(sides[d])) next_cells_.push_back(before * n + cell);
            }
        }
        outer_cells_.swap(next_cells_);
    }
}

void TreeMeans::difference(double* plane) const {
    const std::size_t n_cells = n_outer_ * n_inner_;
    std::size_t stride = n_cells;
    for (const auto& own_breaks : breaks_) {
        const std::size_t outer = stride;
        stride /= own_breaks.size();
        for (std::size_t first = 0; first < n_cells; first += outer) {
            for (std::size_t at = first + outer; at-- > first + stride;) plane[at] -= plane[at - stride];
        }
    }
}

}  // namespace glasswood::explain::intervals
