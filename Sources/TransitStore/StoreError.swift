/// What goes wrong in the store. The messages are for people; they name the file or the thing that was asked for.
public enum StoreError: Error, Hashable, Sendable {
    /// What was asked for by name is not there, such as `commute "gym"`.
    case notFound(String)
    /// What was to be made is there already.
    case exists(String)
    /// A value that the store does not take; the text says which and why.
    case invalid(String)
    /// The file is not one of ours: its `application_id` is another one, or it is no SQLite database at all.
    case notATimetable(path: String)
    /// Written by another release, in a form that this one does not read.
    case format(path: String, found: Int, supported: Int)
    /// The file does not hold what it should; found while reading it. It has to be imported again.
    case corrupt(path: String, detail: String)
    /// No space is left (or a quota or file size limit is reached) where the file is written.
    case diskFull(path: String)
    /// The operating system refused; `reason` is its own text.
    case file(path: String, operation: String, reason: String)
    /// SQLite refused for a reason that is none of the above.
    case database(path: String, detail: String)
    /// The draft that was to be written contradicts itself: a defect of the provider, not of the store.
    case draft(String)
    /// The caller asked to stop.
    case canceled
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let what): "there is no \(what)"
        case .exists(let what): "there is a \(what) already"
        case .invalid(let reason): reason
        case .notATimetable(let path): "\(path) is not a timetable file of transitd"
        case .format(let path, let found, let supported):
            "\(path) has format \(found), this release reads format \(supported): import the feed again"
        case .corrupt(let path, let detail): "\(path) is damaged: \(detail)"
        case .diskFull(let path): "no space left to write \(path)"
        case .file(let path, let operation, let reason): "cannot \(operation) \(path): \(reason)"
        case .database(let path, let detail): "the database \(path) refuses: \(detail)"
        case .draft(let detail): "the timetable contradicts itself: \(detail)"
        case .canceled: "canceled"
        }
    }
}
