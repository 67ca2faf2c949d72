/// A buffer that folds many texts in UTF-8 without allocating memory for each.
public struct SearchTextBuffer: ~Copyable {
    private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)

    public init() {}

    deinit { bytes.deallocate() }

    /// Folds a text like ``SearchText/fold(_:)``. Invalid UTF-8 is repaired.
    ///
    /// - Returns: The folded bytes, which are valid until the next call.
    public mutating func fold(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        reserve(text.count * SearchText.maximumGrowth)
        if let count = SearchText.foldLatin(text, into: bytes) { return UnsafeBufferPointer(rebasing: bytes[..<count]) }
        let folded = SearchText.foldScalars(of: String(decoding: text, as: UTF8.self))
        reserve(folded.count)
        _ = bytes.update(fromContentsOf: folded)
        return UnsafeBufferPointer(rebasing: bytes[..<folded.count])
    }

    private mutating func reserve(_ count: Int) {
        guard count > bytes.count else { return }
        bytes.deallocate()
        bytes = .allocate(capacity: count)
    }
}
