#include "glasswood/explain/purify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "glasswood/base/interrupt.hpp"

namespace glasswood::explain {
namespace {

constexpr int n_passes = 3;  // the second and third remove what the first left to rounding

// A table seen so that its second axis is the shorter one, which is the one that is solved for.
struct View {
    const double* data;
    std::int64_t n_rows, n_columns, row_step, column_step;
    double operator()(std::int64_t i, std::int64_t j) const { return data[i * row_step + j * column_step]; }
};

// Parts of the table that are joined by weighted cells: rows first, then columns.
std::vector<std::int64_t> components(const View& w) {
    std::vector<std::int64_t> parent(w.n_rows + w.n_columns);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](std::int64_t x) {
        while (parent[x] != x) x = parent[x] = parent[parent[x]];
        return x;
    };
    for (std::int64_t i = 0; i < w.n_rows; ++i) {
        for (std::int64_t j = 0; j < w.n_columns; ++j) {
            if (w(i, j) > 0.0) parent[root(i)] = root(w.n_rows + j);
        }
    }
    for (std::int64_t x = 0; x < w.n_rows + w.n_columns; ++x) parent[x] = root(x);
    return parent;
}

// Normal equations with the rows eliminated, S = diag(column sums) - Wᵀ diag(1 / row sums) W: the Laplacian of a graph
// of the columns. One column per part is held at 0.
class ColumnSystem {
 public:
    explicit ColumnSystem(const View& w, std::span<const std::int64_t> part)
        : n_(w.n_columns), factor_(n_ * n_, 0.0), held_(n_, 0) {
        std::vector<std::int64_t> at;
        std::vector<double> weight;
        for (std::int64_t i = 0; i < w.n_rows; ++i) {
            base::check_interrupt();
            at.clear();
            weight.clear();
            double total = 0.0;
            for (std::int64_t j = 0; j < n_; ++j) {
                if (w(i, j) == 0.0) continue;
                at.push_back(j);
                weight.push_back(w(i, j));
                total += w(i, j);
            }
            for (std::size_t x = 0; x < at.size(); ++x) {
                const double scaled = weight[x] / total;
                double* row = factor_.data() + at[x] * n_;
                for (std::size_t y = 0; y < x; ++y) row[at[y]] -= scaled * weight[y];
            }
        }
        // The diagonal as the sum of what it balances: no subtraction, so weak links keep their digits.
        for (std::int64_t x = 0; x < n_; ++x) {
            for (std::int64_t y = 0; y < x; ++y) {
                factor_[x * n_ + x] -= factor_[x * n_ + y];
                factor_[y * n_ + y] -= factor_[x * n_ + y];
            }
        }
        std::vector<std::uint8_t> seen(part.size(), 0);
        for (std::int64_t j = 0; j < n_; ++j) {
            std::uint8_t& is_seen = seen[part[w.n_rows + j]];
            held_[j] = is_seen == 0 ? 1 : 0;
            is_seen = 1;
        }
        factorise();
    }

    void solve(std::vector<double>& b) const {
        for (std::int64_t j = 0; j < n_; ++j) {
            double sum = held_[j] != 0 ? 0.0 : b[j];
            for (std::int64_t k = 0; k < j; ++k) sum -= factor_[j * n_ + k] * b[k];
            b[j] = held_[j] != 0 ? 0.0 : sum / factor_[j * n_ + j];
        }
        for (std::int64_t j = n_; j-- > 0;) {
            b[j] = held_[j] != 0 ? 0.0 : b[j] / factor_[j * n_ + j];
            for (std::int64_t k = 0; k < j; ++k) b[k] -= factor_[j * n_ + k] * b[j];
        }
    }

 private:
    // Cholesky, row by row, over the columns that are not held.
    void factorise() {
        for (std::int64_t j = 0; j < n_; ++j) {
            base::check_interrupt();
            double* row = factor_.data() + j * n_;
            if (held_[j] != 0) {
                std::fill_n(row, j, 0.0);
                row[j] = 1.0;
                continue;
            }
            for (std::int64_t k = 0; k < j; ++k) {
                const double* other = factor_.data() + k * n_;
                if (held_[k] != 0) {
                    row[k] = 0.0;
                    continue;
                }
                row[k] = (row[k] - dot(row, other, k)) / other[k];
            }
            const double pivot = row[j] - dot(row, row, j);
            row[j] = std::sqrt(std::max(pivot, std::numeric_limits<double>::min()));
        }
    }

