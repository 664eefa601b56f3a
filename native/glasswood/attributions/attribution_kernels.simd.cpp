// The attribution kernels for one CPU level. No standard header with inline functions may be included here: the linker
// could keep the copy compiled for a CPU the user does not have.
#include "glasswood/attributions/attribution_kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed by reference, and inlined
#endif

namespace glasswood::attributions::GLASSWOOD_LEVEL {
namespace {

// Eight numbers side by side, in whatever registers this level has.
typedef double Eight __attribute__((vector_size(64), aligned(8)));

inline Eight load(const double* at) { return *reinterpret_cast<const Eight*>(at); }
inline void store(double* at, const Eight& x) { *reinterpret_cast<Eight*>(at) = x; }

// The order of the additions is part of the result.
inline double total(const Eight& x) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

// ---- patterns ----

// Bytes of 8 planes for 8 rows → one byte a row
[[maybe_unused]] inline std::uint64_t transpose(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28);
}

#if defined(__AVX512BW__)

void spread8(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint8_t* out) {
    for (std::size_t w = 0; w < n_words; ++w) {
        __m512i x = _mm512_setzero_si512();
        for (int b = 0; b < n_planes; ++b)
            x = _mm512_or_si512(x, _mm512_maskz_set1_epi8(planes[b][w], static_cast<char>(1 << b)));
        _mm512_storeu_si512(out + 64 * w, x);
    }
}

void spread16(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint16_t* out) {
    for (std::size_t w = 0; w < n_words; ++w) {
        __m512i low = _mm512_setzero_si512(), high = low;
        for (int b = 0; b < n_planes; ++b) {
            const auto bit = static_cast<short>(1 << b);
            low = _mm512_or_si512(low, _mm512_maskz_set1_epi16(static_cast<__mmask32>(planes[b][w]), bit));
            high = _mm512_or_si512(high, _mm512_maskz_set1_epi16(static_cast<__mmask32>(planes[b][w] >> 32), bit));
        }
        _mm512_storeu_si512(out + 64 * w, low);
        _mm512_storeu_si512(out + 64 * w + 32, high);
    }
}

#else

// One byte a row from up to 8 planes, for the 8 rows of byte k.
inline std::uint64_t eight_rows(const std::uint64_t* const* planes, int n_planes, std::size_t w, int k) {
    std::uint64_t x = 0;
    for (int b = 0; b < n_planes; ++b) x |= ((planes[b][w] >> (8 * k)) & 255) << (8 * b);
    return transpose(x);
}

void spread8(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint8_t* out) {
    for (std::size_t w = 0; w < n_words; ++w) {
        for (int k = 0; k < 8; ++k) {
            const std::uint64_t rows = eight_rows(planes, n_planes, w, k);
            for (int r = 0; r < 8; ++r) out[64 * w + 8 * k + r] = static_cast<std::uint8_t>(rows >> (8 * r));
        }
    }
}

void spread16(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint16_t* out) {
    const int n_low = n_planes < 8 ? n_planes : 8;
    for (std::size_t w = 0; w < n_words; ++w) {
        for (int k = 0; k < 8; ++k) {
            const std::uint64_t low = eight_rows(planes, n_low, w, k);
            const std::uint64_t high = eight_rows(planes + n_low, n_planes - n_low, w, k);
            for (int r = 0; r < 8; ++r)
                out[64 * w + 8 * k + r] =
                    static_cast<std::uint16_t>(((low >> (8 * r)) & 255) | (((high >> (8 * r)) & 255) << 8));
        }
    }
}

#endif

// ---- path: a subtree down and up ----

template <int Z>
struct Lanes {
    Eight x[Z];
};

template <int Z>
inline Lanes<Z> read(const double* at) {
    Lanes<Z> out;
    for (int z = 0; z < Z; ++z) out.x[z] = load(at + 8 * z);
    return out;
}

template <int Z>
inline void write(double* at, const Lanes<Z>& lanes) {
    for (int z = 0; z < Z; ++z) store(at + 8 * z, lanes.x[z]);
}

template <int Z>
inline double dot(const Lanes<Z>& a, const double* b) {
    Eight sum = a.x[0] * load(b);
    for (int z = 1; z < Z; ++z) sum += a.x[z] * load(b + 8 * z);
    return total(sum);
}

// Down: the product of the answers so far, for every child. A feature passes, fails, or has failed before.
template <int Z>
void walk_down(const SubtreeWalk& s, std::uint64_t pattern, const Lanes<Z>& start) {
    constexpr int lanes = 8 * Z;
    const std::uint64_t inside = pattern >> s.n_above;
    s.failed[0] = ~pattern & ((std::uint64_t{1} << s.n_above) - 1);
    Lanes<Z> here = start;
    for (int b = 0; b < s.n_inner; ++b) {
        if (b > 0) here = read<Z>(s.sums + b * lanes);
        const std::uint64_t left = (inside >> s.bit[b]) & 1, before = (s.failed[b] >> s.column[b]) & 1;
        for (int side = 0; side < 2; ++side) {
            const int child = 2 * b + side;
            const std::uint64_t passes = left ^ static_cast<std::uint64_t>(side);
            const int which = before != 0 ? 2 : passes != 0 ? 0 : 1;
            s.cases[child] = static_cast<std::uint8_t>(which);
            const double* factor = s.factors + (3 * child + which) * lanes;
            Lanes<Z> product;
            for (int z = 0; z < Z; ++z) product.x[z] = here.x[z] * load(factor + 8 * z);
            const int inner = s.inner_child[child];
            if (inner < 0) {
                write<Z>(s.products + child * lanes, product);
            } else {
                s.failed[inner] = s.failed[b] | ((passes ^ 1) << s.column[b]);
                write<Z>(s.sums + inner * lanes, product);
            }
        }
    }
}

// Up: sums of leaf value times product; a split gives its feature what its two answers change.
template <int Z>
Lanes<Z> walk_up(const SubtreeWalk& s, int output, double* line) {
    constexpr int lanes = 8 * Z;
    for (int b = s.n_inner - 1; b >= 0; --b) {
        Lanes<Z> sum{}, change{};
        for (int side = 0; side < 2; ++side) {
            const int child = 2 * b + side, inner = s.inner_child[child];
            const double* shift = s.shifts + (3 * child + s.cases[child]) * lanes;
            const double* from = inner < 0 ? s.products + child * lanes : s.sums + inner * lanes;
            const double value = inner < 0 ? s.values[child * s.n_outputs + output] : 1.0;
            for (int z = 0; z < Z; ++z) {
                const Eight part = load(from + 8 * z) * value;
                sum.x[z] += part;
                change.x[z] += part * load(shift + 8 * z);
            }
        }
        write<Z>(s.sums + b * lanes, sum);
        Eight all = change.x[0];
        for (int z = 1; z < Z; ++z) all += change.x[z];
        line[s.column[b] * s.n_outputs] += total(all);
    }
    return read<Z>(s.sums);
}

template <int Z>
void walk_lanes(const SubtreeWalk& s, const std::uint64_t* patterns, std::size_t n, double* out) {
    constexpr int lanes = 8 * Z;
    const int n_pieces = (s.n_above + piece_bits - 1) / piece_bits;
    const std::uint64_t all_above = (std::uint64_t{1} << s.n_above) - 1;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t above = patterns[i] & all_above;
        double* line = out + i * static_cast<std::size_t>(s.n_columns * s.n_outputs);
        for (int j = 0; j < s.n_columns * s.n_outputs; ++j) line[j] = 0.0;
        Lanes<Z> start;
        for (int z = 0; z < Z; ++z) start.x[z] = Eight{} + 1.0;
        for (int piece = 0; piece < n_pieces; ++piece) {
            const std::uint64_t part = (above >> (piece_bits * piece)) & ((1 << piece_bits) - 1);
            const double* factor = s.pieces + ((static_cast<std::size_t>(piece) << piece_bits) + part) * lanes;
            for (int z = 0; z < Z; ++z) start.x[z] *= load(factor + 8 * z);
        }
        if (s.n_inner > 0) walk_down<Z>(s, patterns[i], start);
        for (int output = 0; output < s.n_outputs; ++output) {
            Lanes<Z> sum;
            if (s.n_inner > 0) {
                sum = walk_up<Z>(s, output, line + output);
            } else {
                for (int z = 0; z < Z; ++z) sum.x[z] = start.x[z] * s.values[output];
            }
            for (int j = 0; j < s.n_above; ++j)
                line[j * s.n_outputs + output] +=
                    dot<Z>(sum, s.answer_weights + (2 * j + static_cast<int>((above >> j) & 1)) * lanes);
        }
    }
}

