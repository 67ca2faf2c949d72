internal import TransitControl
internal import TransitModel

/// Local date and time of a timestamp.
extension Timestamp {
    var date: ServiceDate {
        ServiceDate(daysSince1970: Int32(clamping: (localSeconds - (localSeconds < 0 ? 86_399 : 0)) / 86_400))
    }

    /// The time of day, such as "08:12".
    var clock: String {
        let second = Int(localSeconds - Int64(date.daysSince1970) * 86_400)
        return Self.padded(second / 3600) + ":" + Self.padded(second / 60 % 60)
    }

    private var localSeconds: Int64 { instant.secondsSince1970 + Int64(offset) }

    private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
