// FeatureBatches: features of a tree whose gains are worked out together. Tables of many columns of few bins have so
// few cells per feature that the scan of one by itself is mostly a beginning and an end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/boosting/histograms.hpp"
#include "glasswood/boosting/node_rules.hpp"

namespace glasswood::boosting {

class FeatureBatches {
 public:
    // Features in the order in which the histograms store them.
    void lay_out(const Histograms& histograms, const NodeRules& rules);

    // The features [at, end(at)) are worked out together; none if the one at this place must be scanned by itself.
    std::size_t end(std::size_t at) const { return end_[at]; }
    std::span<const OtherCells> cells(std::size_t first, std::size_t last) const {
        return std::span(cells_).subspan(first, last - first);
    }

 private:
    std::vector<OtherCells> cells_;  // of features that can be worked out together; without cells for the others
    std::vector<std::uint32_t> end_;
};

}  // namespace glasswood::boosting
