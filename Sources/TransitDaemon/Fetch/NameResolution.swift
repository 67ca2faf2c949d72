internal import Synchronization
internal import TransitFetch
internal import TransitModel
internal import TransitSystem

/// Whether the names of upstreams can be resolved, as the last requests show.
struct NameResolution: Hashable, Sendable {
    /// The time since which no name could be resolved; `nil` if the last request resolved its host's name.
    var failingSince: Instant?
    /// The hosts whose names could not be resolved, in the order of the failures, at most
    /// ``NameResolutionMonitor/maximumHosts``.
    var hosts: [String] = []

    var isFailing: Bool { failingSince != nil }

    /// The state as a sentence, if ``isFailing``.
    var sentence: String {
        "This machine is connected, but no host name can be resolved: \(hosts.joined(separator: ", "))."
    }
}

/// Passes requests on and records whether the names of their hosts could be resolved. A machine with a route but without
/// a working name server looks connected, and none of its requests arrives.
final class NameResolutionMonitor: Transport {
    private struct State {
        var resolution = NameResolution()
        /// The time at which a name was resolved.
        var lastResolved: Instant?
        /// The hosts whose names were resolved.
        var known: Set<String> = []
    }

    static let maximumHosts = 4
    private static let maximumKnown = 256
    /// The number of seconds after a success for which the failure of a name that was never resolved concerns only that
    /// name, which may not exist.
    private static let memory = 900

    private let network: any Transport
    private let clock: any WallClock
    private let state = Mutex(State())

    init(_ network: any Transport, clock: any WallClock) {
        self.network = network
        self.clock = clock
    }

    var current: NameResolution { state.withLock { $0.resolution } }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let host = WebURL(request.url).map(\.host)
        network.start(request, until: flag) { [self] result in
            if let host, Self.needsNameServer(host) { record(result, host) }
            completion(result)
        }
    }

    private func record(_ result: FetchResult, _ host: String) {
        let now = clock.now()
        state.withLock { state in
            if case .failed(.dns) = result.outcome {
                let isRecent = state.lastResolved.map { (0..<Self.memory).contains($0.seconds(to: now)) } ?? false
                if isRecent, !state.known.contains(host) { return }
                if state.resolution.failingSince == nil { state.resolution.failingSince = now }
                if !state.resolution.hosts.contains(host), state.resolution.hosts.count < Self.maximumHosts {
                    state.resolution.hosts.append(host)
                }
            } else if Self.hasResolved(result) {
                (state.resolution, state.lastResolved) = (NameResolution(), now)
                if state.known.count < Self.maximumKnown { state.known.insert(host) }
            }
        }
    }

    /// Whether the result requires that the host's name was resolved.
    private static func hasResolved(_ result: FetchResult) -> Bool {
        guard case .failed(let failure) = result.outcome else { return true }
        return switch failure {
        case .connect, .tls, .tooSlow, .tooLarge, .headerTooLong, .redirection, .interrupted, .encoding: true
        case .dns, .timedOut, .canceled, .file, .key, .address, .notRecorded, .unavailable, .other: false
        }
    }

    /// Whether the host is a name other than this machine's own, and not an address.
    private static func needsNameServer(_ host: String) -> Bool {
        !WebURL.isLoopback(host) && host.contains { $0.isLetter } && !host.contains(":")
    }
}

/// The name servers that the system's resolver asks, and what to do if they do not answer.
enum NameServers {
    /// Returns a sentence that says how to make names resolvable again.
    ///
    /// - Parameter path: The file that names the servers, resolv.conf(5).
    static func remedy(path: String = "/etc/resolv.conf") -> String {
        guard case .success(let bytes) = FileContents.read(path, limit: 1 << 16) else {
            return "Create \(path) with a line such as: nameserver 192.0.2.1. \(then)"
        }
        let servers = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.count > 1 && words[0] == "nameserver" ? String(words[1]) : nil
        }
        guard !servers.isEmpty else { return "Add a name server to \(path), which names none. \(then)" }
        if servers.contains("127.0.0.53") {
            return "Run `sudo systemctl restart systemd-resolved`. \(then)"
        }
        return "Check the name server\(servers.count == 1 ? "" : "s") in \(path): \(servers.joined(separator: ", ")). "
            + "\(then)"
    }

    private static let then = "Then run `transitctl refresh`."
}
