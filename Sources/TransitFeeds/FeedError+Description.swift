internal import TransitModel

extension FeedError: CustomStringConvertible {
    /// One sentence for the user: the location, then the cause, then the remedy if there is one.
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
            "The message is malformed at byte \(offset), in \(member): \(fault)"
        case .message(let fault, let offset, nil): "The message is malformed at byte \(offset): \(fault)"
        case .canceled: "Reading was canceled"
        }
    }

    private static func text(of place: ValidationReport.Location) -> String {
        var text = place.file
        if let line = place.line { text += ", line \(line)" }
        if let column = place.column { text += ", column \(column)" }
        return text
    }
}

extension UnexpectedArchiveContent: CustomStringConvertible {
    /// A sentence that names the content and, where possible, the remedy.
    public var description: String {
        switch self {
        case .empty: "The file is empty; a GTFS feed is a zip archive"
        case .gitLargeFilePointer:
            "The file is a git-lfs pointer, not the feed itself; use the URL of the large file"
        case .htmlPage: "The file is an HTML page, not a zip archive; the URL may require a key or may have moved"
        case .json(let excerpt): "The file is a JSON document, not a zip archive; it begins with \(excerpt)"
        case .xml(let excerpt): "The file is an XML document, not a zip archive; it begins with \(excerpt)"
        case .text(let excerpt): "The file is text, not a zip archive; it begins with \(excerpt)"
        case .otherArchive(let kind): "The file is a \(kind) archive; a GTFS feed is a zip archive"
        case .truncated(let count): "The zip archive is truncated after \(count) bytes: its directory is missing"
        case .unknown: "The file is not a zip archive"
        }
    }
}

extension UnexpectedContent: CustomStringConvertible {
    /// A sentence that names the content of the response without quoting it.
    public var description: String {
        switch self {
        case .empty: "The response is empty; a GTFS-Realtime message has at least a header"
        case .gitLargeFilePointer:
            "The response is a git-lfs pointer, not the message itself; use the URL of the large file"
        case .htmlPage: "The response is an HTML page, not GTFS-Realtime; the URL may require a key or may have moved"
        case .xml: "The response is an XML document, not GTFS-Realtime; request protobuf or JSON"
        case .text: "The response is plain text, not GTFS-Realtime; the key may be missing or rejected"
        case .otherJSON: "The response is a JSON document, not GTFS-Realtime: it has neither a header nor entities"
        case .archive(let kind): "The response is a \(kind) archive, not a GTFS-Realtime message"
        case .unknown: "The response is neither GTFS-Realtime protobuf nor GTFS-Realtime JSON"
        }
    }
}

extension UnexpectedContent {
    /// Returns a sentence for a response that is not the expected document, such as "a list of stops".
    fileprivate func description(wanted: String) -> String {
        switch self {
        case .empty: "The response is empty; expected \(wanted)"
        case .gitLargeFilePointer: "The response is a git-lfs pointer, not \(wanted); use the URL of the large file"
        case .htmlPage: "The response is an HTML page, not \(wanted); the URL may require a key or may have moved"
        case .xml: "The response is an XML document, not \(wanted); request JSON"
        case .text: "The response is plain text, not \(wanted); the key may be missing or rejected"
        case .otherJSON: "The response is a JSON document, but not \(wanted)"
        case .archive(let kind): "The response is a \(kind) archive, not \(wanted)"
        case .unknown: "The response is not \(wanted)"
        }
    }
}

extension MessageFault: CustomStringConvertible {
    /// The cause, as a clause that follows the location.
    public var description: String {
        switch self {
        case .truncated: "it ends in the middle of a value"
        case .depth: "it is nested too deeply"
        case .varint: "a number has more than ten bytes"
        case .tag: "a field has an invalid number or type"
        case .expected(let expectation): "expected \(expectation.rawValue)"
        case .trailing: "unexpected data after the end of the document"
        case .missing(let name): "\(name) is missing"
        case .failed: "the source reports that it could not process the request"
        }
    }
}

extension ArchiveFault: CustomStringConvertible {
    /// The cause, as a clause that follows the name of the member.
    public var description: String {
        switch self {
        case .damaged(let record): "the \(record) is corrupt or truncated"
        case .multipleDisks: "it is one part of a multi-part archive"
        case .encrypted: "it is encrypted"
        case .method(let number):
            "it is compressed with \(Self.name(ofMethod: number)); only stored and deflate are supported"
        case .deflate: "the compressed data is corrupt"
        case .checksum(let claimed, let actual):
            "the CRC-32 is \(String(actual, radix: 16)), but the archive declares \(String(claimed, radix: 16))"
        case .size(let claimed, let actual?): "it has \(actual) bytes, but the archive declares \(claimed)"
        case .size(let claimed, nil): "it has more than the \(claimed) bytes that the archive declares"
        case .overlap(let other): "it overlaps \(other) in the archive"
        case .duplicate: "the archive contains it twice with different contents"
        case .noTables(let reason): reason.description
        case .ambiguousFolders(let folders):
            "\(folders.count) folders contain GTFS tables (\(folders.prefix(3).joined(separator: ", "))); expected one"
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
    /// The cause, as a clause that follows "cannot be used:".
    public var description: String {
        switch self {
        case .noMembers: "it is empty"
        case .nestedArchive(let path): "it contains another archive, \(path), instead of tables; use that archive"
        case .unsafePath(let path): "the paths of its tables, such as \(path), point outside the archive"
        case .otherExtension(let path): "its tables must end in .txt, but it contains \(path)"
        case .otherFiles(let count): "none of its \(count) files is a GTFS table, such as stops.txt"
        }
    }
}

extension ArchiveLimitExceeded: CustomStringConvertible {
    /// A sentence with the value and the limit that it exceeds.
    public var description: String {
        switch self {
        case .members(let count, let limit): "The zip archive has \(count) files; the limit is \(limit)"
        case .directorySize(let size, let limit):
            "The directory of the zip archive has \(size) bytes; the limit is \(limit)"
        case .totalSize(let size, let limit): "The tables unpack to \(size) bytes; the limit is \(limit)"
        case .memberSize(let member, let size, let limit):
            "\(member): it unpacks to \(size) bytes; the limit is \(limit)"
        case .ratio(let member, let size, let compressedSize, let limit):
            "\(member): \(compressedSize) bytes unpack to \(size) bytes, more than \(limit) times as many"
        case .memory(let needed, let limit):
            "Reading it takes at least \(needed >> 20) MiB of memory; the limit is \(limit >> 20) MiB"
        }
    }
}
