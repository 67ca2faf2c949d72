package import TransitWire

/// A page of a list, from a cursor and a count.
package struct PageRange {
    package let start: Int
    package let end: Int

    /// - Throws: ``ErrorKind/invalidParameters`` for an invalid cursor.
    package init(cursor: String?, count: Int) throws(ControlError) {
        guard let start = Int(cursor ?? "0"), (0...1_000_000).contains(start) else {
            throw ControlError(parameter: "cursor", "is not a valid cursor.", hint: "Use the next_cursor of a reply.")
        }
        self.start = start
        end = start + count
    }

    package func slice<Element>(of elements: [Element]) -> ArraySlice<Element> {
        elements[min(start, elements.count)..<min(end, elements.count)]
    }

    /// The cursor of the next page; `nil` at the end.
    package func next(among count: Int) -> String? { count > end ? String(end) : nil }
}
