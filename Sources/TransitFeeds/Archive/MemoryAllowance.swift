/// The memory limit for reading one feed, and the measurement of memory use.
public struct MemoryAllowance: Sendable {
    /// The number of bytes that reading may take beyond the memory in use when it begins.
    public var limit: UInt64
    /// The number of bytes in use from which `limit` counts; `nil` for the number in use when reading begins.
    public var base: UInt64?
    /// Returns the number of bytes that the process uses now.
    public var inUse: @Sendable () -> UInt64

    public init(limit: UInt64, base: UInt64? = nil, inUse: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.base = base
        self.inUse = inUse
    }
}

extension ZipArchive {
    /// The approximate number of bytes of memory that reading and writing the feed takes, estimated from the table
    /// sizes alone.
    ///
    /// The estimate assumes rows of typical length. A maliciously crafted table takes more memory.
    /// ``MemoryAllowance/inUse`` detects this during reading.
    ///
    /// - Parameter isPartial: Whether only a part of the feed is kept.
    public func memoryEstimate(isPartial: Bool = false) -> UInt64 {
        let percents = isPartial ? Self.percentOfPart : Self.percentInMemory
        return tables.reduce(Self.baseMemory) { sum, member in
            let (bytes, percent) = (member.size, percents[asciiLowercased(member.name)] ?? 0)
            let (total, overflow) = sum.addingReportingOverflow(bytes / 100 * percent)
            return overflow ? .max : total
        }
    }

    /// The ring buffer of unpacked bytes, data structures of constant size, and the cache of the written file.
    private static let baseMemory: UInt64 = 16 << 20

    /// The bytes of memory per 100 bytes of a table, measured with feeds of 1.5 to 44 million stop times.
    private static let percentInMemory: [String: UInt64] = [
        "stop_times.txt": 18, "trips.txt": 200, "stops.txt": 400, "shapes.txt": 20, "calendar_dates.txt": 60,
        "routes.txt": 800, "transfers.txt": 200, "translations.txt": 300, "frequencies.txt": 100,
        "pathways.txt": 300,
    ]

    /// The same if only a part of the feed is kept. Trips and stops are in memory until it is known which of them are
    /// kept. The size of the part is not known in advance; ``MemoryAllowance/inUse`` applies to it.
    private static let percentOfPart: [String: UInt64] = [
        "stop_times.txt": 2, "trips.txt": 150, "stops.txt": 200, "shapes.txt": 2, "calendar_dates.txt": 60,
        "routes.txt": 800, "transfers.txt": 20, "translations.txt": 100, "frequencies.txt": 20,
        "pathways.txt": 150,
    ]
}
