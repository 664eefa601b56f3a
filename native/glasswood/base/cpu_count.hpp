// CPUs: how many this process may use at once, by the mask of its scheduler and by the quota of its control group.
#pragma once

#include <string>

namespace glasswood::base {

// CPUs' worth of time that control groups allow, infinite without a quota. `membership` is a file like
// /proc/self/cgroup, `root` a folder like /sys/fs/cgroup; both versions of control groups are understood. The smallest
// quota between the group and its oldest ancestor counts: each of them is enforced.
double cpu_quota(const std::string& membership, const std::string& root);

// At least 1. A quota of 1.5 CPUs gives work to two.
int available_cpus();

}  // namespace glasswood::base
