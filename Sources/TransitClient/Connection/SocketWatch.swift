internal import Glibc

/// Notices when a socket may have appeared (inotify(7)), so that the agent connects promptly after a pause.
package final class SocketWatch {
    /// Becomes readable when something was created beside a socket; -1 if the system allows no more watches.
    package let descriptor: CInt

    /// Watches the folders of sockets. A folder that does not exist yet is awaited in its parent.
    package init(_ paths: [String]) {
        descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        for path in paths {
            let folder = Self.parent(path)
            if !add(folder) { _ = add(Self.parent(folder)) }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private func add(_ folder: String) -> Bool {
        inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)) >= 0
    }

    private static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Discards the events.
    package func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
