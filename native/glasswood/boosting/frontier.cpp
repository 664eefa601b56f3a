#include "glasswood/boosting/frontier.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "glasswood/base/spin.hpp"

namespace glasswood::boosting {
namespace {

constexpr double patience = 2e4;  // ns a thread looks for something to do before it sleeps

}  // namespace

// Without a limit the youngest comes first, so that few histograms wait.
bool Frontier::Order::operator()(const std::unique_ptr<Entry>& a, const std::unique_ptr<Entry>& b) const {
    if (!by_gain) return a->number > b->number;
    const double gain = a->node->split.gain, other = b->node->split.gain;
    return gain > other || (gain == other && a->number < b->number);
}

void Frontier::offer(GrownNode& node, std::size_t maker) {
    if (!node.is_open) return;
    open_.insert(std::make_unique<Entry>(Entry{.node = &node, .number = n_offered_++, .maker = maker}));
}

bool Frontier::finished() const { return failed_ || open_.empty() || (max_leaves_ > 0 && n_leaves_ >= max_leaves_); }

// Whether it is the turn of a node that all threads share.
bool Frontier::is_turn_of_larger(std::size_t max_rows) const {
    const Entry& first = **open_.begin();
    return max_leaves_ > 0 && first.state == State::waiting && first.node->n_rows() > max_rows;
}

// Whether the tree has all its leaves once this node is split: all nodes before it in line are split earlier.
bool Frontier::fills_tree(Open::const_iterator entry) const {
    const auto n_before = static_cast<std::size_t>(std::distance(open_.begin(), entry));
    return max_leaves_ > 0 && n_leaves_ + n_before + 1 >= max_leaves_;
}

Frontier::Open::iterator Frontier::take(std::size_t thread, std::size_t n_threads, std::size_t max_rows) {
    const auto entry = max_leaves_ > 0 ? next_in_line(n_threads, max_rows) : next_of(thread, max_rows);
    if (entry != open_.end()) (*entry)->state = State::taken;
    return entry;
}

// Without a limit: the youngest that this thread made; without any the oldest, whose subtree is the largest.
Frontier::Open::iterator Frontier::next_of(std::size_t thread, std::size_t max_rows) {
    auto oldest = open_.end();
    for (auto entry = open_.begin(); entry != open_.end(); ++entry) {
        if ((*entry)->state != State::waiting || (*entry)->node->n_rows() > max_rows) continue;
        if ((*entry)->maker == thread) return entry;
        oldest = entry;
    }
    return oldest;
}

// With a limit: the first in line that no thread has taken. Only those are split ahead whose turn comes if none of
// their elders' children is better.
Frontier::Open::iterator Frontier::next_in_line(std::size_t n_threads, std::size_t max_rows) {
    const std::size_t most = std::min<std::size_t>(max_leaves_ - n_leaves_, 2 * n_threads);
    auto entry = open_.begin();
    for (std::size_t rank = 0; rank < most && entry != open_.end(); ++entry, ++rank) {
        if ((*entry)->state == State::waiting && (*entry)->node->n_rows() <= max_rows) return entry;
    }
    return open_.end();
}

// The node becomes an inner node of the tree, its children wait in its place.
void Frontier::link(Open::iterator entry) {
    GrownNode& node = *(*entry)->node;
    Children& children = *(*entry)->children;
    const std::size_t maker = (*entry)->divider;
    node.left = static_cast<std::int32_t>(nodes_.size());
    node.right = node.left + 1;
    nodes_.push_back(std::move(children.left));
    GrownNode& left = nodes_.back();
    nodes_.push_back(std::move(children.right));
    GrownNode& right = nodes_.back();
    open_.erase(entry);
    ++n_leaves_;
    // by gain the left one is the older; without a limit the smaller one is split first
    const bool left_first = max_leaves_ > 0 || left.n_rows() > right.n_rows();
    offer(left_first ? left : right, maker);
    offer(left_first ? right : left, maker);
}

void Frontier::give(std::size_t thread, Open::iterator entry, Children children) {
    (*entry)->divider = thread;
    (*entry)->children = std::make_unique<Children>(std::move(children));
    (*entry)->state = State::divided;
    if (max_leaves_ == 0) return link(entry);
    while (!finished() && (*open_.begin())->state == State::divided) link(open_.begin());
}

void Frontier::split_larger(std::size_t least, const Divide& divide) {
    const auto is_large = [&](const std::unique_ptr<Entry>& entry) { return entry->node->n_rows() > least; };
    while (!finished()) {
        const auto entry = max_leaves_ > 0 ? open_.begin() : std::find_if(open_.begin(), open_.end(), is_large);
        if (entry == open_.end() || !is_large(*entry)) return;
        give(0, entry, divide(*(*entry)->node, fills_tree(entry)));
    }
}

void Frontier::work(std::size_t thread, std::size_t n_threads, std::size_t max_rows, const Divide& divide) {
    std::unique_lock lock(guard_);
    while (!finished() && !is_turn_of_larger(max_rows)) {
        const auto entry = take(thread, n_threads, max_rows);
        if (entry == open_.end()) {
            wait_for_news(lock);
            continue;
        }
        GrownNode& node = *(*entry)->node;
        const bool are_leaves = fills_tree(entry);
        lock.unlock();
        try {
            Children children = divide(node, are_leaves);
            lock.lock();
            give(thread, entry, std::move(children));
        } catch (...) {
            if (!lock.owns_lock()) lock.lock();
            failed_ = true;
            tell();
            throw;
        }
        tell();
    }
}

void Frontier::tell() {
    news_.fetch_add(1);
    if (n_sleeping_ > 0) changed_.notify_all();
}

void Frontier::wait_for_news(std::unique_lock<std::mutex>& lock) {
    const std::uint32_t seen = news_.load();
    const auto changed = [&] { return news_.load() != seen; };
    lock.unlock();
    const bool found = base::spin(patience, changed);
    lock.lock();
    if (found) return;
    ++n_sleeping_;
    changed_.wait(lock, changed);
    --n_sleeping_;
}

void Frontier::undo(const Undo& undo) {
    for (const auto& entry : open_) {
        if (entry->children) undo(*entry->node, *entry->children);
    }
}

}  // namespace glasswood::boosting
