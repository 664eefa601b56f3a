#include "glasswood/boosting/split_record.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace glasswood::boosting {

SentSplit record_of(const Split& split, std::size_t node) {
    SentSplit record{};
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
    record.wide = split.wide.bits;
    return record;
}

Split split_of(const SentSplit& record, std::uint32_t column) {
    Split split{};
    split.gain = record.gain;
    split.feature = record.feature;
    split.bin = record.bin;
    split.missing_left = record.missing_left != 0;
    split.unseen_left = record.unseen_left != 0;
    split.left = {record.left[0], record.left[1], record.left[2], record.left[3]};
    std::ranges::copy(record.left_set, split.left_set.begin());
    split.wide = {column, record.wide};
    return split;
}

std::vector<std::byte> to_bytes(std::span<const SentSplit> records) {
    std::vector<std::byte> bytes;
    for (const SentSplit& record : records) {
        const SplitRecord& head = record;
        const auto* first = reinterpret_cast<const std::byte*>(&head);
        bytes.insert(bytes.end(), first, first + sizeof head);
        const std::span wide = std::as_bytes(std::span(record.wide));
        bytes.insert(bytes.end(), wide.begin(), wide.end());
    }
    return bytes;
}

bool read_records(std::span<const std::byte> bytes, std::span<const std::uint16_t> n_wide,
                  std::vector<SentSplit>& out) {
    while (bytes.size() >= sizeof(SplitRecord)) {
        SplitRecord head;
        std::memcpy(&head, bytes.data(), sizeof head);
        bytes = bytes.subspan(sizeof head);
        const std::size_t n_levels = head.feature < n_wide.size() ? n_wide[head.feature] : 0;
        SentSplit& record = out.emplace_back(SentSplit{head, {}});
        record.wide.resize(n_levels > 0 ? WideSet::n_words(n_levels + 2) : 0);
        const std::span words = std::as_writable_bytes(std::span(record.wide));
        if (words.size() > bytes.size()) return false;
        std::ranges::copy(bytes.first(words.size()), words.begin());
        bytes = bytes.subspan(words.size());
    }
    return bytes.empty();
}

}  // namespace glasswood::boosting
