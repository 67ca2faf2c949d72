/// An error of the store. The descriptions are meant for users and name the file or object.
public enum StoreError: Error, Hashable, Sendable {
    /// An object was not found, such as `commute "gym"`.
    case notFound(String)
    /// An object with the same name exists.
    case exists(String)
    /// A value is not accepted. The text names the value and the reason.
    case invalid(String)
    /// The file is not a timetable file of transitd: its `application_id` differs, or it is not an SQLite database.
    case notATimetable(path: String)
    /// The file was written by another release in a format that this release does not support.
    case format(path: String, found: Int, supported: Int)
    /// The file is corrupt. A timetable has to be imported again.
    case corrupt(path: String, detail: String)
    /// No space is left, or a quota or the limit on file sizes is reached.
    case diskFull(path: String)
    /// Another process has locked the file for longer than a statement waits.
    case locked(path: String)
    /// A system call failed; `reason` is the message of the operating system.
    case file(path: String, operation: String, reason: String)
    /// SQLite reported an error that no other case covers. `code` is SQLite's primary result code
    /// (sqlite.org/rescode.html), and `detail` is its message.
    case database(path: String, code: Int32, detail: String)
    /// The draft to write is inconsistent, which is caused by a defect in the provider, not in the store.
    case draft(String)
    /// The caller canceled the operation.
    case canceled
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let what): "there is no \(what)"
        case .exists(let what): "\(what) already exists"
        case .invalid(let reason): reason
        case .notATimetable(let path): "\(path) is not a timetable file of transitd"
        case .format(let path, let found, let supported):
            "\(path) has format \(found), but this release supports format \(supported); import the feed again"
        case .corrupt(let path, let detail): "\(path) is corrupt: \(detail)"
        case .diskFull(let path): "no space left to write \(path)"
        case .locked(let path): "another process has locked \(path)"
        case .file(let path, let operation, let reason): "cannot \(operation) \(path): \(reason)"
        case .database(let path, _, let detail): "database error in \(path): \(detail)"
        case .draft(let detail): "the timetable is inconsistent: \(detail)"
        case .canceled: "canceled"
        }
    }
}
