import Foundation
import Glibc
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFetch

/// The origin of a feed's key, and the conditions under which it is rejected.
@Suite struct FeedKeysTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func write(_ text: String, _ name: String = "a.key", mode: mode_t = 0o600) throws -> String {
        try folder.write(secret: text, as: name)
        chmod(folder(name), mode)
        return folder(name)
    }

    private func failure(_ file: String?, keys: FeedKeys = FeedKeys()) -> String? {
        do throws(TransportFailure) {
            _ = try keys.secret(of: "city", file: file)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func surroundingWhitespaceOfKeyIsIgnored() throws {
        #expect(try FeedKeys().secret(of: "city", file: write(" k3y \r\n")) == Secret("k3y"))
    }

    @Test(arguments: [0o640, 0o604, 0o666] as [mode_t])
    func keyFileReadableByOthersIsRejected(_ mode: mode_t) throws {
        let file = try write("k3y", mode: mode)
        #expect(
            failure(file)
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
        #expect(failure(folder("none")) == "the key file \(folder("none")) cannot be read: No such file or directory")
        #expect(
            failure(folder.path)
                == "the key file \(folder.path) is not a file")
        #expect(
            failure(nil)
                == "the feed city needs a key: set it with `transitctl key set city`")
    }

    @Test func systemdCredentialIsFound() throws {
        // An access control list for the service's user shows up as mode 0440.
        _ = try write("k3y\n", "city.key", mode: 0o440)
        let keys = FeedKeys(credentialsDirectory: folder.path)
        #expect(try keys.secret(of: "city", file: nil) == Secret("k3y"))
        chmod(folder("city.key"), 0o444)
        #expect(failure(nil, keys: keys) != nil)
    }

    @Test func keyFileTakesPrecedenceOverSetKeyAndSystemd() throws {
        let keys = FeedKeys(credentialsDirectory: folder.path, store: KeyStore(folder: folder("keys")))
        _ = try write("systemd", "city.key")
        #expect(try keys.secret(of: "city", file: nil) == Secret("systemd"))
        try KeyStore(folder: folder("keys")).write(Secret("set"), of: "city")
        #expect(try keys.secret(of: "city", file: nil) == Secret("set"))
        #expect(try keys.secret(of: "city", file: write("file")) == Secret("file"))
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
}
