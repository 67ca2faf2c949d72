public import TransitFeeds

/// Builds a feed from text and archives it in memory.
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

    /// Creates a feed without files.
    public init() {}

    /// Adds or replaces a file. The text is used unchanged.
    public func file(_ name: String, _ text: String) -> FeedBuilder { file(name, bytes: Array(text.utf8)) }

    /// Adds or replaces a file with bytes, for other encodings.
    public func file(_ name: String, bytes: [UInt8]) -> FeedBuilder {
        var copy = self
        if let position = files.firstIndex(where: { $0.name == name }) {
            copy.files[position].contents = bytes
        } else {
            copy.files.append((name, bytes))
        }
        return copy
    }

    /// Appends lines to a file, which is created if it is missing.
    public func adding(_ lines: String, to name: String) -> FeedBuilder {
        var contents = files.first { $0.name == name }?.contents ?? []
        if let last = contents.last, last != 0x0A { contents.append(0x0A) }
        return file(name, bytes: contents + Array(lines.utf8))
    }

    /// Removes a file.
    public func without(_ name: String) -> FeedBuilder {
        var copy = self
        copy.files.removeAll { $0.name == name }
        return copy
    }

    /// Moves all files to a folder.
    public func inFolder(_ folder: String) -> FeedBuilder {
        var copy = self
        copy.files = files.map { ("\(folder)/\($0.name)", $0.contents) }
        return copy
    }

    /// The names of the files, in the order in which they were added.
    public var names: [String] { files.map(\.name) }

    /// The text of a file; empty if the file is missing.
    public subscript(name: String) -> String {
        String(decoding: files.first { $0.name == name }?.contents ?? [], as: UTF8.self)
    }

    /// The feed as a zip archive.
    public func zip(isStored: Bool = false) -> [UInt8] {
        var writer = ZipWriter()
        for file in files { writer.add(file.name, file.contents, isStored: isStored) }
        return writer.finish()
    }

    /// The zip archive as a byte source.
    public var source: MemoryByteSource { MemoryByteSource(zip()) }
}
