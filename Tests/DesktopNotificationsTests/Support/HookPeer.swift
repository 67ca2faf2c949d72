import Foundation
import TransitTestTraits

/// A web service on loopback that receives what hooks send.
final class HookPeer {
    private let program: RunningProgram
    let port: String
    private var lastQuestion = 0

    /// - Parameter mode: The mode of hook_peer.py.
    init(_ mode: String) throws {
        program = try RunningProgram(["python3", TestPath.upstream("hook_peer.py"), mode])
        try program.wait(for: "\n")
        port = String(program.lines.first ?? "")
    }

    struct Request {
        var method: String
        var path: String
        var body: String
        var headers: [String: String]
    }

    /// The requests that have been answered. What the program prints arrives later than its responses, so this waits until
    /// the answer to a question, which comes after them, has arrived.
    var requests: [Request] {
        lastQuestion += 1
        let question = "sync \(lastQuestion)\n"
        try? program.send(question)
        try? program.wait(for: question)
        return program.lines.dropFirst().compactMap { line in
            guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                return nil
            }
            return Request(
                method: json["method"] as? String ?? "", path: json["path"] as? String ?? "",
                body: json["body"] as? String ?? "", headers: json["headers"] as? [String: String] ?? [:])
        }
    }
}

/// A home directory in which hooks of contrib/hooks run.
struct HookHome {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a configuration file.
    func configure(_ name: String, _ text: String, permissions: Int = 0o600) throws {
        try folder.write(text, to: ".config/transitd/" + name, permissions: permissions)
    }

    /// Runs a hook.
    func run(_ name: String, _ changes: [String: Any] = [:], input: String? = nil) throws -> ProgramOutcome {
        try ProgramOutcome.run(
            [TestPath.contributed(name)], environment: ["PATH": TestPath.path, "HOME": folder.path],
            input: input ?? SampleEvent(changes).json)
    }
}
