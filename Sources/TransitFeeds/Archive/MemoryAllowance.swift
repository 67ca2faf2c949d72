/// How much memory the reading of one feed may take, and how it is measured.
public struct MemoryAllowance: Sendable {
    /// Bytes that reading may take beyond what the process has when it begins.
    public var limit: UInt64
    /// Bytes that the process has now.
    public var inUse: @Sendable () -> UInt64

    public init(limit: UInt64, inUse: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.inUse = inUse
    }
}

extension ZipArchive {
    /// About how many bytes of memory it takes to read and write the feed, told from the sizes of its tables alone.
    ///
    /// For tables with rows of usual lengths. A table that is written to deceive takes more; the measurement of
    /// ``MemoryAllowance/inUse`` notices that while it is read.
    public var memoryEstimate: UInt64 {
        tables.reduce(Self.baseMemory) { sum, member in
            let (bytes, percent) = (member.size, Self.percentInMemory[asciiLowercased(member.name)] ?? 0)
            let (total, overflow) = sum.addingReportingOverflow(bytes / 100 * percent)
            return overflow ? .max : total
        }
    }

    /// The ring of unpacked bytes, tables of constant size, the cache of the file that is written.
    private static let baseMemory: UInt64 = 16 << 20

    /// How many bytes in memory 100 bytes of a table become: measured with feeds of 1.5 to 44 million stop times.
    private static let percentInMemory: [String: UInt64] = [
        "stop_times.txt": 18, "trips.txt": 200, "stops.txt": 400, "shapes.txt": 20, "calendar_dates.txt": 60,
        "routes.txt": 400, "transfers.txt": 200, "translations.txt": 300, "frequencies.txt": 100,
    ]
}
