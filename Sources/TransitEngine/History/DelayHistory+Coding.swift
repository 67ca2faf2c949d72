internal import TransitModel

// The file of a feed's learned delays: a header, then numbers in little-endian byte order. `RealtimeCache` adds a checksum.
extension DelayHistory {
    private static let header = Array("transitd learned delays 1\n".utf8)
    /// The size of a key and its entry in the file.
    private static let entrySize = 12 + 32 + 2 + 2 + 1 + 1 + 8

    /// The history as bytes. Equal histories have equal bytes.
    public var encoded: [UInt8] {
        var bytes = DelayHistoryWriter(Self.header)
        bytes.reserve(keys.count * Self.entrySize + 8192)
        bytes.append(version)
        bytes.append(UInt32(keys.count))
        for (key, entry) in zip(keys, entries) {
            bytes.append(key.line)
            bytes.append(key.place)
            bytes.append(key.slot)
            bytes.append(entry.sketch)
            bytes.append(entry.lastDay)
            bytes.append(entry.days)
            bytes.append(entry.notServed)
            for delay in [entry.usual.careful, entry.usual.low, entry.usual.median, entry.usual.high] {
                bytes.append(delay)
            }
        }
        bytes.append(predictions)
        return bytes.bytes
    }

    /// Decodes ``encoded``. Returns `nil` if the bytes are not those of a history.
    public init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else { return nil }
        var reader = DelayHistoryReader(bytes, from: Self.header.count)
        guard let version = reader.next(UInt32.self), let count = reader.next(UInt32.self).map(Int.init),
            count <= Self.maximumDepartures + Self.maximumGroups, count * Self.entrySize <= reader.remaining
        else { return nil }
        var (keys, entries): ([DelayKey], [Entry]) = ([], [])
        keys.reserveCapacity(count)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let line = reader.next(UInt32.self), let place = reader.next(UInt32.self),
                let slot = reader.next(UInt32.self), let sketch: DelaySketch<UInt8> = reader.sketch(),
                let lastDay = reader.next(UInt16.self), let days = reader.next(UInt8.self),
                let notServed = reader.next(UInt8.self), let careful = reader.next(Int16.self),
                let low = reader.next(Int16.self), let median = reader.next(Int16.self),
                let high = reader.next(Int16.self)
            else { return nil }
            let key = DelayKey(line: line, place: place, slot: slot)
            // Keys are searched by halves, and a range has an order.
            guard keys.last.map({ $0 < key }) ?? true, careful <= median, low <= median, median <= high else {
                return nil
            }
            keys.append(key)
            entries.append(
                Entry(
                    sketch: sketch, lastDay: lastDay, days: days, notServed: notServed,
                    usual: DelayQuantiles(careful: careful, low: low, median: median, high: high)))
        }
        guard let predictions = reader.predictions(), reader.remaining == 0 else { return nil }
        self.init(keys: keys, entries: entries, version: version, predictions: predictions)
    }
}

/// Appends numbers in little-endian byte order.
private struct DelayHistoryWriter {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ value: Double) { append(value.bitPattern) }

    mutating func append(_ sketch: DelaySketch<some DelayCounter>) {
        append(sketch.period)
        for bin in 0..<DelayBins.count { append(sketch.counters[bin]) }
    }

    mutating func append(_ levels: RangeLevels) {
        append(levels.low)
        append(levels.high)
    }

    mutating func append(_ days: [PredictionHistory.Day]) {
        append(UInt8(clamping: days.count))
        for day in days {
            for number in [
                day.day, day.count, day.sourceError, day.correctedError, day.sourceBelow, day.sourceAbove,
                day.correctedBelow, day.correctedAbove,
            ] { append(number) }
        }
    }

    mutating func append(_ predictions: PredictionHistory) {
        append(predictions.statedTimes)
        append(predictions.scheduledTimes)
        append(predictions.usualLevels)
        append(predictions.usualDays)
        for slot in predictions.slots {
            for index in 0..<2 {
                append(slot.squares[index])
                append(slot.products[index])
            }
            append(slot.correctedErrors)
            append(slot.sourceErrors)
            append(slot.correctedLevels)
            append(slot.sourceLevels)
            append(UInt8(slot.isCorrecting ? 1 : 0))
            append(slot.days)
        }
    }
}