void walk(const SubtreeWalk& s, const std::uint64_t* patterns, std::size_t n, double* out) {
    if (s.lanes == 8) walk_lanes<1>(s, patterns, n, out);
    if (s.lanes == 16) walk_lanes<2>(s, patterns, n, out);
    if (s.lanes == 24) walk_lanes<3>(s, patterns, n, out);
    if (s.lanes == 32) walk_lanes<4>(s, patterns, n, out);
}

// ---- interventional: sets of failed features ----

void sum_subsets(double* table, int n_bits) {
    const std::size_t n = std::size_t{1} << n_bits;
    int bit = 0;
    for (; bit < n_bits && bit < 3; ++bit) {
        const std::size_t half = std::size_t{1} << bit;
        for (std::size_t b = 0; b < n; b += 2 * half) {
            for (std::size_t i = 0; i < half; ++i) table[b + half + i] += table[b + i];
        }
    }
    // two bits at a time: half the trips to memory
    for (; bit + 1 < n_bits; bit += 2) {
        const std::size_t h = std::size_t{1} << bit;
        for (std::size_t b = 0; b < n; b += 4 * h) {
            for (std::size_t i = b; i < b + h; i += 8) {
                const Eight none = load(table + i), both = load(table + i + 2 * h);
                const Eight one = load(table + i + h) + none, last = load(table + i + 3 * h) + both;
                store(table + i + h, one);
                store(table + i + 2 * h, both + none);
                store(table + i + 3 * h, last + one);
            }
        }
    }
    for (; bit < n_bits; ++bit) {
        const std::size_t h = std::size_t{1} << bit;
        for (std::size_t b = 0; b < n; b += 2 * h) {
            for (std::size_t i = b; i < b + h; i += 8) store(table + i + h, load(table + i + h) + load(table + i));
        }
    }
}

