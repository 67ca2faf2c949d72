import Foundation
import Glibc
import Testing
import TransitClient

/// The pages of files that a waiting process returns.
@Suite struct ProcessMemoryTests {
    private static let page = sysconf(CInt(_SC_PAGESIZE))

    /// Returns whether a page is in the memory of this process (proc_pid_pagemap(5)).
    private func isPresent(_ address: UnsafeRawPointer) -> Bool {
        let file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var entry: UInt64 = 0
        let offset = Int(bitPattern: address) / Self.page * MemoryLayout<UInt64>.size
        return pread(file, &entry, MemoryLayout<UInt64>.size, off_t(offset)) > 0 && entry >> 63 == 1
    }

    /// Maps a file of two pages that contain 1, of which the second one is then changed to 2 in memory.
    private func withMapping(protection: CInt, _ body: (UnsafeMutableRawPointer) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)")
        try Data(repeating: 1, count: 2 * Self.page).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = open(url.path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let mapping = try #require(mmap(nil, 2 * Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0))
        try #require(mapping != MAP_FAILED)
        defer { munmap(mapping, 2 * Self.page) }
        mapping.storeBytes(of: 2, toByteOffset: Self.page, as: UInt8.self)
        try #require(mapping.load(as: UInt8.self) == 1)
        try #require(mprotect(mapping, 2 * Self.page, protection) == 0)
        try #require(isPresent(mapping))
        try body(mapping)
    }

    /// Tables of addresses are pages that the start has changed, and that cannot be written after it.
    @Test func onlyUnchangedPagesAreReturned() throws {
        try withMapping(protection: PROT_READ) { mapping in
            // The list of mappings changes while other tests map memory, and can then lack one.
            for _ in 0..<100 where isPresent(mapping) { ProcessMemory.returnFilePages() }
            #expect(!isPresent(mapping))
            #expect(isPresent(mapping + Self.page))
            #expect(mapping.load(as: UInt8.self) == 1)
            #expect(mapping.load(fromByteOffset: Self.page, as: UInt8.self) == 2)
        }
    }

    /// Another thread could change a page just before it is returned.
    @Test func writablePagesAreKept() throws {
        try withMapping(protection: PROT_READ | PROT_WRITE) { mapping in
            ProcessMemory.returnFilePages()
            #expect(isPresent(mapping))
            #expect(mapping.load(fromByteOffset: Self.page, as: UInt8.self) == 2)
        }
    }
}
