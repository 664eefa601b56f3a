// Pool: objects that threads borrow one at a time, so that large scratch memory is touched once and not once per task.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace glasswood::base {

template <class T>
class Pool {
 public:
    class Loan {
     public:
        Loan(Pool& pool, std::unique_ptr<T> item) : pool_(pool), item_(std::move(item)) {}
        ~Loan() { pool_.give(std::move(item_)); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        T& operator*() const { return *item_; }
        T* operator->() const { return item_.get(); }

     private:
        Pool& pool_;
        std::unique_ptr<T> item_;
    };

    // An object that another task has given back, as it left it, or a new one.
    Loan borrow() {
        const std::lock_guard lock(guard_);
        if (items_.empty()) return Loan(*this, std::make_unique<T>());
        std::unique_ptr<T> item = std::move(items_.back());
        items_.pop_back();
        return Loan(*this, std::move(item));
    }

 private:
    void give(std::unique_ptr<T> item) {
        const std::lock_guard lock(guard_);
        items_.push_back(std::move(item));
    }

    std::mutex guard_;
    std::vector<std::unique_ptr<T>> items_;
};

}  // namespace glasswood::base
