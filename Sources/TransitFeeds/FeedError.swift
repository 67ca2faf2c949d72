public import TransitModel

/// Why a feed cannot be read. One enumeration for the whole room.
public enum FeedError: Error, Hashable, Sendable {
    /// The system refuses to open or read the file; `reason` is its message.
    case unreadable(path: String, reason: String)
    /// The bytes are something other than a zip archive.
    case notAZip(UnexpectedArchiveContent)
    /// The archive is a zip, but damaged or of a kind that is not read. `member` is the path inside it.
    case archive(member: String?, fault: ArchiveFault)
    /// The archive is larger than ``ArchiveLimits`` allows.
    case limit(ArchiveLimitExceeded)
    /// A table cannot be read as CSV from this place on.
    case table(ValidationReport.Place, reason: String)
    /// The feed was read, and nobody could travel with it. The report tells what was found.
    case refused(reason: String, report: ValidationReport)
    /// The bytes are something other than a GTFS-Realtime message.
    case notRealtime(UnexpectedContent)
    /// The bytes are something other than the JSON document that was asked for; `wanted` names that: "a list of stops".
    case notDocument(UnexpectedContent, wanted: String)
    /// A message is cut or damaged, `offset` bytes from its start. `member` is the path there in a JSON document:
    /// "ServiceDelivery.MonitoredStopVisit[3]".
    case message(MessageFault, offset: Int, member: String? = nil)
    /// The caller asked to stop.
    case canceled
}

/// What arrived where a zip archive was expected, told from its first bytes.
public enum UnexpectedArchiveContent: Hashable, Sendable {
    case empty
    /// The text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    /// A JSON document, mostly an error of an API; `excerpt` is its start on one line.
    case json(excerpt: String)
    case xml(excerpt: String)
    case text(excerpt: String)
    /// Another kind of archive, such as "gzip".
    case otherArchive(String)
    /// It starts as a zip and has no directory at its end: a download that was cut.
    case truncated(count: UInt64)
    case unknown
}

/// What is wrong with an archive or with one member of it.
public enum ArchiveFault: Hashable, Sendable {
    /// A record of the zip format is cut or contradicts itself; `record` is the name in APPNOTE.TXT.
    case damaged(record: String)
    case multipleDisks
    case encrypted
    /// A compression other than stored (0) and deflate (8).
    case method(UInt16)
    /// The deflate stream is broken.
    case deflate
    case checksum(claimed: UInt32, actual: UInt32)
    /// `actual` is `nil` when reading was stopped because the member goes on past its claimed size.
    case size(claimed: UInt64, actual: UInt64?)
    /// Two members share bytes of the archive, which only an attack does.
    case overlap(with: String)
    /// Two members of one name with different contents.
    case duplicate
    /// No folder holds a table of GTFS.
    case noTables(NoTables)
    /// Several folders at one level hold tables.
    case ambiguousFolders([String])
}

/// What the archive holds instead of tables.
public enum NoTables: Hashable, Sendable {
    case noMembers
    /// Another archive, by its path.
    case nestedArchive(String)
    /// Tables, but with names that lead out of the archive; one of them.
    case unsafePath(String)
    /// Tables named `.csv`; one of them.
    case otherExtension(String)
    case otherFiles(count: Int)
}

/// Which of the ``ArchiveLimits`` was passed.
public enum ArchiveLimitExceeded: Hashable, Sendable {
    case members(count: UInt64, limit: Int)
    case directorySize(UInt64, limit: UInt64)
    case totalSize(UInt64, limit: UInt64)
    case memberSize(member: String, size: UInt64, limit: UInt64)
    case ratio(member: String, size: UInt64, compressedSize: UInt64, limit: Int)
    /// The number of bytes of memory that reading the feed would take or has taken.
    case memory(UInt64, limit: UInt64)
}

/// What arrived where a GTFS-Realtime message was expected, told from its content. Nothing of the content is kept.
public enum UnexpectedContent: Hashable, Sendable {
    case empty
    /// The text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    case xml
    /// Mostly an error of an API.
    case text
    /// A JSON document without a header and without entities, mostly an error of an API.
    case otherJSON
    /// A compressed file or an archive, such as "gzip".
    case archive(String)
    case unknown
}

/// What is wrong with the bytes of a message.
public enum MessageFault: Hashable, Sendable {
    /// It ends in the middle of a value.
    case truncated
    /// Values are nested deeper than is read.
    case depth
    /// protobuf: a number of more than ten bytes.
    case varint
    /// protobuf: field number 0, a wire type that does not exist, or the end of a group that was not begun.
    case tag
    /// JSON: this place needs something else.
    case expected(JSONExpectation)
    /// JSON: text follows the end of the document.
    case trailing
    /// JSON: a member of that name must be there and is not.
    case missing(String)
    /// The document says that the upstream could not answer.
    case failed
}

/// What the grammar of JSON (RFC 8259) asks for.
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
