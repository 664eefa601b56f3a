// Node: the part of a Splitter that knows the open node's rows and target but not its features.
#pragma once

#include <utility>

#include "glasswood/forest/splitter.hpp"

namespace glasswood::forest {

template <class Criterion>
class NodeSplitter : public Splitter {
 public:
    explicit NodeSplitter(Criterion criterion) : criterion_(std::move(criterion)) {}

    void begin(std::span<const double> weight) override { weight_ = weight; }
    void open(std::span<const std::uint32_t> rows) override {
        rows_ = rows;
        criterion_.open(rows, weight_);
    }
    double weight() const override { return criterion_.cover(); }
    double mass() const override { return criterion_.mass(); }
    double unit() const override { return criterion_.unit(); }
    bool pure() const override { return criterion_.pure(); }
    std::size_t value_width() const override { return criterion_.value_width(); }
    void value(double* out) const override { criterion_.value(out); }

 protected:
    Criterion criterion_;
    std::span<const double> weight_;
    std::span<const std::uint32_t> rows_;
};

}  // namespace glasswood::forest
