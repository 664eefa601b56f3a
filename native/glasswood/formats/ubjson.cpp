#include "glasswood/formats/ubjson.hpp"

#include <stdexcept>
#include <string>

namespace glasswood::formats {
namespace {

// Bytes of a number of this type, 0 for anything else.
std::int64_t number_size(std::uint8_t marker) {
    switch (marker) {
        case 'i':
        case 'U':
            return 1;
        case 'I':
            return 2;
        case 'l':
        case 'd':
            return 4;
        case 'L':
        case 'D':
            return 8;
        default:
            return 0;
    }
}

class Scanner {
 public:
    Scanner(std::span<const std::uint8_t> content, std::size_t max_depth) : content_(content), max_depth_(max_depth) {}

    UbjsonTokens run() {
        value(next());
        while (!open_.empty()) step();
        return std::move(tokens_);
    }

 private:
    struct Frame {
        std::int64_t token;
        std::int64_t left;  // entries still to come, −1 where a bracket closes
        bool is_object;
    };

    [[noreturn]] void refuse(const std::string& what) const {
        throw std::invalid_argument(what + " (near byte " + std::to_string(at_) + ")");
    }

    std::uint8_t next() {
        while (true) {
            const std::uint8_t marker = peek();
            ++at_;
            if (marker != 'N') return marker;  // padding
        }
    }

    std::uint8_t peek() const {
        if (at_ >= content_.size()) refuse("the file is cut off");
        return content_[at_];
    }

    // A whole number of the type that `marker` says; every count and length comes through here.
    std::int64_t length(std::uint8_t marker) {
        const std::int64_t n_bytes = marker == 'd' || marker == 'D' ? 0 : number_size(marker);
        if (n_bytes == 0) refuse("a length is not a whole number");
        if (content_.size() - at_ < static_cast<std::size_t>(n_bytes)) refuse("the file is cut off");
        std::uint64_t number = 0;
        for (std::int64_t k = 0; k < n_bytes; ++k) number = number << 8 | content_[at_++];
        // every counted thing takes at least one byte; a negative length is a huge unsigned one
        if (number > content_.size() - at_) refuse("more is announced than bytes are left");
        return static_cast<std::int64_t>(number);
    }

    void take(std::int64_t n_bytes) {
        if (static_cast<std::uint64_t>(n_bytes) > content_.size() - at_) refuse("the file is cut off");
        at_ += n_bytes;
    }

    void step() {
        Frame& frame = open_.back();
        if (frame.left == 0) return close();
        std::uint8_t marker = next();
        if (frame.left < 0 && marker == (frame.is_object ? '}' : ']')) return close();
        if (frame.left > 0) --frame.left;
        key_ = -1;
        if (frame.is_object) {
            key_size_ = length(marker);
            key_ = static_cast<std::int64_t>(at_);
            take(key_size_);
            marker = next();
        }
        value(marker);
    }

    void close() {
        tokens_.end[open_.back().token] = static_cast<std::int64_t>(tokens_.marker.size());
        open_.pop_back();
    }

    void value(std::uint8_t marker) {
        switch (marker) {
            case '{':
                if (const std::uint8_t ahead = peek(); ahead == '#' || ahead == '$')
                    refuse("an object with a count is not used in models");
                return open(marker, -1);
            case '[':
                return array();
            case 'S':
                return payload(marker, length(next()));
            case 'C':
                return payload(marker, 1);
            case 'Z':
            case 'T':
            case 'F':
                return payload(marker, 0);
            default:
                if (number_size(marker) == 0) refuse("unknown marker " + std::to_string(marker));
                return payload(marker, number_size(marker));
        }
    }

    void array() {
        if (peek() == '$') {
            ++at_;
            const std::uint8_t marker = next();
            if (number_size(marker) == 0 || next() != '#')
                refuse("a typed array does not hold numbers, or does not say how many");
            return payload(typed_array + marker, length(next()) * number_size(marker));
        }
        if (peek() != '#') return open('[', -1);
        ++at_;
        open('[', length(next()));
    }

    void open(std::int32_t marker, std::int64_t n_entries) {
        if (open_.size() >= max_depth_) refuse("nested deeper than " + std::to_string(max_depth_));
        const auto token = static_cast<std::int64_t>(tokens_.marker.size());
        add(marker, 0);
        open_.push_back({token, n_entries, marker == '{'});
    }

    void payload(std::int32_t marker, std::int64_t n_bytes) {
        add(marker, n_bytes);
        take(n_bytes);
    }

    void add(std::int32_t marker, std::int64_t n_bytes) {
        std::uint64_t hash = key_ < 0 ? 0 : 0xcbf29ce484222325u;
        for (std::int64_t k = 0; key_ >= 0 && k < key_size_; ++k) hash = (hash ^ content_[key_ + k]) * 0x100000001b3u;
        tokens_.parent.push_back(open_.empty() ? 0 : open_.back().token);
        tokens_.end.push_back(static_cast<std::int64_t>(tokens_.marker.size()) + 1);
        tokens_.key.push_back(key_);
        tokens_.key_size.push_back(key_ < 0 ? 0 : key_size_);
        tokens_.key_hash.push_back(hash);
        tokens_.marker.push_back(marker);
        tokens_.start.push_back(static_cast<std::int64_t>(at_));
        tokens_.size.push_back(n_bytes);
    }

    std::span<const std::uint8_t> content_;
    std::size_t max_depth_;
    std::size_t at_ = 0;
    std::int64_t key_ = -1, key_size_ = 0;  // of the value about to be read
    std::vector<Frame> open_;
    UbjsonTokens tokens_;
};

}  // namespace

UbjsonTokens scan_ubjson(std::span<const std::uint8_t> content, std::size_t max_depth) {
    return Scanner(content, max_depth).run();
}

}  // namespace glasswood::formats
