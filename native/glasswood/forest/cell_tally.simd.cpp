// The tally kernel for one CPU level. No standard header with inline functions may be included here: the linker could
// keep the copy compiled for a CPU the user does not have.
#include "glasswood/forest/cell_tally.hpp"

#if defined(__SSE2__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC's own header, on purpose
#endif
#include <immintrin.h>
#endif

namespace glasswood::forest::GLASSWOOD_LEVEL {
namespace {

#if defined(__AVX512BW__)

struct Bytes {
    using Type = __m512i;
    static constexpr std::size_t width = 64;
    static constexpr int max_cells = 9;  // cells asked at a time: their sums and numbers fit the registers
    static Type zero() { return _mm512_setzero_si512(); }
    static Type splat(std::size_t x) { return _mm512_set1_epi8(static_cast<char>(x)); }
    static Type load(const std::uint8_t* at) { return _mm512_loadu_si512(at); }
    static void add_own(Type cell, Type c, Type weight, Type second, Type& w, Type& s) {
        const __mmask64 own = _mm512_cmpeq_epi8_mask(cell, c);
        w = _mm512_mask_add_epi8(w, own, w, weight);
        s = _mm512_mask_add_epi8(s, own, s, second);
    }
    static std::uint64_t sum(Type x) {
        return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(_mm512_sad_epu8(x, zero())));
    }
};

#elif defined(__AVX2__)

struct Bytes {
    using Type = __m256i;
    static constexpr std::size_t width = 32;
    static constexpr int max_cells = 4;
    static Type zero() { return _mm256_setzero_si256(); }
    static Type splat(std::size_t x) { return _mm256_set1_epi8(static_cast<char>(x)); }
    static Type load(const std::uint8_t* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
    static void add_own(Type cell, Type c, Type weight, Type second, Type& w, Type& s) {
        const Type own = _mm256_cmpeq_epi8(cell, c);
        w = _mm256_add_epi8(w, _mm256_and_si256(own, weight));
        s = _mm256_add_epi8(s, _mm256_and_si256(own, second));
    }
    static std::uint64_t sum(Type x) {
        const Type quarters = _mm256_sad_epu8(x, zero());
        const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(quarters), _mm256_extracti128_si256(quarters, 1));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves) + _mm_extract_epi64(halves, 1));
    }
};

#elif defined(__SSE2__)

struct Bytes {
    using Type = __m128i;
    static constexpr std::size_t width = 16;
    static constexpr int max_cells = 4;
    static Type zero() { return _mm_setzero_si128(); }
    static Type splat(std::size_t x) { return _mm_set1_epi8(static_cast<char>(x)); }
    static Type load(const std::uint8_t* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
    static void add_own(Type cell, Type c, Type weight, Type second, Type& w, Type& s) {
        const Type own = _mm_cmpeq_epi8(cell, c);
        w = _mm_add_epi8(w, _mm_and_si128(own, weight));
        s = _mm_add_epi8(s, _mm_and_si128(own, second));
    }
    static std::uint64_t sum(Type x) {
        const Type halves = _mm_sad_epu8(x, zero());
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_srli_si128(halves, 8)));
    }
};

#endif

#if defined(__SSE2__)

// Sums of `n` cells from `first` on over so few blocks that no byte overflows.
template <int n>
void blocks(const std::uint8_t* cell, const std::uint8_t* weight, const std::uint8_t* second, std::size_t n_blocks,
            std::size_t first, std::uint64_t* out) {
    Bytes::Type w[n], s[n], c[n];
    for (int i = 0; i < n; ++i) {
        w[i] = s[i] = Bytes::zero();
        c[i] = Bytes::splat(first + static_cast<std::size_t>(i));
    }
    for (std::size_t b = 0; b < n_blocks * Bytes::width; b += Bytes::width) {
        const auto at = Bytes::load(cell + b), weights = Bytes::load(weight + b), seconds = Bytes::load(second + b);
        for (int i = 0; i < n; ++i) Bytes::add_own(at, c[i], weights, seconds, w[i], s[i]);
    }
    for (int i = 0; i < n; ++i) {
        out[2 * (first + static_cast<std::size_t>(i))] += Bytes::sum(w[i]);
        out[2 * (first + static_cast<std::size_t>(i)) + 1] += Bytes::sum(s[i]);
    }
}

template <int n>
void group(int size, const std::uint8_t* cell, const std::uint8_t* weight, const std::uint8_t* second,
           std::size_t n_blocks, std::size_t first, std::uint64_t* out) {
    if constexpr (n > 1) {
        if (size < n) return group<n - 1>(size, cell, weight, second, n_blocks, first, out);
    }
    blocks<n>(cell, weight, second, n_blocks, first, out);
}

// All cells, as many at a time as fit, in groups of nearly equal size; the rows stay in the first cache meanwhile.
void all_cells(const std::uint8_t* cell, const std::uint8_t* weight, const std::uint8_t* second, std::size_t n_blocks,
               std::size_t n_cells, std::uint64_t* out) {
    constexpr std::size_t max_cells = Bytes::max_cells;
    const std::size_t n_groups = (n_cells + max_cells - 1) / max_cells;
    for (std::size_t g = 0; g < n_groups; ++g) {
        const std::size_t first = n_cells * g / n_groups, size = n_cells * (g + 1) / n_groups - first;
        group<Bytes::max_cells>(static_cast<int>(size), cell, weight, second, n_blocks, first, out);
    }
}

void tally(const std::uint8_t* cell, std::size_t n_cells, const TallyRows& rows, std::uint64_t* out) {
    for (std::size_t i = 0; i < 2 * n_cells; ++i) out[i] = 0;
    const std::size_t whole = rows.n / Bytes::width;
    const std::size_t safe = 255 / rows.largest;
    for (std::size_t block = 0; block < whole; block += safe) {
        const std::size_t at = block * Bytes::width, n = safe < whole - block ? safe : whole - block;
        all_cells(cell + at, rows.weight + at, rows.second + at, n, n_cells, out);
    }
    const std::size_t at = whole * Bytes::width, rest = rows.n - at;
    if (rest == 0) return;
    std::uint8_t last[3][Bytes::width] = {};  // rows beyond the end count for nothing
    __builtin_memcpy(last[0], cell + at, rest);
    __builtin_memcpy(last[1], rows.weight + at, rest);
    __builtin_memcpy(last[2], rows.second + at, rest);
    all_cells(last[0], last[1], last[2], 1, n_cells, out);
}

#else

void tally(const std::uint8_t* cell, std::size_t n_cells, const TallyRows& rows, std::uint64_t* out) {
    std::uint64_t sums[2 * 256] = {};
    for (std::size_t r = 0; r < rows.n; ++r) {
        sums[2 * cell[r]] += rows.weight[r];
        sums[2 * cell[r] + 1] += rows.second[r];
    }
    for (std::size_t i = 0; i < 2 * n_cells; ++i) out[i] = sums[i];
}

#endif

}  // namespace

extern const TallyKernels tallies;
const TallyKernels tallies{&tally};

}  // namespace glasswood::forest::GLASSWOOD_LEVEL
