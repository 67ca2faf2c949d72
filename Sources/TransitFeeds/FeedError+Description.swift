internal import TransitModel

extension FeedError: CustomStringConvertible {
    /// One sentence for a person: the place, then the cause, then what to do where that is known.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .notAZip(let kind): kind.description
        case .archive(let member?, let fault): "\(member): \(fault)"
        case .archive(nil, let fault): "The zip archive cannot be used: \(fault)"
        case .limit(let exceeded): exceeded.description
        case .table(let place, let reason): "\(Self.text(of: place)): \(reason)"
        case .refused(let reason, _): reason
        case .notRealtime(let kind): kind.description
        case .notDocument(let kind, let wanted): kind.description(wanted: wanted)
        case .message(let fault, let offset, let member?):
            "The message is damaged at byte \(offset), in \(member): \(fault)"
        case .message(let fault, let offset, nil): "The message is damaged at byte \(offset): \(fault)"
        case .canceled: "Reading was canceled"
        }
    }

    private static func text(of place: ValidationReport.Place) -> String {
        var text = place.file
        if let line = place.line { text += ", line \(line)" }
        if let column = place.column { text += ", column \(column)" }
        return text
    }
}

extension UnexpectedArchiveContent: CustomStringConvertible {
    /// A sentence that names what arrived and, where it helps, what to ask for instead.
    public var description: String {
        switch self {
        case .empty: "The file is empty; a GTFS feed is a zip archive"
        case .gitLargeFilePointer:
            "The file is a git-lfs pointer, not the feed itself; use the address of the large file"
        case .htmlPage: "The file is an HTML page, not a zip archive; the address may need a key or may have moved"
        case .json(let excerpt): "The file is a JSON document, not a zip archive; it begins \(excerpt)"
        case .xml(let excerpt): "The file is an XML document, not a zip archive; it begins \(excerpt)"
        case .text(let excerpt): "The file is text, not a zip archive; it begins \(excerpt)"
        case .otherArchive(let kind): "The file is a \(kind) archive; a GTFS feed is a zip archive"
        case .truncated(let count): "The zip archive is cut after \(count) bytes: its directory is missing"
        case .unknown: "The file is not a zip archive"
        }
    }
}

extension UnexpectedContent: CustomStringConvertible {
    /// A sentence that names what arrived, without quoting it.
    public var description: String {
        switch self {
        case .empty: "The answer is empty; a GTFS-Realtime message has a header at least"
        case .gitLargeFilePointer:
            "The answer is a git-lfs pointer, not the message itself; use the address of the large file"
        case .htmlPage: "The answer is an HTML page, not GTFS-Realtime; the address may need a key or may have moved"
        case .xml: "The answer is an XML document, not GTFS-Realtime; ask for protobuf or JSON"
        case .text: "The answer is plain text, not GTFS-Realtime; the key may be missing or refused"
        case .otherJSON: "The answer is a JSON document that is not GTFS-Realtime: it has neither header nor entities"
        case .archive(let kind): "The answer is a \(kind) archive, not a GTFS-Realtime message"
        case .unknown: "The answer is neither protobuf nor JSON of GTFS-Realtime"
        }
    }
}

extension UnexpectedContent {
    /// The same about another kind of document: "a list of stops".
    fileprivate func description(wanted: String) -> String {
        switch self {
        case .empty: "The answer is empty; there must be \(wanted)"
        case .gitLargeFilePointer: "The answer is a git-lfs pointer, not \(wanted); use the address of the large file"
        case .htmlPage: "The answer is an HTML page, not \(wanted); the address may need a key or may have moved"
        case .xml: "The answer is an XML document, not \(wanted); ask for JSON"
        case .text: "The answer is plain text, not \(wanted); the key may be missing or refused"
        case .otherJSON: "The answer is a JSON document, but not \(wanted)"
        case .archive(let kind): "The answer is a \(kind) archive, not \(wanted)"
        case .unknown: "The answer is not \(wanted)"
        }
    }
}

extension MessageFault: CustomStringConvertible {
    /// The cause, to follow the place.
    public var description: String {
        switch self {
        case .truncated: "it ends in the middle of a value"
        case .depth: "it is nested too deeply"
        case .varint: "a number has more than ten bytes"
        case .tag: "a field has no valid number or type"
        case .expected(let expectation): "there must be \(expectation.rawValue)"
        case .trailing: "something follows the end of the document"
        case .missing(let name): "\(name) is not there"
        case .failed: "the source says that it could not answer"
        }
    }
}

extension ArchiveFault: CustomStringConvertible {
    /// The cause, to follow the name of the member.
    public var description: String {
        switch self {
        case .damaged(let record): "the \(record) is damaged or cut"
        case .multipleDisks: "it is one part of an archive of several parts"
        case .encrypted: "it is encrypted"
        case .method(let number):
            "it is compressed with \(Self.name(ofMethod: number)); only stored and deflate are read"
        case .deflate: "the compressed data is damaged"
        case .checksum(let claimed, let actual):
            "the CRC-32 is \(String(actual, radix: 16)), the archive claims \(String(claimed, radix: 16))"
        case .size(let claimed, let actual?): "it has \(actual) bytes, the archive claims \(claimed)"
        case .size(let claimed, nil): "it has more than the \(claimed) bytes that the archive claims"
        case .overlap(let other): "it shares bytes of the archive with \(other)"
        case .duplicate: "the archive holds it twice with different contents"
        case .noTables(let instead): instead.description
        case .ambiguousFolders(let folders):
            "\(folders.count) folders hold tables of GTFS (\(folders.prefix(3).joined(separator: ", "))); a feed has one"
        }
    }

    private static func name(ofMethod number: UInt16) -> String {
        switch number {
        case 9: "Deflate64"
        case 12: "bzip2"
        case 14: "LZMA"
        case 93: "Zstandard"
        case 95: "XZ"
        default: "method \(number)"
        }
    }
}

extension NoTables: CustomStringConvertible {
    /// The cause, to follow "cannot be used:".
    public var description: String {
        switch self {
        case .noMembers: "it is empty"
        case .nestedArchive(let path): "it holds no tables, but another archive, \(path); unpack that one"
        case .unsafePath(let path): "the names of its tables lead out of the archive, such as \(path)"
        case .otherExtension(let path): "its tables must be named .txt, and it holds \(path)"
        case .otherFiles(let count): "none of its \(count) files is a table of GTFS, such as stops.txt"
        }
    }
}

extension ArchiveLimitExceeded: CustomStringConvertible {
    /// What was found and the limit it passes.
    public var description: String {
        switch self {
        case .members(let count, let limit): "The zip archive has \(count) members; the limit is \(limit)"
        case .directorySize(let size, let limit):
            "The directory of the zip archive has \(size) bytes; the limit is \(limit)"
        case .totalSize(let size, let limit): "The tables unpack to \(size) bytes; the limit is \(limit)"
        case .memberSize(let member, let size, let limit):
            "\(member): it unpacks to \(size) bytes; the limit is \(limit)"
        case .ratio(let member, let size, let compressedSize, let limit):
            "\(member): \(compressedSize) bytes unpack to \(size), more than \(limit) times as much"
        case .memory(let needed, let limit):
            "Reading it takes \(needed >> 20) MiB of memory or more; the limit is \(limit >> 20) MiB"
        }
    }
}
