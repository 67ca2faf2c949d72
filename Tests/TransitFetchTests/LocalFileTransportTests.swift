import Foundation
import Glibc
import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitFetch

/// Files as sources.
@Suite(.ownThreads) struct LocalFileTransportTests {
    let folder: TestFolder
    let files = LocalFileTransport(fallback: CurlTransport())

    init() throws { folder = try TestFolder() }

    @Test func fileIsReadAgainAfterWrite() async throws {
        let path = folder("a b.pb")
        try Data("one".utf8).write(to: URL(fileURLWithPath: path))
        var request = FetchRequest(url: FileURL.text(path))
        let first = await files.fetch(request)
        #expect(first.outcome == .fetched(.memory(Array("one".utf8))))
        request.validators = first.validators
        #expect(await files.fetch(request).outcome == .notModified)
        try Data("second".utf8).write(to: URL(fileURLWithPath: path))
        #expect(await files.fetch(request).outcome == .fetched(.memory(Array("second".utf8))))
        request.validators = Validators()
        request.bodyLimit = 5
        #expect(await files.fetch(request).outcome == .failed(.tooLarge(limit: 5)))
    }

    @Test func missingOrSpecialFileIsReported() async throws {
        #expect(
            await files.fetch(FetchRequest(url: FileURL.text(folder("none")))).outcome
                == .failed(.file(ENOENT)))
        #expect(
            await files.fetch(FetchRequest(url: FileURL.text(folder.path))).outcome == .failed(.file(EINVAL)))
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(
            await files.fetch(FetchRequest(url: FileURL.text(folder("pipe")))).outcome
                == .failed(.file(EINVAL)))
    }
}
