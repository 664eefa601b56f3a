// Row bitsets: sets of rows as bits, 64 to a word, and the few operations the exact effects are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::explain {

// One variant per CPU level, all with the same results to the bit. `n_words` counts words of 64 rows.
struct BitKernels {
    // bit r of out: code[r] <= cut or code[r] == also
    void (*at_most8)(const std::uint8_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                     std::uint64_t* out);
    void (*at_most16)(const std::uint16_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                      std::uint64_t* out);
    void (*at_most32)(const std::uint32_t* code, std::uint32_t cut, std::uint32_t also, std::size_t n_words,
                      std::uint64_t* out);
    // bit r of out: chosen[code[r]] != 0, where chosen holds 0 and 1
    void (*chosen8)(const std::uint8_t* code, const std::uint8_t* chosen, std::size_t n_words, std::uint64_t* out);
    void (*chosen16)(const std::uint16_t* code, const std::uint8_t* chosen, std::size_t n_words, std::uint64_t* out);
    void (*chosen32)(const std::uint32_t* code, const std::uint8_t* chosen, std::size_t n_words, std::uint64_t* out);
    // yes = rows & is, no = rows & ~is; returns the number of rows in yes
    std::uint32_t (*split)(const std::uint64_t* rows, const std::uint64_t* is, std::size_t n_words, std::uint64_t* yes,
                           std::uint64_t* no);
    // number of rows in rows & is
    std::uint32_t (*count)(const std::uint64_t* rows, const std::uint64_t* is, std::size_t n_words);
    void (*unite)(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words, std::uint64_t* out);
    // Weight of rows & is. table[256 * k + b] is the weight of those of rows 8k … 8k+7 that are set in byte b.
    std::int64_t (*weigh)(const std::int64_t* table, const std::uint64_t* rows, const std::uint64_t* is,
                          std::size_t n_words);
};

const BitKernels& bit_kernels(base::CpuLevel level);

}  // namespace glasswood::explain
