/// Keeps the first few of the elements it is given, in ascending order.
struct SmallestElements<Element: Comparable> {
    private(set) var elements: [Element] = []
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        elements.reserveCapacity(min(capacity, 64))
    }

    var isFull: Bool { elements.count >= capacity }

    /// Puts it behind those that are equal. Without effect when it comes after the last of a full list.
    mutating func insert(_ element: Element) {
        if isFull {
            guard let last = elements.last, element < last else { return }
            elements.removeLast()
        }
        var position = elements.count
        while position > 0, element < elements[position - 1] { position -= 1 }
        elements.insert(element, at: position)
    }
}

extension SmallestElements: Sendable where Element: Sendable {}
