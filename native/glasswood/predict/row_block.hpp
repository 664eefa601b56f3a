// Block: some rows, encoded, on their way through a group of coded trees. Holds the working memory of one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "glasswood/predict/coded_trees.hpp"

namespace glasswood::predict {

// Uninitialised memory on a cache line border: a register loaded across two lines costs twice.
template <class T>
class Scratch {
 public:
    explicit Scratch(std::size_t n) : data_(static_cast<T*>(::operator new(n * sizeof(T), alignment))) {}
    T* data() const { return data_.get(); }
    T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(T* p) const { ::operator delete(p, alignment); }
    };
    std::unique_ptr<T[], Free> data_;
};

template <class Code>
class Block {
 public:
    // Encodes rows [first, first + n).
    Block(const CodedTrees<Code>& trees, const table::Rows& rows, std::size_t first, std::size_t n);

    // Adds every tree's value to sums: row r of output o at sums[o * stride + r], stride a multiple of
    // row_padding.
    void add(const model::Ensemble& ensemble, double* sums, std::size_t stride);

    // Writes leaf ids: row r of tree t at out[r * n_trees + t].
    void apply(const model::Ensemble& ensemble, std::int32_t* out);

 private:
    using Exit = typename CodedTrees<Code>::Exit;

    void select(const CodedTree& tree);
    void sort_by_exit(const CodedTree& tree);
    void walk(const CodedTree& tree);
    void add_exits(const CodedTree& tree, std::size_t width, double* sums, std::size_t stride);
    void add_deep(const CodedTree& tree, std::size_t width, double* sums, std::size_t stride);

    const CodedTrees<Code>& trees_;
    const SelectKernels& kernels_;
    std::size_t n_;
    std::size_t stride_;              // n_ rounded up
    Scratch<Code> codes_;             // column c at [c * stride_]
    Scratch<const Code*> columns_;    // where to read each column
    Scratch<Exit> exits_;             // per row
    Scratch<Code> row_codes_;         // row r at [r * number of columns], for deep trees
    Scratch<std::uint32_t> order_;    // rows sorted by exit
    Scratch<std::uint32_t> reached_;  // the deep node of row order_[i]
};

}  // namespace glasswood::predict