// Which of 16 sets of up to 32 features lie inside the mask, as bits.
inline unsigned inside16(const std::uint32_t* sets, std::uint32_t outside) {
#if defined(__AVX512F__)
    return _mm512_testn_epi32_mask(_mm512_loadu_si512(sets), _mm512_set1_epi32(static_cast<int>(outside)));
#elif defined(__AVX2__)
    const __m256i out = _mm256_set1_epi32(static_cast<int>(outside)), zero = _mm256_setzero_si256();
    const auto* at = reinterpret_cast<const __m256i*>(sets);
    const __m256i a = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_loadu_si256(at), out), zero);
    const __m256i b = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_loadu_si256(at + 1), out), zero);
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a))) |
           (static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(b))) << 8);
#else
    unsigned found = 0;
    for (int i = 0; i < 16; ++i) found |= ((sets[i] & outside) == 0 ? 1U : 0U) << i;
    return found;
#endif
}

inline unsigned inside16(const std::uint64_t* sets, std::uint64_t outside) {
    unsigned found = 0;
    for (int i = 0; i < 16; ++i) found |= ((sets[i] & outside) == 0 ? 1U : 0U) << i;
    return found;
}

constexpr std::size_t max_width = 64;

// Sets stand in the order of their sizes, so the sums of a class are complete when the next class begins. A class
// without a set inside would add 0: leaving it out changes no bit. Z: vectors of a line, which stay in registers.
template <int Z, class Set>
void add_sets_lanes(const LeafMasks& leaf, const BackgroundSets& s, const Set* sets) {
    for (std::size_t m = 0; m < leaf.n_masks; ++m) {
        const std::uint64_t mask = leaf.masks[m];
        const auto outside = static_cast<Set>(~mask);
        const int held = __builtin_popcountll(mask), failed = leaf.n_features - held;
        Lanes<Z> line{}, sum{};
        double out_of = 0, weight = 0;
        int size = -1;
        const auto close = [&] {
            if (size < 0) return;
            const double coefficient = leaf.beta[static_cast<std::size_t>(size) * leaf.beta_stride + failed];
            for (int z = 0; z < Z; ++z) line.x[z] += sum.x[z] * coefficient;
            out_of += leaf.beta[static_cast<std::size_t>(failed) * leaf.beta_stride + size] * weight;
        };
        const std::size_t end = s.class_start[held + 1];
        for (std::size_t at = 0; at < end; at += 16) {
            for (unsigned found = inside16(sets + at, outside); found != 0; found &= found - 1) {
                const std::size_t set = at + static_cast<std::size_t>(__builtin_ctz(found));
                const Lanes<Z> from = read<Z>(s.lines + set * (8 * Z));
                if (s.sizes[set] == size) {
                    for (int z = 0; z < Z; ++z) sum.x[z] += from.x[z];
                    weight += s.weights[set];
                } else {
                    close();
                    size = s.sizes[set];
                    sum = from;
                    weight = s.weights[set];
                }
            }
        }
        close();
        write<Z>(leaf.lines + m * (8 * Z), line);
        leaf.out_of[m] = out_of;
    }
}

