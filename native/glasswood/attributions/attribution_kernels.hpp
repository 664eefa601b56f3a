// AttributionKernels: the loops of attributions that gain from wide registers, one variant per CPU level, all with the
// same results to the bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"

namespace glasswood::attributions {

inline constexpr int piece_bits = 6;  // features of an anchor's path whose products stand in one table

// A group of a deep tree, ready to be walked once per pattern with a vector over quadrature points. All arrays of
// vectors have `lanes` numbers a vector, 8 to 32, filled up with zeros.
struct SubtreeWalk {
    int lanes = 8;
    int n_above = 0, n_inner = 0, n_columns = 0, n_outputs = 1;
    const double* pieces = nullptr;          // (n_pieces, 64) vectors: products over 6 features of the anchor's path
    const double* answer_weights = nullptr;  // (n_above, 2) vectors: weight · g of a feature that fails, passes
    const double* factors = nullptr;       // (n_inner, 2 children, 3 cases) vectors: what the product is multiplied by
    const double* shifts = nullptr;        // (n_inner, 2 children, 3 cases) vectors: weight · change of g
    const std::int32_t* bit = nullptr;     // (n_inner)
    const std::int32_t* column = nullptr;  // (n_inner)
    const std::int32_t* inner_child =
        nullptr;                      // (n_inner, 2) position of the child among the inner nodes, -1 for a leaf
    const double* values = nullptr;   // (n_inner, 2, n_outputs) of children that are leaves; (n_outputs) if alone
    double* products = nullptr;       // scratch: (n_inner, 2) vectors
    double* sums = nullptr;           // scratch: (n_inner) vectors
    std::uint64_t* failed = nullptr;  // scratch: (n_inner)
    std::uint8_t* cases = nullptr;    // scratch: (n_inner, 2)
};

// A leaf of a deep tree and the masks of rows at it. Lines have `width` numbers, n_features rounded
// up to a multiple of 8.
struct LeafMasks {
    int n_features = 0;
    std::size_t width = 8;
    const std::uint64_t* masks = nullptr;  // (n_masks)
    std::size_t n_masks = 0;
    const double* beta = nullptr;  // B(a, b + 1) at [a * beta_stride + b]
    std::size_t beta_stride = 0;
    double* lines = nullptr;   // (n_masks, width) in column j: what feature j gets if it passes
    double* out_of = nullptr;  // (n_masks) what every feature that fails loses
};

// Background rows by the features of the leaf's path they fail, in classes of equally many.
struct BackgroundSets {
    const std::size_t* class_start = nullptr;   // (n_features + 2)
    const std::uint64_t* sets = nullptr;        // (n_sets) and up to 15 more that no mask holds
    const std::uint32_t* short_sets = nullptr;  // the same in 32 bits; null if the path has more features
    const std::uint8_t* sizes = nullptr;        // (n_sets) features of each
    const double* weights = nullptr;            // (n_sets) of the rows
    const double* lines = nullptr;              // (n_sets, width) the weight in the columns of the set
};

struct AttributionKernels {
    // Bit b of out[64 w + r] is bit r of planes[b][w].
    void (*spread8)(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint8_t* out);
    void (*spread16)(const std::uint64_t* const* planes, int n_planes, std::size_t n_words, std::uint16_t* out);
    // out: (n, n_columns, n_outputs), overwritten.
    void (*walk)(const SubtreeWalk& subtree, const std::uint64_t* patterns, std::size_t n, double* out);
    // table[o] becomes the sum over the subsets of o; table has 2^n_bits numbers.
    void (*sum_subsets)(double* table, int n_bits);
    // Sums over the sets inside each mask, set by set. Lines and out_of are overwritten.
    void (*add_sets)(const LeafMasks& leaf, const BackgroundSets& sets);
    // The same for one class, from sums over subsets: table[o] is the weight of the sets of the class inside o. Adds.
    void (*add_class)(const LeafMasks& leaf, const double* table, int set_size);
    // Lines become what each feature gets: all sums are shares of `total`.
    void (*finish)(const LeafMasks& leaf, double total);
};

const AttributionKernels& attribution_kernels(base::CpuLevel level);

}  // namespace glasswood::attributions
