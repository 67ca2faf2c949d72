import Foundation
import Testing
import TransitControl
import TransitFetch
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// A configuration that names missing files or keys is usable and produces warnings.
@Suite(.ownThreads) struct ConfigurationWarningTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func warnings(_ lines: String) throws -> [String] {
        let keys = FeedKeys(store: KeyStore(folder: folder("keys")))
        let configuration = try Configuration(
            text: "[[feed]]\nid = \"a\"\n" + lines, file: folder("config.toml"), home: nil, keys: keys)
        return configuration.warnings.map {
            "\($0.position?.line ?? 0):\($0.position?.column ?? 0): \($0.message); \($0.remedy)"
        }
    }

    @Test func missingFilesAreWarnings() throws {
        #expect(
            try warnings("provider = \"gtfs\"\nstatic = \"a.zip\"\nalerts = \"/nowhere/b.pb\"\nca_file = \"c.pem\"\n")
                == [
                    "4:10: `static` names \(folder("a.zip")), which cannot be read: No such file or directory; "
                        + "check the path and its permissions; a URL begins with `https://`",
                    "5:10: `alerts` names /nowhere/b.pb, which cannot be read: No such file or directory; "
                        + "check the path and its permissions; a URL begins with `https://`",
                    "6:11: `ca_file` names \(folder("c.pem")), which cannot be read: No such file or directory; "
                        + "check the path and its permissions; a URL begins with `https://`",
                ])
    }

    @Test func existingFilesCauseNoWarnings() throws {
        try Data([1]).write(to: URL(fileURLWithPath: folder("a.zip")))
        try folder.write(secret: "k3y", as: "a.key")
        #expect(
            try warnings("provider = \"gtfs\"\nstatic = \"a.zip\"\nkey_file = \"a.key\"\nkey_parameter = \"k\"\n") == []
        )
    }

    @Test func missingKeyFileIsAWarning() throws {
        #expect(
            try warnings("provider = \"siri511\"\nkey_file = \"my.key\"\n") == [
                "4:12: the file that `key_file` names cannot be read: No such file or directory; "
                    + "write only the key to it, and let only the daemon's user read it (chmod 600)"
            ])
    }

    @Test func keyFileReadableByOthersIsAWarning() throws {
        try Data("k3y".utf8).write(to: URL(fileURLWithPath: folder("my.key")))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder("my.key"))
        #expect(
            try warnings("provider = \"siri511\"\nkey_file = \"my.key\"\n") == [
                "4:12: the file that `key_file` names can be read by others; "
                    + "write only the key to it, and let only the daemon's user read it (chmod 600)"
            ])
    }

    @Test func missingKeyOfProviderIsAWarning() throws {
        #expect(
            try warnings("provider = \"siri511\"\n") == [
                "3:12: the feed \"a\" has no key, and 511.org requires one; "
                    + "run `transitctl key set a`, or set `key_file = \"a.key\"`"
            ])
        try KeyStore(folder: folder("keys")).write(Secret("k3y"), of: "a")
        #expect(try warnings("provider = \"siri511\"\n") == [])
    }

    @Test func missingKeyForHeaderIsAWarning() throws {
        #expect(
            try warnings("provider = \"gtfs\"\nstatic = \"https://a.example/a.zip\"\nkey_header = \"X-Key\"\n") == [
                "3:12: the feed \"a\" has no key, and its requests need one; "
                    + "run `transitctl key set a`, or set `key_file = \"a.key\"`"
            ])
    }

    /// `config.check` and `config.reload` list the warnings, `doctor` reports that there are some, and other users may
    /// not request them.
    @Test func warningsAreReportedOnlyToTheDaemonsOwner() async throws {
        let daemon = try TestDaemon()
        try Data("[[feed]]\nid = \"a\"\nprovider = \"siri511\"\n".utf8).write(
            to: URL(fileURLWithPath: daemon.folder("config.toml")))
        let check = try daemon.ask(ConfigCheckParameters(), uid: 0)
        #expect(check.isValid)
        #expect(check.problems.map(\.isError) == [false])
        #expect(check.problems.first?.message == "the feed \"a\" has no key, and 511.org requires one")
        let reload = try await daemon.askLengthy(ConfigReloadParameters(), uid: 0)
        #expect(reload.problems.map(\.line) == [3])
        let doctor = try await daemon.askLengthy(DoctorParameters(), uid: 0)
        #expect(doctor.checks.first?.outcome == .warning)
        #expect(daemon.error(of: ConfigCheckParameters(), uid: 1000)?.kind == .notAllowed)
    }
}
