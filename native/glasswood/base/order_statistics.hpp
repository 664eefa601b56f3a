// Selection: the keys at chosen ranks of a list, found without sorting what lies between them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glasswood/base/radix_sort.hpp"

namespace glasswood::base {

template <class Key>
class Selection {
 public:
    // Keys at the ascending `ranks`, 0 the smallest.
    std::span<const Key> select(std::span<const Key> keys, std::span<const std::size_t> ranks) {
        lowest_ = keys[0];
        Key highest = keys[0];
        for (const Key key : keys) {
            lowest_ = std::min(lowest_, key);
            highest = std::max(highest, key);
        }
        shift_ = std::max(static_cast<int>(std::bit_width(static_cast<Key>(highest - lowest_))) - bits, 0);
        count(keys);
        mark(ranks);
        gather(keys);
        return found_;
    }

 private:
    // The buckets that hold a few hundred ranks hold a tenth of a quarter of a million keys.
    static constexpr int bits = 16;
    static constexpr std::size_t n_buckets = std::size_t{1} << bits;

    std::size_t bucket_of(Key key) const { return static_cast<std::size_t>((key - lowest_) >> shift_); }

    void count(std::span<const Key> keys) {
        n_keys_.assign(n_buckets, 0);
        for (const Key key : keys) ++n_keys_[bucket_of(key)];
    }

    // Buckets that hold a wanted rank, and the index of its key among those gathered.
    void mark(std::span<const std::size_t> ranks) {
        wanted_.assign(n_buckets, 0);
        indices_.clear();
        n_wanted_ = 0;
        std::size_t before = 0;
        std::size_t next = 0;
        for (std::size_t b = 0; b < n_buckets && next < ranks.size(); ++b) {
            const std::size_t end = before + n_keys_[b];
            if (ranks[next] < end) {
                wanted_[b] = 1;
                for (; next < ranks.size() && ranks[next] < end; ++next) {
                    indices_.push_back(n_wanted_ + ranks[next] - before);
                }
                n_wanted_ += n_keys_[b];
            }
            before = end;
        }
    }

    void gather(std::span<const Key> keys) {
        some_.resize(n_wanted_ + 1);  // every key is written, and stays if it is wanted: no branch to guess wrong
        std::size_t n = 0;
        for (const Key key : keys) {
            some_[n] = key;
            n += wanted_[bucket_of(key)];
        }
        some_.resize(n_wanted_);
        sort_by_key(some_, scratch_);
        found_.clear();
        for (const std::size_t index : indices_) found_.push_back(some_[index]);
    }

    Key lowest_ = 0;
    int shift_ = 0;
    std::size_t n_wanted_ = 0;
    std::vector<std::uint32_t> n_keys_;
    std::vector<std::uint8_t> wanted_;
    std::vector<std::size_t> indices_;
    std::vector<Key> some_, scratch_, found_;
};

}  // namespace glasswood::base
