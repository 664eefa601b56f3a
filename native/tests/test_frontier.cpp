#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "glasswood/boosting/frontier.hpp"
#include "tests.hpp"

namespace glasswood::tests {
namespace {

using namespace boosting;

GrownNode node_of(std::size_t begin, std::size_t end, double gain) {
    GrownNode node;
    node.begin = begin;
    node.end = end;
    node.split.gain = gain;
    node.is_open = true;
    return node;
}

Children children_of(const GrownNode& node, double left_gain, double right_gain) {
    const std::size_t middle = (node.begin + node.end) / 2;
    return {node_of(node.begin, middle, left_gain), node_of(middle, node.end, right_gain)};
}

}  // namespace

// Four leaves. While one thread splits the better child of the root, another splits the worse one ahead; the better
// child's own children are better still, so the worse one becomes a leaf again.
void test_frontier() {
    std::deque<GrownNode> nodes;
    nodes.push_back(node_of(0, 64, 100));
    Frontier frontier(nodes, 4);
    frontier.offer(nodes.front());
    std::atomic<bool> ahead{false};
    const auto divide = [&](GrownNode& node, bool are_leaves) {
        node.is_open = false;
        // the root and its better child leave room for more leaves; the third does not
        CHECK(are_leaves == (node.split.gain != 100 && node.split.gain != 10));
        if (node.split.gain == 100) return children_of(node, 10, 5);
        if (node.split.gain == 5) {
            ahead.store(true);
            return children_of(node, 1, 1);
        }
        while (node.split.gain == 10 && !ahead.load()) std::this_thread::yield();
        return node.split.gain == 10 ? children_of(node, 9, 8) : children_of(node, 2, 2);
    };
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 2; ++t) threads.emplace_back([&, t] { frontier.work(t, 2, 64, divide); });
    for (std::thread& thread : threads) thread.join();
    CHECK(frontier.finished());
    std::vector<double> undone;
    frontier.undo([&](GrownNode& node, Children& children) {
        undone.push_back(node.split.gain);
        CHECK(children.left.n_rows() + children.right.n_rows() == node.n_rows());
    });
    CHECK(!undone.empty() && undone.front() == 5);
    std::vector<double> gains;
    for (const GrownNode& node : nodes) gains.push_back(node.split.gain);
    CHECK((gains == std::vector<double>{100, 10, 5, 9, 8, 2, 2}));
}

}  // namespace glasswood::tests
