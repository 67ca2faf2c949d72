internal import TransitModel

/// A blob with 16 entries of the table of shared texts.
enum PackedTextGroup {
    static let size = 16

    static func write(_ texts: TextColumn, block: Int, to writer: inout ByteWriter) {
        var coder = FrontCoding.Writer()
        for position in block * size..<min((block + 1) * size, texts.count) {
            coder.put(texts.bytes[texts.range(position)], to: &writer)
        }
        writer.seal()
    }

    static func read(_ blob: UnsafeRawBufferPointer, position: Int) throws(MalformedDataError) -> String {
        var reader = try ByteReader(sealed: blob)
        return try FrontCoding.read(position, from: &reader).string
    }
}
