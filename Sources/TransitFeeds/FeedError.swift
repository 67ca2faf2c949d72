public import TransitModel

/// An error that prevents a feed or a realtime message from being read.
public enum FeedError: Error, Hashable, Sendable {
    /// The file cannot be opened or read. `reason` is the message of the operating system.
    case unreadable(path: String, reason: String)
    /// The bytes are not a zip archive.
    case notAZip(UnexpectedArchiveContent)
    /// The zip archive is corrupt or of an unsupported kind. `member` is the path of the affected file in the archive.
    case archive(member: String?, fault: ArchiveFault)
    /// The archive exceeds a limit of ``ArchiveLimits``, or reading it exceeds the memory limit.
    case limit(ArchiveLimitExceeded)
    /// A table cannot be parsed as CSV past this position.
    case table(ValidationReport.Location, reason: String)
    /// The feed was read but has no usable trips. `report` lists the problems.
    case refused(reason: String, report: ValidationReport)
    /// The bytes are not a GTFS-Realtime message.
    case notRealtime(UnexpectedContent)
    /// The bytes are not the requested JSON document. `wanted` describes that document, for example "a list of stops".
    case notDocument(UnexpectedContent, wanted: String)
    /// A message is truncated or malformed at `offset` bytes from its start. `member` is the path of the affected value
    /// in a JSON document, for example "ServiceDelivery.MonitoredStopVisit[3]".
    case message(MessageFault, offset: Int, member: String? = nil)
    /// The caller canceled reading.
    case canceled
}

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

/// A defect of an archive or of one of its members.
public enum ArchiveFault: Hashable, Sendable {
    /// A record of the zip format is truncated or inconsistent. `record` is its name in APPNOTE.TXT.
    case damaged(record: String)
    case multipleDisks
    case encrypted
    /// A compression method other than stored (0) and deflate (8).
    case method(UInt16)
    /// The deflate stream is corrupt.
    case deflate
    case checksum(claimed: UInt32, actual: UInt32)
    /// The size does not match the declared size. `actual` is `nil` if the member is longer than declared, because
    /// reading stops early in that case.
    case size(claimed: UInt64, actual: UInt64?)
    /// Two members share bytes of the archive, which happens only in malicious archives.
    case overlap(with: String)
    /// Two members have the same name and different contents.
    case duplicate
    /// No folder contains a GTFS table.
    case noTables(NoTables)
    /// Several folders at the same level contain tables.
    case ambiguousFolders([String])
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

/// The reason why no GTFS table was found in an archive.
public enum NoTables: Hashable, Sendable {
    case noMembers
    /// The archive contains another archive at this path.
    case nestedArchive(String)
    /// The paths of the tables point outside the archive. The value is one of the paths.
    case unsafePath(String)
    /// The tables are named `.csv`. The value is the path of one of them.
    case otherExtension(String)
    case otherFiles(count: Int)
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

/// The exceeded limit: one of the ``ArchiveLimits`` or the ``MemoryAllowance``.
public enum ArchiveLimitExceeded: Hashable, Sendable {
    case members(count: UInt64, limit: Int)
    case directorySize(UInt64, limit: UInt64)
    case totalSize(UInt64, limit: UInt64)
    case memberSize(member: String, size: UInt64, limit: UInt64)
    case ratio(member: String, size: UInt64, compressedSize: UInt64, limit: Int)
    /// The number of bytes of memory that reading the feed would take or has taken.
    case memory(UInt64, limit: UInt64)
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

/// A defect in the bytes of a message.
public enum MessageFault: Hashable, Sendable {
    /// The message ends in the middle of a value.
    case truncated
    /// Values are nested deeper than the limit.
    case depth
    /// protobuf: a number has more than ten bytes.
    case varint
    /// protobuf: the field number is 0, the wire type is undefined, or a group ends without having started.
    case tag
    /// JSON: the given element was expected here.
    case expected(JSONExpectation)
    /// JSON: data follows the end of the document.
    case trailing
    /// JSON: the required member with this name is missing.
    case missing(String)
    /// The document reports that the upstream could not process the request.
    case failed
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

/// An element that the JSON grammar (RFC 8259) requires.
public enum JSONExpectation: String, Hashable, Sendable {
    case value = "a value"
    case name = "the name of a member"
    case colon = "a colon"
    case commaOrEnd = "a comma or the end of the array or object"
    case escape = "an escape sequence"
    case digit = "a digit"
    case object = "an object"
    case array = "an array"
}

/// A syntax error in a message.
package struct MalformedMessageError: Error, Hashable, Sendable {
    package var fault: MessageFault
    /// The position of the error in bytes from the start of the body.
    package var offset: Int

    package init(_ fault: MessageFault, at offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// The error as a ``FeedError``.
    package var feedError: FeedError { .message(fault, offset: offset) }

    /// Returns the error as a ``FeedError`` with the path of the affected value in a JSON document.
    package func feedError(in document: UnsafeBufferPointer<UInt8>) -> FeedError {
        .message(fault, offset: offset, member: JSONReader.path(to: offset, in: document))
    }
}
