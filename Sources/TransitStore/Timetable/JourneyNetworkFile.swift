public import TransitModel

/// The file with the ``JourneyNetwork`` of a timetable version, beside its timetable file: `2.network` beside
/// `2.timetable`. docs/formats.md describes the format.
///
/// A file is never changed. It is written under another name, flushed and renamed.
public enum JourneyNetworkFile {
    static let suffix = ".network"

    static func path(of file: TimetableFile) -> String {
        let timetable = VersionFolder.suffix
        return (file.path.hasSuffix(timetable) ? String(file.path.dropLast(timetable.count)) : file.path) + suffix
    }

    /// Returns the network of a timetable; `nil` if there is no file, or if it has another format or source, as after an
    /// update of this program. The file is mapped into memory and remains mapped as long as the network exists.
    ///
    /// - Throws: ``StoreError/corrupt(path:detail:)`` if the file is damaged, and errors of the operating system.
    public static func open(
        of file: TimetableFile, from source: JourneyNetwork.Source
    ) throws(StoreError) -> JourneyNetwork? {
        let path = path(of: file)
        if case .missing = FileSystem.entry(at: path) { return nil }
        let bytes = JourneyNetworkBytes(try FileSystem.map(path)) { FileSystem.unmap($0) }
        do throws(JourneyNetworkError) {
            let header = try JourneyNetworkHeader(bytes.buffer)
            guard header.source == source else { return nil }
            let checked = UnsafeRawBufferPointer(rebasing: bytes.buffer[JourneyNetworkHeader.checkedFrom...])
            guard header.checksum == checksum(checked) else {
                throw JourneyNetworkError.malformed("its checksum is wrong")
            }
            return try JourneyNetwork(bytes, of: file.summary.counts)
        } catch {
            if error == .format { return nil }
            throw .corrupt(path: path, detail: error.description)
        }
    }

    /// Writes the bytes of a network beside its timetable and replaces an earlier file. After an error, there is no
    /// unfinished file, or the next start removes it.
    static func write(_ bytes: [UInt8], of file: TimetableFile) throws(StoreError) {
        let path = path(of: file)
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.remove(building)
            try FileSystem.write(bytes, to: building)
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(FileSystem.parent(of: path) ?? ".")
        } catch {
            // Report the first error.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// Returns the checksum in the header of a network.
    public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { Checksum.of(bytes) }
}

extension JourneyNetwork.Source {
    /// - Parameters:
    ///   - file: The timetable.
    ///   - rules: The version of the rules by which the network is derived.
    ///   - walkingDistance: The greatest distance of a walk between two stops in meters.
    public init(_ file: TimetableFile, rules: Int, walkingDistance: Double) {
        let summary = file.summary
        let counts = summary.counts
        // A forced import can number the rows of the same content in another way, so the content alone is not enough.
        let parts = [
            summary.contentDigest, summary.subset?.rule ?? "", "\(summary.origin.fetched.secondsSince1970)",
            "\(counts.stops) \(counts.routes) \(counts.trips) \(counts.patterns) \(counts.services)",
            "\(TimetableSchema.version) \(rules) \(walkingDistance.bitPattern)",
        ]
        self.init(hash: IdentifierHash.of(parts.joined(separator: "\0")))
    }
}
