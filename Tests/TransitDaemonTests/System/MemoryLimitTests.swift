import Testing

@testable import TransitDaemon

@Suite struct MemoryLimitTests {
    private func find(_ files: [String: String], machine: UInt64 = 8 << 30) -> MemoryLimit {
        MemoryLimit.find(machine: machine) { files[$0] }
    }

    @Test func controlGroupLimitIsRead() {
        let files = [
            "/proc/self/cgroup": "0::/system.slice/transitd.service\n",
            "/sys/fs/cgroup/system.slice/transitd.service/memory.max": "536870912\n",
            "/sys/fs/cgroup/system.slice/memory.max": "max\n",
        ]
        #expect(find(files) == MemoryLimit(bytes: 512 << 20, origin: .controlGroup))
        #expect(find(files).forData == 256 << 20)
    }

    @Test func smallestEnclosingLimitApplies() {
        let files = [
            "/proc/self/cgroup": "0::/user.slice/user-1.slice/transitd.service\n",
            "/sys/fs/cgroup/user.slice/user-1.slice/transitd.service/memory.max": "1073741824\n",
            "/sys/fs/cgroup/user.slice/user-1.slice/memory.max": "268435456\n",
        ]
        #expect(find(files) == MemoryLimit(bytes: 256 << 20, origin: .controlGroup))
    }

    @Test func versionOneLimitIsRead() {
        let files = [
            "/proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/system.slice/transitd.service\n0::/\n",
            "/sys/fs/cgroup/memory/system.slice/transitd.service/memory.limit_in_bytes": "104857600\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        ]
        #expect(find(files) == MemoryLimit(bytes: 100 << 20, origin: .controlGroup))
    }

    @Test func machineMemoryIsLimitWithoutControlGroupLimit() {
        let files = [
            "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n",
        ]
        #expect(find(files) == MemoryLimit(bytes: 8 << 30, origin: .machine))
        #expect(find(["/proc/self/cgroup": "0::/\n"]) == MemoryLimit(bytes: 8 << 30, origin: .machine))
    }

    @Test func unitLimitIsAssumedIfControlGroupIsHidden() {
        #expect(find([:]) == MemoryLimit(bytes: 1 << 30, origin: .assumed))
        let files = ["/proc/self/cgroup": "0::/system.slice/transitd.service\n"]
        #expect(find(files) == MemoryLimit(bytes: 1 << 30, origin: .assumed))
        #expect(find(files, machine: 512 << 20) == MemoryLimit(bytes: 512 << 20, origin: .assumed))
    }
}