template <int Z>
void add_sets_of(const LeafMasks& leaf, const BackgroundSets& s) {
    s.short_sets != nullptr ? add_sets_lanes<Z>(leaf, s, s.short_sets) : add_sets_lanes<Z>(leaf, s, s.sets);
}

void add_sets(const LeafMasks& leaf, const BackgroundSets& s) {
    using Add = void (*)(const LeafMasks&, const BackgroundSets&);
    constexpr Add of_width[] = {add_sets_of<1>, add_sets_of<2>, add_sets_of<3>, add_sets_of<4>,
                                add_sets_of<5>, add_sets_of<6>, add_sets_of<7>, add_sets_of<8>};
    of_width[leaf.width / 8 - 1](leaf, s);
}

void add_class(const LeafMasks& leaf, const double* table, int set_size) {
    std::uint64_t bit[max_width];
    for (std::size_t j = 0; j < leaf.width; ++j)
        bit[j] = static_cast<int>(j) < leaf.n_features ? std::uint64_t{1} << j : 0;
    for (std::size_t m = 0; m < leaf.n_masks; ++m) {
        const std::uint64_t mask = leaf.masks[m];
        const int held = __builtin_popcountll(mask), failed = leaf.n_features - held;
        if (held < set_size) continue;
        const double inside = table[mask];
        const double coefficient = leaf.beta[static_cast<std::size_t>(set_size) * leaf.beta_stride + failed];
        double* line = leaf.lines + m * leaf.width;
        // those inside the mask less those inside it without j; columns of features that fail are not read
        for (std::size_t j = 0; j < leaf.width; ++j) line[j] += (inside - table[mask ^ bit[j]]) * coefficient;
        leaf.out_of[m] += leaf.beta[static_cast<std::size_t>(failed) * leaf.beta_stride + set_size] * inside;
    }
}

void finish(const LeafMasks& leaf, double total_weight) {
    typedef std::uint64_t EightWords __attribute__((vector_size(64)));
    const EightWords first = {1, 2, 4, 8, 16, 32, 64, 128};
    const double share = 1 / total_weight;
    for (std::size_t m = 0; m < leaf.n_masks; ++m) {
        double* line = leaf.lines + m * leaf.width;
        const Eight lost = Eight{} - leaf.out_of[m];
        for (std::size_t j = 0; j < leaf.width; j += 8) {
            const EightWords own = (EightWords{} + leaf.masks[m]) & (first << j);
            store(line + j, (own != 0 ? Eight(load(line + j)) : lost) * share);
        }
    }
}

}  // namespace

extern const AttributionKernels attribution;
const AttributionKernels attribution = {spread8, spread16, walk, sum_subsets, add_sets, add_class, finish};

}  // namespace glasswood::attributions::GLASSWOOD_LEVEL