    static double dot(const double* a, const double* b, std::int64_t n) {
        double sum[4] = {};
        std::int64_t i = 0;
        for (; i + 4 <= n; i += 4) {
            for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
        }
        for (; i < n; ++i) sum[0] += a[i] * b[i];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    std::int64_t n_;
    std::vector<double> factor_;  // lower triangle
    std::vector<std::uint8_t> held_;
};

// One step of weighted least squares: takes row and column functions out of the residual.
void step(const View& w, const ColumnSystem& system, std::span<double> residual, const View& r) {
    std::vector<double> row_sum(w.n_rows, 0.0), row_weight(w.n_rows, 0.0), b(w.n_columns, 0.0);
    for (std::int64_t i = 0; i < w.n_rows; ++i) {
        for (std::int64_t j = 0; j < w.n_columns; ++j) {
            row_weight[i] += w(i, j);
            row_sum[i] += w(i, j) * r(i, j);
        }
        if (row_weight[i] == 0.0) continue;
        const double mean = row_sum[i] / row_weight[i];
        for (std::int64_t j = 0; j < w.n_columns; ++j) b[j] += w(i, j) * (r(i, j) - mean);
    }
    system.solve(b);
    for (std::int64_t i = 0; i < w.n_rows; ++i) {
        double a = 0.0;
        if (row_weight[i] > 0.0) {
            double taken = 0.0;
            for (std::int64_t j = 0; j < w.n_columns; ++j) taken += w(i, j) * b[j];
            a = (row_sum[i] - taken) / row_weight[i];
        }
        for (std::int64_t j = 0; j < w.n_columns; ++j) residual[i * w.row_step + j * w.column_step] -= a + b[j];
    }
}

// Shifts the parts against each other: s of a part is added to its rows and taken from its columns, by least squares
// over the cells between parts. With R and C the numbers of rows and columns of each part the normal equations are (D -
// R Cᵀ - C Rᵀ) s = right side, D = diag(R ΣC + C ΣR); the one free constant is chosen so that Rᵀ s = 0.
void shift(const View& w, std::span<const std::int64_t> part, std::span<double> residual, const View& r) {
    const std::size_t n = part.size();
    std::vector<double> rows(n, 0.0), columns(n, 0.0), right(n, 0.0), s(n, 0.0);
    for (std::int64_t i = 0; i < w.n_rows; ++i) rows[part[i]] += 1.0;
    for (std::int64_t j = 0; j < w.n_columns; ++j) columns[part[w.n_rows + j]] += 1.0;
    for (std::int64_t i = 0; i < w.n_rows; ++i) {
        for (std::int64_t j = 0; j < w.n_columns; ++j) {
            const std::int64_t p = part[i], q = part[w.n_rows + j];
            if (p == q) continue;
            right[p] += r(i, j);
            right[q] -= r(i, j);
        }
    }
    double above = 0.0, below = 0.0;
    const auto diagonal = [&](std::size_t p) {
        return rows[p] * static_cast<double>(w.n_columns) + columns[p] * static_cast<double>(w.n_rows);
    };
    for (std::size_t p = 0; p < n; ++p) {
        if (rows[p] + columns[p] == 0.0) continue;
        above += rows[p] * right[p] / diagonal(p);
        below += rows[p] * rows[p] / diagonal(p);
    }
    const double x = -above / below;
    for (std::size_t p = 0; p < n; ++p) {
        if (rows[p] + columns[p] > 0.0) s[p] = (right[p] + rows[p] * x) / diagonal(p);
    }
    for (std::int64_t i = 0; i < w.n_rows; ++i) {
        for (std::int64_t j = 0; j < w.n_columns; ++j)
            residual[i * w.row_step + j * w.column_step] -= s[part[i]] - s[part[w.n_rows + j]];
    }
}

}  // namespace

void purify(std::span<const double> value, std::span<const double> weight, std::int64_t n_rows, std::int64_t n_columns,
            std::span<double> out) {
    std::ranges::copy(value, out.begin());
    const bool turned = n_columns > n_rows;
    const auto look = [&](const double* data) {
        return turned ? View{data, n_columns, n_rows, 1, n_columns} : View{data, n_rows, n_columns, n_columns, 1};
    };
    const View w = look(weight.data());
    const View r = look(out.data());
    const std::vector<std::int64_t> part = components(w);
    const ColumnSystem system(w, part);
    const bool connected = std::ranges::all_of(part, [&](std::int64_t p) { return p == part[0]; });
    for (int pass = 0; pass < n_passes; ++pass) {
        base::check_interrupt();
        step(w, system, out, r);
        if (!connected) shift(w, part, out, r);
    }
}

}  // namespace glasswood::explain
