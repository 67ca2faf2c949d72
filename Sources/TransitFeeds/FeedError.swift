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

/// Content received in place of a zip archive, recognized by its first bytes.
public enum UnexpectedArchiveContent: Hashable, Sendable {
    case empty
    /// A git-lfs pointer, the text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    /// A JSON document, usually an API error. `excerpt` is its beginning on one line.
    case json(excerpt: String)
    case xml(excerpt: String)
    case text(excerpt: String)
    /// Another kind of archive, such as "gzip".
    case otherArchive(String)
    /// A zip archive without a directory at its end, usually an incomplete download of `count` bytes.
    case truncated(count: UInt64)
    case unknown
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

/// Content received in place of a GTFS-Realtime message or a JSON document. The content itself is not stored.
public enum UnexpectedContent: Hashable, Sendable {
    case empty
    /// A git-lfs pointer, the text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    case xml
    /// Plain text, usually an API error.
    case text
    /// A JSON document without a header and without entities, usually an API error.
    case otherJSON
    /// A compressed file or an archive, such as "gzip".
    case archive(String)
    case unknown
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
