#include "glasswood/boosting/row_statistics.hpp"

namespace glasswood::boosting {

void RowStatistics::set(std::span<const double> grad, std::span<const double> hess, std::span<const double> weight,
                        const base::RowKeys& keys, std::span<const std::int64_t> number, int n_threads) {
    const std::size_t n = grad.size();
    if (n > room_) {
        if (exact_) {
            wide_ = base::make_pages<Sums>(n);
        } else {
            narrow_ = base::make_pages<Narrow>(n);
        }
        room_ = n;
    }
    unit_ = exact_ ? to_fixed_point(grad, hess, weight, n_threads, {wide_.get(), n})
                   : to_integers(grad, hess, weight, keys, number, n_threads, {narrow_.get(), n});
    grad_ = grad;
    hess_ = hess;
    weight_ = weight;
}

TreeRows RowStatistics::rows(std::span<const std::uint32_t> rows) const {
    RowStats stats{{}, {}, unit_};
    if (exact_) {
        stats.wide = {wide_.get(), n_rows()};
    } else {
        stats.narrow = {narrow_.get(), n_rows()};
    }
    return {stats, grad_, hess_, weight_, rows};
}

}  // namespace glasswood::boosting
