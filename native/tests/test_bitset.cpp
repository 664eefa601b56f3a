#include <cstdint>
#include <vector>

#include "glasswood/base/bitset.hpp"
#include "tests.hpp"

namespace glasswood::tests {

// The first n bits are set and no other, also where n fills its last word; single bits are set and cleared.
void test_bitset() {
    for (const std::size_t n : {0UL, 1UL, 63UL, 64UL, 65UL, 128UL, 130UL}) {
        std::vector<std::uint64_t> words(base::words_for(n), 5);
        base::set_first_bits(words, n);
        for (std::size_t bit = 0; bit < 64 * words.size(); ++bit) CHECK(base::has_bit(words, bit) == (bit < n));
    }
    std::vector<std::uint64_t> words(2);
    base::set_bit(words, 70);
    CHECK((words == std::vector<std::uint64_t>{0, 64}));
    base::set_bit(words, 70, false);
    CHECK((words == std::vector<std::uint64_t>{0, 0}));
}

}  // namespace glasswood::tests
