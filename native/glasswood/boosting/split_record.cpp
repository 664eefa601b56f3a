#include "glasswood/boosting/split_record.hpp"

#include <algorithm>
#include <array>

namespace glasswood::boosting {

SplitRecord record_of(const Split& split, std::size_t node) {
    SplitRecord record{};
    record.version = split_record_version;
    record.missing_left = split.missing_left ? 1 : 0;
    record.unseen_left = split.unseen_left ? 1 : 0;
    record.node = static_cast<std::uint32_t>(node);
    record.feature = split.feature;
    record.bin = split.bin;
    record.gain = split.gain;
    const std::array left{split.left.grad, split.left.square, split.left.hess, split.left.weight};
    std::ranges::copy(left, record.left);
    std::ranges::copy(split.left_set, record.left_set);
    return record;
}

Split split_of(const SplitRecord& record) {
    Split split{};
    split.gain = record.gain;
    split.feature = record.feature;
    split.bin = record.bin;
    split.missing_left = record.missing_left != 0;
    split.unseen_left = record.unseen_left != 0;
    split.left = {record.left[0], record.left[1], record.left[2], record.left[3]};
    std::ranges::copy(record.left_set, split.left_set.begin());
    return split;
}

}  // namespace glasswood::boosting
