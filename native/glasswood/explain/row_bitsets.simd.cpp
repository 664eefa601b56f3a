// The bit kernels for one CPU level. No standard header with inline functions may be included here: the linker could
// keep the copy compiled for a CPU the user does not have.
#include "glasswood/explain/row_bitsets.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace glasswood::explain::GLASSWOOD_LEVEL {
namespace {

// 8 bytes of 0 or 1 → 8 bits, the first byte lowest
std::uint64_t pack(const std::uint8_t* flags) {
    std::uint64_t bytes;
    __builtin_memcpy(&bytes, flags, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return (bytes * 0x0102040810204080ULL) >> 56;
}

std::uint64_t pack_word(const std::uint8_t* flags) {
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word |= pack(flags + 8 * k) << (8 * k);
    return word;
}

template <class Code>
void at_most(const Code* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words, std::uint64_t* out) {
    const auto highest = static_cast<Code>(cut);
    const auto other = static_cast<Code>(also);
    std::uint8_t flags[64];
    for (std::size_t w = 0; w < n_words; ++w, code += 64) {
        for (int r = 0; r < 64; ++r)
            flags[r] = static_cast<std::uint8_t>((code[r] <= highest ? 1 : 0) | (code[r] == other ? 1 : 0));
        out[w] = pack_word(flags);
    }
}

#if defined(__AVX512BW__)

void at_most_bytes(const std::uint8_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    const __m512i highest = _mm512_set1_epi8(static_cast<char>(cut));
    if (also <= cut) {  // as at most splits: one comparison will do
        for (std::size_t w = 0; w < n_words; ++w) {
            out[w] = _mm512_cmple_epu8_mask(_mm512_loadu_si512(code + 64 * w), highest);
        }
        return;
    }
    const __m512i other = _mm512_set1_epi8(static_cast<char>(also));
    for (std::size_t w = 0; w < n_words; ++w) {
        const __m512i x = _mm512_loadu_si512(code + 64 * w);
        out[w] = _mm512_cmple_epu8_mask(x, highest) | _mm512_cmpeq_epi8_mask(x, other);
    }
}

void at_most_pairs(const std::uint16_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    const __m512i highest = _mm512_set1_epi16(static_cast<short>(cut));
    const __m512i other = _mm512_set1_epi16(static_cast<short>(also));
    for (std::size_t w = 0; w < n_words; ++w) {
        const __m512i low = _mm512_loadu_si512(code + 64 * w);
        const __m512i high = _mm512_loadu_si512(code + 64 * w + 32);
        const std::uint64_t first = _mm512_cmple_epu16_mask(low, highest) | _mm512_cmpeq_epi16_mask(low, other);
        const std::uint64_t second = _mm512_cmple_epu16_mask(high, highest) | _mm512_cmpeq_epi16_mask(high, other);
        out[w] = first | (second << 32);
    }
}

#elif defined(__AVX2__)

// x <= highest exactly when the larger of the two is highest
std::uint64_t half_word(const std::uint8_t* code, __m256i highest, __m256i other) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(code));
    const __m256i is =
        _mm256_or_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(x, highest), highest), _mm256_cmpeq_epi8(x, other));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(is));
}

void at_most_bytes(const std::uint8_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    const __m256i highest = _mm256_set1_epi8(static_cast<char>(cut));
    const __m256i other = _mm256_set1_epi8(static_cast<char>(also));
    for (std::size_t w = 0; w < n_words; ++w)
        out[w] = half_word(code + 64 * w, highest, other) | (half_word(code + 64 * w + 32, highest, other) << 32);
}

__m256i quarter(const std::uint16_t* code, __m256i highest, __m256i other) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(code));
    return _mm256_or_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(x, highest), highest), _mm256_cmpeq_epi16(x, other));
}

void at_most_pairs(const std::uint16_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    const __m256i highest = _mm256_set1_epi16(static_cast<short>(cut));
    const __m256i other = _mm256_set1_epi16(static_cast<short>(also));
    for (std::size_t w = 0; w < n_words; ++w) {
        std::uint64_t word = 0;
        for (int half = 0; half < 2; ++half) {
            const std::uint16_t* at = code + 64 * w + 32 * half;
            // packs works within halves of 128 bits; the permutation puts the four quarters back in order
            const __m256i packed = _mm256_permute4x64_epi64(
                _mm256_packs_epi16(quarter(at, highest, other), quarter(at + 16, highest, other)), 0xD8);
            word |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(packed))) << (32 * half);
        }
        out[w] = word;
    }
}

#else

void at_most_bytes(const std::uint8_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    at_most(code, cut, also, n_words, out);
}

void at_most_pairs(const std::uint16_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                   std::uint64_t* out) {
    at_most(code, cut, also, n_words, out);
}

#endif

template <class Code>
void chosen(const Code* code, const std::uint8_t* is_chosen, std::size_t n_words, std::uint64_t* out) {
    std::uint8_t flags[64];
    for (std::size_t w = 0; w < n_words; ++w, code += 64) {
        for (int r = 0; r < 64; ++r) flags[r] = is_chosen[code[r]];
        out[w] = pack_word(flags);
    }
}

std::uint32_t split(const std::uint64_t* rows, const std::uint64_t* is, std::size_t n_words, std::uint64_t* yes,
                    std::uint64_t* no) {
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < n_words; ++w) {
        const std::uint64_t both = rows[w] & is[w];
        yes[w] = both;
        no[w] = rows[w] ^ both;
        count += static_cast<std::uint64_t>(__builtin_popcountll(both));
    }
    return static_cast<std::uint32_t>(count);
}

std::uint32_t count(const std::uint64_t* rows, const std::uint64_t* is, std::size_t n_words) {
    std::uint64_t n = 0;
    for (std::size_t w = 0; w < n_words; ++w) n += static_cast<std::uint64_t>(__builtin_popcountll(rows[w] & is[w]));
    return static_cast<std::uint32_t>(n);
}

void unite(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words, std::uint64_t* out) {
    for (std::size_t w = 0; w < n_words; ++w) out[w] = a[w] | b[w];
}

std::int64_t weigh(const std::int64_t* table, const std::uint64_t* rows, const std::uint64_t* is, std::size_t n_words) {
    std::int64_t sum[2] = {};  // no more: registers are needed for the words
    for (std::size_t w = 0; w < n_words; ++w, table += 8 * 256) {
        const std::uint64_t word = rows[w] & is[w];
        if (word == 0) continue;
        for (int k = 0; k < 8; ++k) sum[k % 2] += table[256 * k + ((word >> (8 * k)) & 255)];
    }
    return sum[0] + sum[1];
}

}  // namespace

extern const BitKernels bits;
const BitKernels bits = {at_most_bytes,
                         at_most_pairs,
                         at_most<std::uint32_t>,
                         chosen<std::uint8_t>,
                         chosen<std::uint16_t>,
                         chosen<std::uint32_t>,
                         split,
                         count,
                         unite,
                         weigh};

}  // namespace glasswood::explain::GLASSWOOD_LEVEL
