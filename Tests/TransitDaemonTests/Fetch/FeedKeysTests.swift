import Foundation
import Glibc
import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

/// The origin of a feed's key, and the conditions under which it is rejected.
@Suite struct FeedKeysTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func write(_ text: String, _ name: String = "a.key", mode: mode_t = 0o600) throws -> FeedCredential {
        try folder.write(secret: text, as: name)
        chmod(folder(name), mode)
        return FeedCredential(placement: .parameter("api_key"), file: folder(name))
    }

    private func failure(_ credential: FeedCredential, keys: FeedKeys = FeedKeys()) -> String? {
        do throws(TransportFailure) {
            _ = try keys.key(of: "city", credential)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func surroundingWhitespaceOfKeyIsIgnored() throws {
        #expect(
            try FeedKeys().key(of: "city", write(" k3y \r\n")) == .query(name: "api_key", Secret("k3y")))
    }

    @Test(arguments: [0o640, 0o604, 0o666] as [mode_t])
    func keyFileReadableByOthersIsRejected(_ mode: mode_t) throws {
        let credential = try write("k3y", mode: mode)
        #expect(
            failure(credential)
                == "the key file \(folder("a.key")) can be read by others: run `chmod 600 \(folder("a.key"))`")
    }

    @Test(arguments: ["", "\n", "two words", "two\nlines", "n\0ul"])
    func invalidKeyIsRejected(_ text: String) throws {
        let message = try #require(try failure(write(text)))
        #expect(message.hasPrefix("the key file \(folder("a.key")) "))
        #expect(!message.contains("two"))
    }

    @Test func overlongKeyIsRejected() throws {
        #expect(try failure(write(String(repeating: "x", count: 5000))) != nil)
    }

    @Test func missingKeyIsReported() throws {
        let credential = FeedCredential(placement: .header("X-API-KEY"), file: folder("none"))
        #expect(failure(credential) == "the key file \(folder("none")) cannot be read: No such file or directory")
        #expect(
            failure(FeedCredential(placement: .header("X-API-KEY"), file: folder.path))
                == "the key file \(folder.path) is not a file")
        #expect(
            failure(FeedCredential(placement: .header("X-API-KEY")))
                == "the feed city needs a key: set it with `transitctl key set city`")
    }

    @Test func systemdCredentialIsFound() throws {
        // An access control list for the service's user shows up as mode 0440.
        _ = try write("k3y\n", "city.key", mode: 0o440)
        let keys = FeedKeys(credentialsDirectory: folder.path)
        let credential = FeedCredential(placement: .header("X-API-KEY"))
        #expect(try keys.key(of: "city", credential) == .header(name: "X-API-KEY", Secret("k3y")))
        chmod(folder("city.key"), 0o444)
        #expect(failure(credential, keys: keys) != nil)
    }

    @Test func keyFileTakesPrecedenceOverSetKeyAndSystemd() throws {
        let keys = FeedKeys(credentialsDirectory: folder.path, store: KeyStore(folder: folder("keys")))
        _ = try write("systemd", "city.key")
        let credential = FeedCredential(placement: .header("K"))
        #expect(try keys.key(of: "city", credential).secret == Secret("systemd"))
        try KeyStore(folder: folder("keys")).write(Secret("set"), of: "city")
        #expect(try keys.key(of: "city", credential).secret == Secret("set"))
        #expect(try keys.key(of: "city", write("file")).secret == Secret("file"))
    }

    @Test func keyIsReplacedAtomically() throws {
        let store = KeyStore(folder: folder("keys"))
        // A daemon that was killed during the write leaves this file behind.
        mkdir(folder("keys"), 0o700)
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder("keys/city.key.new")))
        for key in ["a long first one", "b"] { try store.write(Secret(key), of: "city") }
        #expect(try String(contentsOfFile: folder("keys/city.key"), encoding: .utf8) == "b\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("keys")) == ["city.key"])
        #expect(try store.remove("city"))
        #expect(try !store.remove("city"))
    }

    @Test func requestCarriesKey() throws {
        var feed = FeedConfiguration(id: "city", source: .remote(url: "https://a.example/gtfs.zip"))
        feed.realtime[.alerts] = .file(path: "/run/a b.pb")
        feed.credential = try write("k3y")
        let request = try #require(try feed.fetchRequest(for: .static, keys: FeedKeys()))
        #expect(request.secrets == [.query(name: "api_key", Secret("k3y"))])
        #expect(request.deadline == 900)
        let file = try #require(try feed.fetchRequest(for: .alerts, keys: FeedKeys()))
        #expect(file.url == "file:///run/a%20b.pb")
        #expect(file.secrets.isEmpty)
        #expect(try feed.fetchRequest(for: .vehicles, keys: FeedKeys()) == nil)
        // A replay sends no requests, so it needs no readable key.
        chmod(folder("a.key"), 0o644)
        #expect(try feed.fetchRequest(for: .static, keys: FeedKeys(isReplay: true))?.secrets == [])
    }
}
