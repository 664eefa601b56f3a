// RowDraw: which rows a tree of a forest sees, and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::forest {

class RowDraw {
 public:
    // `weight` is empty where every row is drawn alike; else a row is drawn with a probability proportional to it.
    RowDraw(std::uint64_t seed, std::size_t n_rows, std::size_t n_draws, std::span<const double> weight);

    // Draws with replacement: how often tree `tree` sees each row. It depends on nothing but the arguments, so the
    // draws of a fitted forest can be repeated.
    void counts(std::size_t tree, std::span<double> out) const;
    // The same as bytes, which are faster to draw; false where a row was drawn too often for one.
    bool counts(std::size_t tree, std::span<std::uint8_t> out) const;

 private:
    template <class Count>
    void draw(std::size_t tree, std::span<Count> out) const;

    std::uint64_t seed_;
    std::size_t n_draws_;
    std::vector<double> cumulative_;  // of the weights; empty where every row is drawn alike
};

}  // namespace glasswood::forest
