import Testing
import TransitModel

@testable import TransitFeeds

@Suite struct PackedRowsTests {
    /// Rows that fill several blocks, some of which are larger than a block.
    @Test(arguments: ["/tmp", "/nowhere", nil]) func rowsAreReadBackInOrder(folder: String?) {
        var rows = PackedRows(folder: folder)
        var writer = PackedRowWriter()
        let texts = (0..<40_000).map { $0 % 9_999 == 0 ? String(repeating: "ä", count: 300_000) : "row \($0)" }
        for (number, text) in texts.enumerated() {
            writer.clear()
            writer.put(UInt64(number))
            writer.put(text)
            writer.put(nil as String?)
            writer.put("")
            rows.append(writer)
        }
        #expect(rows.count == texts.count)
        #expect(folder == "/tmp" ? rows.bytesInMemory < 1 << 20 : rows.bytesInMemory > 1 << 20)
        var wrong = 0
        let isComplete = rows.read { number, row in
            let isRight =
                row.number() == UInt64(number) && row.text() == texts[number] && row.text() == nil && row.text() == ""
            if !isRight { wrong += 1 }
        }
        #expect(isComplete)
        #expect(wrong == 0)
    }

    @Test func unusedRowsAreKeptUpToAsManyAsAreUsedPlusLimit() {
        let used = 50
        let limit = RowSelection.maximumUnused
        for extra in [0, limit + used, limit + used + 1, 3 * limit] {
            let isUsed = (0..<used + extra).map { $0 >= extra }
            let selection = RowSelection(isUsed: isUsed)
            #expect(selection.keptCount == used + min(extra, limit + used))
            #expect(selection.leftOutCount == max(0, extra - limit - used))
            #expect(selection[UInt32(used + extra - 1)] == UInt32(selection.keptCount - 1))
        }
    }
}
