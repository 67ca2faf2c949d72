internal import Glibc
package import TransitClient
internal import TransitModel

/// A notification that is shown.
package struct ShownNotification: Hashable {
    /// The server's identifier.
    package var id: UInt32
    package var server: ServerIdentity
    /// When it expires, in seconds of CLOCK_BOOTTIME.
    package var expires: Int64
    /// The process that waits for an action or for the end of the notification, if there is one.
    package var waiter: WaitingProcess?
}

/// The notifications that are shown, by the key of their events.
package struct ShownNotifications: Equatable {
    package private(set) var byKey: [String: ShownNotification] = [:]

    /// The maximum number of notifications. Those that expire first are forgotten first.
    package static let maximumCount = 64
    /// The time for which a notification is remembered after it has expired, in seconds.
    private static let remembrance: Int64 = 60
    /// The maximum length of the file in bytes.
    static let maximumLength = 128 << 10

    package init() {}

    package subscript(key: String) -> ShownNotification? {
        get { byKey[key] }
        set { byKey[key] = newValue }
    }

    /// Removes and returns those that expire first, so that at most ``maximumCount`` remain.
    ///
    /// - Parameter key: The notification that was shown last, which remains.
    package mutating func removeExcess(except key: String) -> [ShownNotification] {
        let others = byKey.filter { $0.key != key }.sorted { ($0.value.expires, $0.key) < ($1.value.expires, $1.key) }
        return others.prefix(max(0, byKey.count - Self.maximumCount)).compactMap { byKey.removeValue(forKey: $0.key) }
    }

    /// Reads a file: in each line the identifier, the owner, the bus, the expiry, the process and its start, and the key,
    /// separated by spaces. Lines that are invalid are left out.
    package init(_ text: String) {
        for line in text.split(separator: "\n").prefix(2 * Self.maximumCount) {
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count == 7, let id = UInt32(fields[0]), id > 0, id <= Int32.max,
                let expires = Int64(fields[3]),
                let pid = Int32(fields[4]), let start = UInt64(fields[5]),
                let key = PercentEncoding.decoded(fields[6]), (1...1024).contains(key.utf8.count),
                Self.isName(fields[1]), Self.isName(fields[2])
            else { continue }
            // A negative number, 0 and 1 would signal other processes.
            let waiter = pid > 1 ? WaitingProcess(pid: pid, start: start) : nil
            byKey[key] = ShownNotification(
                id: id, server: ServerIdentity(owner: String(fields[1]), bus: String(fields[2])), expires: expires,
                waiter: waiter)
        }
    }

    /// Returns the contents of the file.
    ///
    /// - Parameter now: The current time of CLOCK_BOOTTIME, in seconds.
    package func text(now: Int64) -> String {
        let kept = byKey.filter { $0.value.expires + Self.remembrance > now }
            .sorted { ($0.value.expires, $0.key) > ($1.value.expires, $1.key) }.prefix(Self.maximumCount)
        var text = ""
        for (key, notification) in kept {
            text +=
                "\(notification.id) \(notification.server.owner) \(notification.server.bus) \(notification.expires) "
            text +=
                "\(notification.waiter?.pid ?? 0) \(notification.waiter?.start ?? 0) \(PercentEncoding.of(key, keeping: "-._:/@+"))\n"
        }
        return text
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The file of the notifications that are shown, in the user's runtime directory, which lives as long as the user's session.
///
/// While the object exists, it holds a lock, so that the hook runs for one event at a time.
package final class DesktopNotificationFile {
    private let folder: CInt
    private let lock: CInt
    private static let name = "bubbles"

    /// Opens the folder `transitd` in the runtime directory, creates it if it does not exist, and waits for the lock.
    package init(runtimeDirectory: String, before deadline: Deadline) throws(DesktopNotificationFailure) {
        let path = runtimeDirectory + "/transitd"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure(path, errno) }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(folder, &status) == 0, status.st_uid == getuid(), status.st_mode & 0o022 == 0 else {
            close(folder)
            throw DesktopNotificationFailure(.unavailable, "\(path) is not a folder that only you can write to")
        }
        let lock = openat(
            folder, Self.name + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard lock >= 0 else {
            let number = errno
            close(folder)
            throw Self.failure("\(path)/\(Self.name).lock", number)
        }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, deadline.remaining > 0 else {
                close(lock)
                close(folder)
                throw DesktopNotificationFailure(.temporary, "another notification has not been shown yet")
            }
            _ = poll(nil, 0, 10)
        }
        self.folder = folder
        self.lock = lock
    }

    deinit {
        close(lock)
        close(folder)
    }

    /// Reads the notifications. A file that is damaged or of another kind counts as empty: notifications are then shown anew.
    package func load() -> ShownNotifications {
        let bytes = SmallFile.read(Self.name, in: folder, limit: ShownNotifications.maximumLength, flags: O_NOFOLLOW) {
            $0.st_mode & S_IFMT == S_IFREG && $0.st_uid == getuid()
        }
        return bytes.map { ShownNotifications(String(decoding: $0, as: UTF8.self)) } ?? ShownNotifications()
    }

    /// Replaces the file atomically.
    package func save(_ notifications: ShownNotifications, now: Int64) throws(DesktopNotificationFailure) {
        let new = Self.name + ".new"
        unlinkat(folder, new, 0)
        let descriptor = openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(new, errno) }
        let written = Descriptors.write(Array(notifications.text(now: now).utf8), to: descriptor)
        let number = errno
        close(descriptor)
        guard written else { throw Self.failure(new, number) }
        guard renameat(folder, new, folder, Self.name) == 0 else { throw Self.failure(Self.name, errno) }
    }

    private static func failure(_ path: String, _ number: CInt) -> DesktopNotificationFailure {
        DesktopNotificationFailure(.unavailable, "cannot use \(path): \(ErrnoText.text(number))")
    }
}
