internal import TransitModel

/// Stores stop times that cannot be processed until the end of the source: the stop times of trips whose rows are not
/// consecutive or need repair.
///
/// Each row is packed into about twenty bytes and links to the previous row of the same trip. Even a completely
/// unsorted source therefore needs neither a global sort nor an array per trip. The bytes are stored in chunks, because
/// a growing array briefly needs memory for two copies of its contents. After ``chunksInMemory`` chunks, further chunks
/// are moved to an unnamed file if the caller provides a folder for it.
struct ScatteredStopTimes: Sendable {
    private static let chunkSize = 1 << 20
    /// An upper bound on the size of a packed row, in bytes.
    private static let rowSize = 80

    /// The number of chunks that stay in memory.
    private static let chunksInMemory = 8
    /// The number of bytes read from the file at once. Consecutive rows of a trip are often close together in the file.
    private static let windowSize = 4096

    /// The chunks. A chunk that was moved to the file is empty.
    private var chunks: [[UInt8]] = []
    private let file: ScratchFile?
    /// Whether a row in the file could not be read back.
    private(set) var isBroken = false
    private var window: [UInt8] = []
    /// The byte offset at which ``window`` begins.
    private var windowStart = 0

    /// The offset of the latest row of each trip plus one, or 0 if the trip has no row.
    private var lastRows: [UInt64] = []

    /// - Parameter folder: The folder for the unnamed file, or `nil` to keep all rows in memory.
    init(folder: String? = nil) { file = folder.flatMap { ScratchFile(in: $0) } }

    var isEmpty: Bool { chunks.isEmpty }

    /// Whether a chunk was moved to the file.
    var usesFile: Bool { chunks.contains(where: \.isEmpty) }

    /// An exclusive upper bound on the numbers of the trips that have rows.
    var tripLimit: UInt32 { UInt32(lastRows.count) }

    mutating func append(_ stopTimes: [StopTime], of trip: SourceTripNumber) {
        let number = Int(trip.rawValue)
        while lastRows.count <= number { lastRows.append(0) }
        for stopTime in stopTimes {
            if chunks.last.map({ $0.count > Self.chunkSize - Self.rowSize }) ?? true {
                spillLastChunk()
                chunks.append([])
                chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
            }
            let link = (chunks.count - 1) * Self.chunkSize + chunks[chunks.count - 1].count
            Self.pack(stopTime, after: lastRows[number], to: &chunks[chunks.count - 1])
            lastRows[number] = UInt64(link) + 1
        }
    }

    /// Writes the last chunk to the file. If that fails, the chunk stays in memory.
    private mutating func spillLastChunk() {
        guard let file, chunks.count >= Self.chunksInMemory, let last = chunks.last, !last.isEmpty else { return }
        guard file.write(last, at: (chunks.count - 1) * Self.chunkSize) else { return }
        chunks[chunks.count - 1] = []
    }

    /// Appends the rows of a trip in reverse order.
    mutating func collect(_ trip: UInt32, into stopTimes: inout [StopTime]) {
        var link = lastRows[Int(trip)]
        while link != 0, !isBroken {
            let position = Int(link - 1)
            let chunk = position / Self.chunkSize
            if chunks[chunk].isEmpty {
                guard load(position) else { break }
                link = Self.unpack(window, at: position - windowStart, into: &stopTimes)
            } else {
                link = Self.unpack(chunks[chunk], at: position % Self.chunkSize, into: &stopTimes)
            }
        }
    }

    /// Loads the window that contains the row at a position and the rows before it, which are likely to be read next.
    /// Returns false if the read fails.
    private mutating func load(_ position: Int) -> Bool {
        let fileEnd = windowStart + window.count
        if position >= windowStart, position + Self.rowSize <= fileEnd { return true }
        windowStart = max(0, position + Self.rowSize - Self.windowSize)
        window = Array(unsafeUninitializedCapacity: Self.windowSize) { buffer, count in
            count = file?.read(at: windowStart, into: UnsafeMutableRawBufferPointer(buffer)) ?? 0
        }
        isBroken = position >= windowStart + window.count
        return !isBroken
    }

    /// Appends the row at a position and returns the link to the previous row of the trip.
    private static func unpack(_ bytes: [UInt8], at position: Int, into stopTimes: inout [StopTime]) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = Varint.Reader(UnsafeBufferPointer(rebasing: bytes[position...]))
            let link = reader.next()
            stopTimes.append(unpack(&reader))
            return link
        }
    }

    private static func pack(_ row: StopTime, after previous: UInt64, to bytes: inout [UInt8]) {
        Varint.append(previous, to: &bytes)
        Varint.append(UInt64(row.stop.rawValue), to: &bytes)
        Varint.append(UInt64(row.sequence), to: &bytes)
        Varint.append(row.arrival.map { UInt64(UInt32(bitPattern: $0.seconds)) + 1 } ?? 0, to: &bytes)
        Varint.append(row.departure.map { UInt64(UInt32(bitPattern: $0.seconds)) + 1 } ?? 0, to: &bytes)
        Varint.append(row.distance.map { UInt64($0.bitPattern) + 1 } ?? 0, to: &bytes)
        Varint.append(row.headsign.map { UInt64($0.rawValue) + 1 } ?? 0, to: &bytes)
        Varint.append(UInt64(row.line), to: &bytes)
        let flags = row.pickup.rawValue << 3 | row.dropOff.rawValue << 1 | (row.isExact ? 1 : 0)
        bytes.append(flags)
    }

    private static func unpack(_ reader: inout Varint.Reader) -> StopTime {
        let stop = StopIndex(UInt32(truncatingIfNeeded: reader.next()))
        let sequence = UInt32(truncatingIfNeeded: reader.next())
        let arrival = optional(reader.next()).map { ServiceTime(seconds: Int32(bitPattern: $0)) }
        let departure = optional(reader.next()).map { ServiceTime(seconds: Int32(bitPattern: $0)) }
        let distance = optional(reader.next()).map { Float(bitPattern: $0) }
        let headsign = optional(reader.next()).map { TextIndex($0) }
        let line = UInt32(truncatingIfNeeded: reader.next())
        let flags = UInt8(truncatingIfNeeded: reader.next())
        return StopTime(
            stop: stop, sequence: sequence, arrival: arrival, departure: departure, distance: distance,
            headsign: headsign, line: line, pickup: PickupDropOff(rawValue: flags >> 3 & 3) ?? .regular,
            dropOff: PickupDropOff(rawValue: flags >> 1 & 3) ?? .regular, isExact: flags & 1 == 1)
    }

    private static func optional(_ packed: UInt64) -> UInt32? {
        packed == 0 ? nil : UInt32(truncatingIfNeeded: packed - 1)
    }
}
