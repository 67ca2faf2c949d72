import Foundation
import Glibc
import Testing
import TransitModel

@testable import TransitDaemon

/// Where a feed's key is read from, and when it is not.
@Suite struct FeedKeysTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func write(_ text: String, _ name: String = "a.key", mode: mode_t = 0o600) throws -> FeedCredential {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder(name)))
        chmod(folder(name), mode)
        return FeedCredential(placement: .parameter("api_key"), file: folder(name))
    }

    private func failure(_ credential: FeedCredential, keys: FeedKeys = FeedKeys()) -> String? {
        do throws(FetchFailure) {
            _ = try keys.key(of: "city", credential)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aKeyIsReadWithoutTheBlanksAroundIt() throws {
        #expect(
            try FeedKeys().key(of: "city", write(" k3y \r\n")) == .query(name: "api_key", Secret("k3y")))
    }

    @Test(arguments: [0o640, 0o604, 0o666] as [mode_t])
    func aKeyThatOthersCanReadIsRefused(_ mode: mode_t) throws {
        let credential = try write("k3y", mode: mode)
        #expect(
            failure(credential)
                == "the key file \(folder("a.key")) can be read by others: run `chmod 600 \(folder("a.key"))`")
    }

    @Test(arguments: ["", "\n", "two words", "two\nlines", "n\0ul"])
    func whatIsNoKeyIsRefused(_ text: String) throws {
        let message = try #require(try failure(write(text)))
        #expect(message.hasPrefix("the key file \(folder("a.key")) "))
        #expect(!message.contains("two"))
    }

    @Test func whatIsTooLongForAKeyIsRefused() throws {
        #expect(try failure(write(String(repeating: "x", count: 5000))) != nil)
    }

    @Test func whatIsNotThereIsNamed() throws {
        let credential = FeedCredential(placement: .header("X-API-KEY"), file: folder("none"))
        #expect(failure(credential) == "the key file \(folder("none")) cannot be read: No such file or directory")
        #expect(
            failure(FeedCredential(placement: .header("X-API-KEY"), file: folder.path))
                == "the key file \(folder.path) is not a file")
        #expect(
            failure(FeedCredential(placement: .header("X-API-KEY")))
                == "the feed city needs a key: give it a `key_file`, or a systemd credential \"city.key\"")
    }

    @Test func systemdsCredentialIsFound() throws {
        // Mode 0440 is what an access control list for the service's user looks like.
        _ = try write("k3y\n", "city.key", mode: 0o440)
        let keys = FeedKeys(credentialsDirectory: folder.path)
        let credential = FeedCredential(placement: .header("X-API-KEY"))
        #expect(try keys.key(of: "city", credential) == .header(name: "X-API-KEY", Secret("k3y")))
        chmod(folder("city.key"), 0o444)
        #expect(failure(credential, keys: keys) != nil)
    }

    @Test func aRequestCarriesTheKey() throws {
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
        // A replay asks nobody, and whoever has a recording need not have the key.
        chmod(folder("a.key"), 0o644)
        #expect(try feed.fetchRequest(for: .static, keys: FeedKeys(isReplay: true))?.secrets == [])
    }
}
