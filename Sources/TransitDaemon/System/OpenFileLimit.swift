internal import Glibc
internal import TransitServer

/// The number of files that the process may open at a time (getrlimit(2), RLIMIT_NOFILE), sockets included.
///
/// Connections use at most half of them. The rest is for timetables, downloads and the state, so that clients cannot
/// prevent answers by connecting.
struct OpenFileLimit: Hashable {
    var count: UInt64

    /// The fewest files with which the daemon starts. It has about 25 files open with one feed and no client.
    static let minimum: UInt64 = 64
    /// What the daemon raises a lower limit to, if it may.
    private static let preferred: UInt64 = 4096

    /// Raises the soft limit as far as the hard limit allows, at most to ``preferred``.
    ///
    /// - Throws: ``StartError/openFiles(limit:)`` if the limit is lower than ``minimum``.
    static func raise() throws(StartError) -> OpenFileLimit {
        var limit = rlimit()
        // Without a readable limit, that of POSIX systems is assumed.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return OpenFileLimit(count: 1024)
        }
        if limit.rlim_cur < preferred {
            var raised = limit
            raised.rlim_cur = min(rlim_t(preferred), limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur >= minimum else { throw .openFiles(limit: UInt64(limit.rlim_cur)) }
        return OpenFileLimit(count: UInt64(limit.rlim_cur))
    }

    /// The standard limits of the control server, with fewer connections if they would use more than half of the files.
    var controlLimits: ControlLimits {
        var limits = ControlLimits()
        limits.connections = min(limits.connections, Int(clamping: count / 2))
        limits.connectionsPerUser = min(limits.connectionsPerUser, limits.connections)
        return limits
    }
}
