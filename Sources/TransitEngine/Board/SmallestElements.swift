/// A sorted list of the smallest elements that were inserted, up to a maximum count.
struct SmallestElements<Element: Comparable> {
    private(set) var elements: [Element] = []
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        elements.reserveCapacity(min(capacity, 64))
    }

    var isFull: Bool { elements.count >= capacity }

    /// Inserts an element after equal ones. Has no effect if the list is full and the element is not smaller than its
    /// last one.
    mutating func insert(_ element: Element) {
        if isFull {
            guard let last = elements.last, element < last else { return }
            elements.removeLast()
        }
        elements.insert(element, at: position(of: element))
    }

    /// Returns the position after the elements that are equal or smaller. Elements often come in increasing order.
    private func position(of element: Element) -> Int {
        var range = 0..<elements.count
        if let last = elements.last, !(element < last) { return range.upperBound }
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = element < elements[middle] ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}

extension SmallestElements: Sendable where Element: Sendable {}