/// Reads numbers in little-endian byte order. Each method returns `nil` at the end, and for a value that cannot be.
private struct DelayHistoryReader {
    private let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8], from position: Int) { (self.bytes, self.position) = (bytes, position) }

    var remaining: Int { bytes.count - position }

    mutating func next<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { return nil }
        defer { position += size }
        return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Value.self)) }
    }

    /// A finite number of at most the given size.
    private mutating func number(_ range: ClosedRange<Double>) -> Double? {
        next(UInt64.self).map { Double(bitPattern: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    mutating func sketch<Counter: DelayCounter>() -> DelaySketch<Counter>? {
        guard let period = next(UInt16.self) else { return nil }
        var counters: [32 of Counter] = .init(repeating: 0)
        for bin in 0..<DelayBins.count {
            guard let counter = next(Counter.self) else { return nil }
            counters[bin] = counter
        }
        return DelaySketch(counters: counters, period: period)
    }

    private mutating func levels() -> RangeLevels? {
        guard let low = number(RangeLevels.lowest), let high = number(RangeLevels.highest) else { return nil }
        return RangeLevels(low: low, high: high)
    }

    private mutating func days() -> [PredictionHistory.Day]? {
        guard let count = next(UInt8.self), count <= PredictionHistory.window else { return nil }
        var days: [PredictionHistory.Day] = []
        for _ in 0..<count {
            let numbers = (0..<8).compactMap { _ in next(Int32.self) }
            // The sums of several days must not overflow.
            guard numbers.count == 8, numbers.dropFirst().allSatisfy({ (0...100_000_000).contains($0) }),
                numbers[4] + numbers[5] <= numbers[1], numbers[6] + numbers[7] <= numbers[1],
                days.last.map({ $0.day < numbers[0] }) ?? true
            else { return nil }
            days.append(
                PredictionHistory.Day(
                    day: numbers[0], count: numbers[1], sourceError: numbers[2], correctedError: numbers[3],
                    sourceBelow: numbers[4], sourceAbove: numbers[5], correctedBelow: numbers[6],
                    correctedAbove: numbers[7]))
        }
        return days
    }

    private mutating func slot() -> PredictionHistory.Slot? {
        var slot = PredictionHistory.Slot()
        for index in 0..<2 {
            guard let squares = number(0...1e15), let products = number(-1e15...1e15) else { return nil }
            (slot.squares[index], slot.products[index]) = (squares, products)
        }
        guard let correctedErrors: DelaySketch<UInt16> = sketch(), let sourceErrors: DelaySketch<UInt16> = sketch(),
            let correctedLevels = levels(), let sourceLevels = levels(), let isCorrecting = next(UInt8.self),
            isCorrecting < 2, let days = days()
        else { return nil }
        (slot.correctedErrors, slot.sourceErrors) = (correctedErrors, sourceErrors)
        (slot.correctedLevels, slot.sourceLevels) = (correctedLevels, sourceLevels)
        (slot.isCorrecting, slot.days) = (isCorrecting == 1, days)
        slot.updateRanges()
        return slot
    }

    mutating func predictions() -> PredictionHistory? {
        guard let stated = next(Int32.self), let scheduled = next(Int32.self), (0...1_000_000).contains(stated),
            (0...stated).contains(scheduled), let levels = levels(), let days = days()
        else { return nil }
        var predictions = PredictionHistory()
        (predictions.statedTimes, predictions.scheduledTimes) = (stated, scheduled)
        (predictions.usualLevels, predictions.usualDays) = (levels, days)
        for index in predictions.slots.indices {
            guard let slot = slot() else { return nil }
            predictions.slots[index] = slot
        }
        return predictions
    }
}
