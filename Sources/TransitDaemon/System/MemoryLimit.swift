internal import Glibc
internal import TransitSystem

/// The memory limit of the process. The kernel kills the process if it exceeds the limit.
struct MemoryLimit: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        /// The smallest limit among the process's control group and its ancestors (cgroups(7)).
        case controlGroup
        /// The memory of the machine, because no control group has a smaller limit.
        case machine
        /// The limit of the daemon's systemd units, because the control group cannot be read.
        case assumed
    }

    var bytes: UInt64
    var origin: Origin

    /// `MemoryMax=` of transitd.service.
    static let ofUnit: UInt64 = 1 << 30

    /// The limit for all data that grows with input: half of the memory. The rest is for requests and for copies of
    /// growing arrays.
    var forData: UInt64 { bytes / 2 }

    /// Determines the limit of this process.
    static func ofProcess() -> MemoryLimit {
        let pages = UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES))))
        return find(machine: pages * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))) { path in
            guard case .success(let bytes) = FileContents.read(path, limit: 64 << 10) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// - Parameters:
    ///   - machine: The memory of the machine in bytes; 0 if unknown.
    ///   - read: A closure that returns the contents of a file, or `nil` if it cannot be read.
    static func find(machine: UInt64, read: (String) -> String?) -> MemoryLimit {
        var limits: [UInt64] = []
        var isHidden = true
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            guard let group = Group(line) else { continue }
            if group.isRoot || read(group.files[0]) != nil { isHidden = false }
            limits += group.files.compactMap { read($0).flatMap(Self.number) }
        }
        let machine = machine == 0 ? UInt64.max : machine
        if let limit = limits.min(), limit < machine { return MemoryLimit(bytes: limit, origin: .controlGroup) }
        if isHidden { return MemoryLimit(bytes: min(ofUnit, machine), origin: .assumed) }
        return MemoryLimit(bytes: machine == .max ? ofUnit : machine, origin: machine == .max ? .assumed : .machine)
    }

    /// Returns `nil` for "max", which means no limit in cgroup version 2. Version 1 uses a number near 2^63 instead,
    /// which exceeds any machine's memory.
    private static func number(_ text: String) -> UInt64? { UInt64(text.prefix { $0.isNumber }) }

    /// A control group that may limit the memory of the process, from a line of `/proc/self/cgroup`.
    private struct Group {
        /// The limit files of the group and its ancestors, innermost first. Never empty.
        var files: [String]
        var isRoot: Bool

        /// Returns `nil` for a hierarchy without memory accounting.
        init?(_ line: Substring) {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let isUnified = fields[0] == "0" && fields[1].isEmpty
            guard isUnified || fields[1].split(separator: ",").contains("memory") else { return nil }
            let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let file = isUnified ? "/memory.max" : "/memory.limit_in_bytes"
            // The path of a group outside the process's namespace begins with "..". Only the part inside the
            // namespace can be read.
            var parts = fields[2].split(separator: "/").filter { $0 != ".." }
            isRoot = parts.isEmpty
            files = [root + parts.map { "/" + $0 }.joined() + file]
            while !parts.isEmpty {
                parts.removeLast()
                files.append(root + parts.map { "/" + $0 }.joined() + file)
            }
        }
    }
}
