#include "glasswood/base/cpu_count.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace glasswood::base {
namespace {

constexpr double no_quota = std::numeric_limits<double>::infinity();

double share(double quota, double period) { return quota > 0.0 && period > 0.0 ? quota / period : no_quota; }

// cpu.max: "50000 100000", or "max 100000".
double quota_of_2(const std::string& folder) {
    std::ifstream file(folder + "/cpu.max");
    double quota = 0.0, period = 0.0;
    return file >> quota >> period ? share(quota, period) : no_quota;
}

// cpu.cfs_quota_us is -1 without a quota.
double quota_of_1(const std::string& folder) {
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
    double quota = 0.0, period = 0.0;
    return quota_file >> quota && period_file >> period ? share(quota, period) : no_quota;
}

// The smallest quota of a group and its ancestors. A container may see its own group at the root of the mount, under
// a path that does not exist there: files that are missing count as no quota.
double along(const std::string& root, std::string path, double (*quota_of)(const std::string&)) {
    double lowest = quota_of(root);
    while (!path.empty() && path != "/") {
        lowest = std::min(lowest, quota_of(root + path));
        path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
    return lowest;
}

bool names_cpu(const std::string& controllers) {
    std::istringstream list(controllers);
    for (std::string one; std::getline(list, one, ',');) {
        if (one == "cpu") return true;
    }
    return false;
}

int cpus_of_mask() {
#ifdef __linux__
    for (int max_cpus = 1024; max_cpus <= 1 << 20; max_cpus *= 2) {
        cpu_set_t* mask = CPU_ALLOC(max_cpus);
        if (mask == nullptr) break;
        const std::size_t size = CPU_ALLOC_SIZE(max_cpus);
        const int found = sched_getaffinity(0, size, mask) == 0 ? CPU_COUNT_S(size, mask) : 0;
        CPU_FREE(mask);
        if (found > 0) return found;
    }
#endif
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

double cpu_quota(const std::string& membership, const std::string& root) {
    double lowest = no_quota;
    std::ifstream file(membership);
    for (std::string line; std::getline(file, line);) {  // number:controllers:path
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        if (controllers.empty()) {
            lowest = std::min({lowest, along(root, path, quota_of_2), along(root + "/unified", path, quota_of_2)});
        } else if (names_cpu(controllers)) {
            lowest = std::min(
                {lowest, along(root + "/cpu", path, quota_of_1), along(root + "/" + controllers, path, quota_of_1)});
        }
    }
    return lowest;
}

int available_cpus() {
    const double quota = cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    const int mask = cpus_of_mask();
    return std::isfinite(quota) ? std::clamp(static_cast<int>(std::min(std::ceil(quota), 1e6)), 1, mask) : mask;
}

}  // namespace glasswood::base
