internal import TransitModel

/// The encoding of the exception dates of a service: the number of dates, then each date as its difference from the
/// previous one in days.
enum DateList {
    static func packed(_ dates: [ServiceDate]) -> [UInt8] {
        var writer = ByteWriter()
        writer.put(dates.count)
        var previous: Int32 = 0
        for date in dates {
            writer.putSigned(date.daysSince1970 &- previous)
            previous = date.daysSince1970
        }
        writer.seal()
        return writer.bytes
    }

    static func read(_ blob: UnsafeRawBufferPointer) throws(MalformedDataError) -> [ServiceDate] {
        var reader = try ByteReader(sealed: blob)
        let count = try reader.count()
        var dates: [ServiceDate] = []
        dates.reserveCapacity(count)
        var day: Int32 = 0
        for _ in 0..<count {
            day &+= try reader.signed()
            dates.append(ServiceDate(daysSince1970: day))
        }
        try reader.finish()
        return dates
    }
}
