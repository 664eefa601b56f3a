// Frontier: the nodes of a tree that wait to be split, for threads that split one node each at a time.
//
// Without a limit every node is split, in any order: the tree is the same. With a limit on leaves the node with the
// largest gain comes first, the older one among equals. Threads that have nothing else to do split the next in line
// ahead of time; if the tree ends before their turn, that work is undone. Which nodes are split ahead depends on the
// clock, the tree does not.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

#include "glasswood/boosting/grown_node.hpp"

namespace glasswood::boosting {

class Frontier {
 public:
    // Divides a node. Its children look for their splits unless they `are_leaves` whatever they find.
    using Divide = std::function<Children(GrownNode&, bool are_leaves)>;
    using Undo = std::function<void(GrownNode&, Children&)>;

    // Nodes are appended after their parents. `max_leaves`: 0 without a limit.
    Frontier(std::deque<GrownNode>& nodes, std::uint32_t max_leaves) : nodes_(nodes), max_leaves_(max_leaves) {}

    // A node that may be split.
    void offer(GrownNode& node) { offer(node, 0); }

    // Splits nodes of more rows than `least` as long as it is the turn of one.
    void split_larger(std::size_t least, const Divide& divide);

    // Splits nodes of up to `most` rows until the tree is finished or it is the turn of a larger one; `n_threads`
    // threads may do so at once, this is number `thread`.
    void work(std::size_t thread, std::size_t n_threads, std::size_t most, const Divide& divide);

    // Whether no node is left to split.
    bool finished() const;

    // Afterwards: undoes what was split ahead in vain.
    void undo(const Undo& undo);

 private:
    enum class State { waiting, taken, divided };
    struct Entry {
        GrownNode* node;
        std::size_t number;  // the older, the smaller
        std::size_t maker;   // the thread that split its parent, in whose cache its rows are
        State state = State::waiting;
        std::unique_ptr<Children> children{};
        std::size_t divider = 0;  // the thread that made them
    };
    struct Order {
        bool by_gain;
        bool operator()(const std::unique_ptr<Entry>& a, const std::unique_ptr<Entry>& b) const;
    };

    using Open = std::set<std::unique_ptr<Entry>, Order>;

    bool is_turn_of_larger(std::size_t max_rows) const;
    bool fills_tree(Open::const_iterator entry) const;
    Open::iterator take(std::size_t thread, std::size_t n_threads, std::size_t max_rows);
    Open::iterator next_of(std::size_t thread, std::size_t max_rows);
    Open::iterator next_in_line(std::size_t n_threads, std::size_t max_rows);
    void give(std::size_t thread, Open::iterator entry, Children children);
    void link(Open::iterator entry);
    void offer(GrownNode& node, std::size_t maker);
    void wait_for_news(std::unique_lock<std::mutex>& lock);
    void tell();

    std::deque<GrownNode>& nodes_;
    const std::uint32_t max_leaves_;
    std::uint32_t n_leaves_ = 1;
    std::size_t n_offered_ = 0;
    Open open_{Order{max_leaves_ > 0}};
    bool failed_ = false;
    std::mutex guard_;
    std::condition_variable changed_;
    int n_sleeping_ = 0;                  // guarded
    std::atomic<std::uint32_t> news_{0};  // changes whenever there may be something to do
};

}  // namespace glasswood::boosting
