#include "glasswood/proofs/pieces.hpp"

#include <stdexcept>

#include "glasswood/base/bitset.hpp"

namespace glasswood::proofs {

std::size_t Pieces::n_cells() const {
    std::size_t found = 0;
    for (const Side& side : sides) found += side.n_cells;
    return found;
}

std::size_t Pieces::n_words() const {
    std::size_t found = 0;
    for (const Side& side : sides) found += base::words_for(side.n_cells);
    return found;
}

Pieces make_pieces(std::span<const std::int64_t> tree_start, std::span<const std::int64_t> n_cells,
                   std::span<const std::int64_t> limit_start, std::span<const std::int32_t> piece,
                   std::span<const Word> bits) {
    Pieces made{{tree_start.begin(), tree_start.end()}, {}};
    std::size_t word = 0;
    for (std::size_t f = 0; f < n_cells.size(); ++f) {
        if (n_cells[f] < 1) throw std::invalid_argument("a feature has no cell");
        const auto first = static_cast<std::size_t>(limit_start[f]);
        const auto n = static_cast<std::size_t>(limit_start[f + 1]) - first;
        const auto cells = static_cast<std::size_t>(n_cells[f]);
        const std::size_t words = n * base::words_for(cells);
        if (word + words > bits.size()) throw std::invalid_argument("bits has too few words");
        const auto own = piece.subspan(first, n);
        const auto sets = bits.subspan(word, words);
        made.sides.push_back({cells, {own.begin(), own.end()}, {sets.begin(), sets.end()}});
        word += words;
    }
    if (word != bits.size()) throw std::invalid_argument("bits has too many words");
    return made;
}

std::vector<Sum> make_sums(std::span<const double> start, std::span<const double> value) {
    std::vector<Sum> found;
    const std::size_t n = start.empty() ? 0 : value.size() / start.size();
    for (std::size_t k = 0; k < start.size(); ++k) found.push_back({start[k], value.subspan(k * n, n)});
    return found;
}

}  // namespace glasswood::proofs
