public import TransitFeeds

/// A feed written in a test as text, packed to a zip in memory.
///
/// ```swift
/// let feed = FeedBuilder.small.file("calendar.txt", """
///     service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
///     daily,1,1,1,1,1,1,1,20260101,20261231
///     """)
/// let archive = try ZipArchive(feed.source)
/// ```
public struct FeedBuilder: Sendable {
    private var files: [(name: String, contents: [UInt8])] = []

    /// Without any file.
    public init() {}

    /// With a file added or replaced. The text is taken as it is.
    public func file(_ name: String, _ text: String) -> FeedBuilder { file(name, bytes: Array(text.utf8)) }

    /// With a file added or replaced, from bytes: for other encodings.
    public func file(_ name: String, bytes: [UInt8]) -> FeedBuilder {
        var copy = self
        if let position = files.firstIndex(where: { $0.name == name }) {
            copy.files[position].contents = bytes
        } else {
            copy.files.append((name, bytes))
        }
        return copy
    }

    /// With lines added at the end of a file, which is created when it is missing.
    public func adding(_ lines: String, to name: String) -> FeedBuilder {
        var contents = files.first { $0.name == name }?.contents ?? []
        if let last = contents.last, last != 0x0A { contents.append(0x0A) }
        return file(name, bytes: contents + Array(lines.utf8))
    }

    /// Without a file.
    public func without(_ name: String) -> FeedBuilder {
        var copy = self
        copy.files.removeAll { $0.name == name }
        return copy
    }

    /// With all files in a folder.
    public func inFolder(_ folder: String) -> FeedBuilder {
        var copy = self
        copy.files = files.map { ("\(folder)/\($0.name)", $0.contents) }
        return copy
    }

    /// The text of a file; empty when it is missing.
    public subscript(name: String) -> String {
        String(decoding: files.first { $0.name == name }?.contents ?? [], as: UTF8.self)
    }

    /// The zip archive.
    public func zip(isStored: Bool = false) -> [UInt8] {
        var writer = ZipWriter()
        for file in files { writer.add(file.name, file.contents, isStored: isStored) }
        return writer.finish()
    }

    /// The zip archive as a source to read from.
    public var source: MemoryByteSource { MemoryByteSource(zip()) }
}
