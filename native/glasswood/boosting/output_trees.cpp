#include "glasswood/boosting/output_trees.hpp"

#include <mutex>

#include "glasswood/base/parallel.hpp"

namespace glasswood::boosting {

std::vector<GrownTree> grow_outputs(std::span<const GrowingPlace> places, const OutputRows& data,
                                    std::span<const std::span<const std::uint32_t>> columns, double rate,
                                    const base::Interrupt& interrupt, std::span<double> raw) {
    const std::size_t n = raw.size() / columns.size();
    std::vector<GrownTree> trees(columns.size());
    std::vector<GrowingPlace> free(places.begin(), places.end());
    std::mutex guard;
    const auto take = [&] {
        const std::lock_guard lock(guard);
        const GrowingPlace place = free.back();
        free.pop_back();
        return place;
    };
    base::parallel_for(columns.size(), static_cast<int>(places.size()), base::large_work, [&](std::size_t k) {
        const GrowingPlace place = take();
        const Gradients own{data.grad.subspan(k * n, n), data.hess.subspan(k * n, n), data.weight};
        place.statistics->set(own, base::RowKeys(data.seed, data.first_stream + k), data.number, 1);
        trees[k] = finish(place.grower->grow(place.statistics->rows(data.rows), columns[k], 1, interrupt));
        scale_values(trees[k], rate);
        add_grown(trees[k], place.grower->rows(), 1, raw.subspan(k * n, n));
        const std::lock_guard lock(guard);
        free.push_back(place);
    });
    return trees;
}

}  // namespace glasswood::boosting
