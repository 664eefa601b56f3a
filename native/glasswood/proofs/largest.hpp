// largest: the largest sum of a leaf per tree over the points of a domain, by branch and bound.
#pragma once

#include <memory>

#include "glasswood/proofs/search_space.hpp"

namespace glasswood::proofs {

struct Found {
    double value = 0.0;               // at the point
    std::vector<std::int32_t> point;  // cell of each feature
    double bound = 0.0;               // no point exceeds it
    std::size_t n_nodes = 0;
};

// A search that can be continued. It stops early once a value above `enough` is found, or if none can be above it.
class Largest {
 public:
    Largest(const Pieces& pieces, const Sum& sum, std::span<const Word> open, double enough, std::size_t most_leaves);
    ~Largest();
    Largest(const Largest&) = delete;
    Largest& operator=(const Largest&) = delete;

    // Whether the search is over; false if it met its limits.
    bool run(const Limits& limits);
    Found found() const;

 private:
    class Search;

    SearchSpace space_;
    double enough_;
    std::unique_ptr<Search> search_;
    double bound_ = -std::numeric_limits<double>::infinity();
    std::size_t n_nodes_ = 0;
};

}  // namespace glasswood::proofs
