import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits

/// Tests of what contrib/hooks/ntfy and contrib/hooks/webhook have in common: they send requests to a configured URL.
@Suite(.enabled(if: TestPath.has(["python3"], for: "contrib/hooks"), "needs python3"), .ownThreads)
struct RequestHookTests {
    enum Hook: String, CaseIterable, Sendable {
        case ntfy, webhook

        /// A valid configuration with a URL.
        func configuration(url: String) -> String {
            switch self {
            case .ntfy: "url = \(url)\ntopic = x\n"
            case .webhook: "url = \(url)\nsecret = 0123456789abcdef\n"
            }
        }

        /// Runs the program with a URL.
        func run(url: String, input: String? = nil) throws -> ProgramOutcome {
            let home = try HookHome()
            try home.configure("\(rawValue).conf", configuration(url: url))
            return try input.map { try home.run(rawValue, input: $0) } ?? home.run(rawValue)
        }
    }

    @Test(
        arguments: Hook.allCases,
        ["", "[]", "{}", "{\"schema\":2}", "{\"schema\":1,\"id\":\"a\\nb\"}", String(repeating: "[", count: 50_000)])
    func rejectsInvalidEvents(_ hook: Hook, _ input: String) throws {
        #expect(try hook.run(url: "http://localhost:1/", input: input).status == 65)
    }

    @Test(
        arguments: Hook.allCases,
        ["https://[fe80::1%eth0]/", "http://[::1%lo]:1/", "https://a..b/", "https://[::1", "https://127.0.0.1:x/"])
    func invalidHostIsAnErrorOfTheConfiguration(_ hook: Hook, _ url: String) throws {
        let outcome = try hook.run(url: url)
        #expect(outcome.status == 78, "\(outcome.error)")
        #expect(outcome.error.filter(\.isNewline).count == 1, "\(outcome.error)")
    }

    /// Nothing changes while the certificate is the same, so it is not a temporary failure.
    @Test(
        .enabled(if: UpstreamServer.isAvailable), arguments: Hook.allCases,
        [UpstreamServer.Listener.selfSigned, .wrongHost, .expired])
    func invalidCertificateIsNotTriedAgain(_ hook: Hook, _ listener: UpstreamServer.Listener) throws {
        let server = try UpstreamServer()
        let outcome = try hook.run(url: server.url("/ok", listener))
        #expect(outcome.status == 1, "\(outcome.error)")
        #expect(outcome.error.contains("certificate is not valid: "), "\(outcome.error)")
        #expect(outcome.error.filter(\.isNewline).count == 1, "\(outcome.error)")
    }
}
