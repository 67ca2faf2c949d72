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
        var position = elements.count
        while position > 0, element < elements[position - 1] { position -= 1 }
        elements.insert(element, at: position)
    }
}

extension SmallestElements: Sendable where Element: Sendable {}
