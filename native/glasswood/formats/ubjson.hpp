// UBJSON: where the values of a binary JSON document stand, found in one pass over untrusted bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glasswood::formats {

// One entry per value, in the order of the document: a container stands before what it holds.
struct UbjsonTokens {
    std::vector<std::int64_t> parent;     // token of the container, 0 of the document itself
    std::vector<std::int64_t> end;        // first token that is not within this one
    std::vector<std::int64_t> key;        // first byte of the key, −1 in an array
    std::vector<std::int64_t> key_size;   // bytes of the key
    std::vector<std::uint64_t> key_hash;  // FNV-1a of the key, 0 in an array
    std::vector<std::int32_t> marker;     // type; of a typed array that of its numbers, plus typed_array
    std::vector<std::int64_t> start;      // first byte of the payload: of a number, text or typed array
    std::vector<std::int64_t> size;       // bytes of the payload
};

inline constexpr std::int32_t typed_array = 256;

// Throws std::invalid_argument, saying what and near which byte, if the bytes are not one whole document, nest
// deeper than `max_depth`, or use what no model does (counted objects, typed arrays of anything but numbers).
// Takes memory in proportion to the bytes, whatever they announce.
UbjsonTokens scan_ubjson(std::span<const std::uint8_t> content, std::size_t max_depth);

}  // namespace glasswood::formats
