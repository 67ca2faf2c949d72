package import TransitModel

/// Dates on which a user does not commute.
package struct DaysOff: Hashable, Sendable {
    /// A text that does not list days off. The description gives the wrong part.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private var dates: Set<ServiceDate> = []

    package init() {}

    package var isEmpty: Bool { dates.isEmpty }

    package func contains(_ date: ServiceDate) -> Bool { dates.contains(date) }

    package mutating func formUnion(_ other: DaysOff) { dates.formUnion(other.dates) }

    /// Parses dates (`2026-12-24`) and ranges (`2026-12-24..2027-01-02`), separated by commas or white space.
    package init(list text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumListLength else {
            throw Failure(description: "The list is longer than \(Self.maximumListLength) bytes.")
        }
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let range = ServiceDateRange(word) else {
                throw Failure(
                    description:
                        "\"\(word.prefix(40))\" is not a date such as 2026-12-24 or a range such as 2026-12-24..2027-01-02."
                )
            }
            try add(range.first, length: range.count, place: "\"\(word.prefix(40))\"")
        }
    }

    private mutating func add(_ first: ServiceDate, length: Int, place: String) throws(Failure) {
        guard length >= 1 else { throw Failure(description: "\(place): the last day is before the first day.") }
        guard length <= 366 else { throw Failure(description: "\(place): more than 366 days.") }
        guard dates.count + length <= Self.maximumDates else {
            throw Failure(description: "\(place): more than \(Self.maximumDates) days off.")
        }
        for offset in 0..<length { dates.insert(first.advanced(by: offset)) }
    }

    private static let maximumListLength = 16_384
    private static let maximumDates = 4000
}
