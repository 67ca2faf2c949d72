import Foundation
import Glibc
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of `transitctl` and the built daemon, with a geocoder on loopback that finds two streets for every query.
@Suite(.enabled(if: BuiltClient.path != nil), .ownThreads) struct AddressProcessTests {
    private let daemon: DaemonProcess
    private let geocoder: LoopbackServer
    /// Lets the geocoder respond to a query about the harbor.
    private let harborResponse = DispatchSemaphore(value: 0)

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        geocoder = try LoopbackServer { [harborResponse] request in
            let text = String(request.path.drop { $0 != "=" }.dropFirst().prefix { $0 != "&" })
            // The geocoder is slow for queries about the harbor. The limit only ends a test that has failed.
            if text.hasPrefix("harbor") { _ = harborResponse.wait(timeout: .now() + 120) }
            let features = ["Street", "Lane"].map { kind in
                #"{"geometry":{"coordinates":[9.9805,53.5405]},"properties":{"name":"\#(text) \#(kind)"}}"#
            }
            let body = #"{"features":[\#(features.joined(separator: ","))]}"#
            return "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
    }

    private func start(feed: Bool = true) throws {
        let city = """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "\(daemon.folder("city.zip"))"
            """
        try daemon.configure(
            "[geocoder]\nkind = \"photon\"\nurl = \"\(geocoder.url(""))\"\n" + (feed ? city : ""))
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        if feed { _ = try daemon.ask("feed.update", ["feed": "city"]) }
    }

    private var asked: [String] {
        geocoder.requests.map { String($0.path.drop { $0 != "=" }.dropFirst().prefix { $0 != "&" }) }
    }

    @Test func addressesAreFoundAndResolved() throws {
        try start()
        let found = try daemon.transitctl(["address", "quay", "1", "--plain"])
        #expect(found.output == "quay%201 Street\t53.5405\t9.9805\nquay%201 Lane\t53.5405\t9.9805\n", "\(found.error)")
        let near = try daemon.transitctl(["stops", "near", "--address", "quay 1"])
        #expect(near.output.contains("city:harbor"), "\(near.error)")
        #expect(near.error.contains("near quay%201 Street"))
        // A script gets an error if there are two results, not an arbitrary one of them.
        let several = try daemon.transitctl(["place", "set", "home", "--address", "quay 1"])
        #expect(several.code == 1)
        #expect(several.error.contains("53.5405,9.9805  quay%201 Lane"))
        let one = try daemon.transitctl(["place", "set", "home", "--address", "quay 1", "-n", "1"])
        #expect(one.code == 0, "\(one.error)")
        #expect(asked == ["quay%201"])
        try daemon.configure("")
        _ = try daemon.ask("config.reload")
        let none = try daemon.transitctl(["stops", "near", "--address", "quay 1"])
        #expect(none.code == 1)
        #expect(none.error.contains("[geocoder]"))
    }

    /// An end that is no stop is looked up if it looks like an address, or if it is marked as one.
    @Test func journeysBeginAndEndAtAddresses() throws {
        try start()
        for words in [["quay 1", "City Park"], ["quay", "1", "to", "City", "Park"], ["quay", "1", "City", "Park"]] {
            let found = try daemon.transitctl(["journey"] + words + ["-n", "1"])
            #expect(found.code == 0, "\(found.error)")
            #expect(found.output.contains("walk 2 min to Harbor"), "\(found.output)")
            #expect(found.error.contains("near quay%201 Street"), "\(found.error)")
        }
        let there = try daemon.transitctl(["journey", "City Park", "to", "quay 1", "-n", "1"])
        // No bus runs there, but the sentence about that has the name of the address.
        #expect(there.output.contains("to quay%201 Street"), "\(there.output)\(there.error)")
        let marked = try daemon.transitctl(["journey", "City Park", "to", "address:Embankment", "-n", "1"])
        #expect(marked.error.contains("near Embankment Street"), "\(marked.error)")
        for command in [["next", "quay 1", "Central Station"], ["last", "quay 1", "to", "Central Station"]] {
            let found = try daemon.transitctl(command)
            #expect(found.code == 0 && found.error.contains("near quay%201 Street"), "\(found.error)")
        }
        #expect(asked == ["quay%201", "Embankment"])
        // A misspelled stop stays on the machine.
        let unknown = try daemon.transitctl(["journey", "Nowhere Street", "to", "City Park"])
        #expect(unknown.code == 1 && unknown.error.contains("no stop \"Nowhere Street\""), "\(unknown.error)")
        #expect(asked.count == 2)
        try daemon.configure(
            "[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n")
        _ = try daemon.ask("config.reload")
        let without = try daemon.transitctl(["journey", "quay 1", "to", "City Park"])
        #expect(without.code == 1 && without.error.contains("no stop \"quay 1\""), "\(without.error)")
        let explicit = try daemon.transitctl(["journey", "address:quay 1", "to", "City Park"])
        #expect(explicit.code == 1 && explicit.error.contains("[geocoder]"), "\(explicit.error)")
    }

    @Test func typedPositionWithoutStopsIsNoPlace() throws {
        try start()
        let found = try daemon.transitctl(["journey", "0.5,0.5", "to", "City Park"])
        #expect(found.code == 1)
        #expect(found.error.contains("There is no stop within 3000 m of 0.5,0.5."), "\(found.error)")
        #expect(!found.error.contains("place list") && found.error.contains("Check the latitude"), "\(found.error)")
    }

    @Test func requestsOfAllClientsAreOneSecondApart() throws {
        try start(feed: false)
        let clients = try (0..<3).map { _ in try DaemonClient(daemon.socket) }
        let began = DispatchTime.now().uptimeNanoseconds
        for (number, client) in clients.enumerated() {
            try client.send("address.search", ["text": .string("quay \(number)")])
        }
        for client in clients { #expect(String(decoding: try client.readLine(), as: UTF8.self).contains("Street")) }
        #expect(Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9 >= 2)
        // The order of the requests is not specified.
        #expect(asked.sorted() == ["quay%200", "quay%201", "quay%202"])
    }

    @Test func setupAcceptsAddressFromScript() throws {
        try start(feed: false)
        let setup = try daemon.transitctl(
            ["setup"],
            answers: [
                "A timetable whose URL or file you have (GTFS)", daemon.folder("city.zip"), "", "", "", "city", "n",
                "y", "Quay 7", "1",
                "Central Station",
            ])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("1  Quay%207 Street"))
        #expect(
            setup.error.contains("home is near Old Harbor") || setup.error.contains("home is near Harbor"),
            "\(setup.error)")
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
    }

    /// According to transitd.toml(5), coordinates are never sent to the geocoder.
    @Test func coordinatesAreNeverSentToGeocoder() throws {
        try start()
        let setup = try daemon.transitctl(
            ["setup"],
            answers: [
                "n", "153.5405 9.9805", "53.5405 9.9805", "53\u{B0} 32' 26\" N 9\u{B0} 58' 50\" E", "53.5405N 9.9805E",
            ])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(
            setup.error.components(separatedBy: "Coordinates have the format LAT,LON in degrees").count == 3,
            "\(setup.error)")
        for text in ["53.5405 9.9805", "geo:53.5405,9.9805", "53.5405N 9.9805E", "2026"] {
            let found = try daemon.transitctl(["address", text])
            #expect(found.code == 64, "\(found.error)")
            #expect(found.error.contains("which transitd never sends to a geocoder"), "\(found.error)")
        }
        #expect(asked == [])
    }

    /// On a terminal, suggestions for one place are never shown for another place, even if a response is late.
    @Test func suggestionsAppearWhileTyping() throws {
        try start()
        let terminal = try PseudoTerminal(try #require(BuiltClient.path), ["setup", "--socket", daemon.socket])
        try terminal.wait(for: "(y/n,")
        terminal.type("\r")
        try terminal.wait(for: "home:")
        // The geocoder responds while the next question is asked.
        terminal.type("harbor")
        try terminal.wait { self.asked == ["harbor"] }
        terminal.type("\r")
        try terminal.wait(for: "home is near")
        try terminal.wait(for: "work:")
        harborResponse.signal()
        terminal.type("quay")
        try terminal.wait(for: "quay Lane")
        #expect(!terminal.text.contains("harbor Street"))
        // Moves to the second suggestion.
        terminal.type("\u{1B}[B\u{1B}[B")
        try terminal.wait(for: "> quay Lane")
        terminal.type("\r")
        try terminal.wait(for: "work is near")
        #expect(asked == ["harbor", "quay"])
    }

    /// The arrow keys correct the URL before it is checked.
    @Test func geocoderIsSavedOnlyAfterItResponds() throws {
        let page = try LoopbackServer { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
        }
        try daemon.configure(
            "[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n")
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        func configuration() throws -> String {
            try String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)
        }
        let terminal = try PseudoTerminal(try #require(BuiltClient.path), ["setup", "--socket", daemon.socket])
        try terminal.wait(for: "(y/n,")
        terminal.type("\r")
        try terminal.wait(for: "URL of a geocoder")
        terminal.type("53.55, 9.99\r")
        try terminal.wait(for: "These are coordinates.")
        try terminal.wait(for: "URL of a geocoder")
        terminal.type(page.url("") + "\r")
        try terminal.wait(for: "is not a photon geocoder")
        #expect(try !configuration().contains("[geocoder]"))
        terminal.type(String(geocoder.url("").dropFirst()) + "\u{1B}[Hh\r")
        try terminal.wait(for: "The geocoder responds.")
        try terminal.wait(for: "home:")
        #expect(try configuration().contains("[geocoder]\nkind = \"photon\"\nurl = \"\(geocoder.url(""))\"\n"))
        // The query of the check names no address of the user.
        #expect(asked == ["Central%20Station"])
        terminal.type("quit\r")
        try terminal.wait(for: "Everything that was set up so far is kept.")
    }
}

/// A program on a pseudoterminal. The test types keys and reads the output.
private final class PseudoTerminal {
    private let process = TestProcess()
    private let master: FileHandle
    private(set) var text = ""

    /// TIOCSPTLCK and TIOCGPTN from ioctl_tty(2).
    private static let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))

    init(_ program: String, _ arguments: [String]) throws {
        // Does the same as grantpt(3) and ptsname(3), which Swift's Glibc module lacks.
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (CInt, CUnsignedInt) = (0, 0)
        guard descriptor >= 0, ioctl(descriptor, Self.unlock, &lock) == 0, ioctl(descriptor, Self.number, &number) == 0
        else { throw LoopbackFailure() }
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let other = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["TERM": "xterm", "COLUMNS": "80"]
        (process.standardInput, process.standardOutput, process.standardError) = (other, other, other)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func type(_ keys: String) { try? master.write(contentsOf: Data(keys.utf8)) }

    /// Waits until the output since the last wait contains the given text.
    func wait(for words: String) throws {
        try wait { self.text[self.seen...].contains(words) }
        if let range = text[seen...].range(of: words) { seen = range.upperBound }
    }

    func wait(_ isTrue: () -> Bool) throws {
        let holds = eventually {
            read()
            return isTrue()
        }
        if holds { return }
        throw DaemonFailure(reason: "the terminal shows \(text)")
    }

    private lazy var seen = text.startIndex

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master.fileDescriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        let place = text.utf8.distance(from: text.startIndex, to: seen)
        text += String(decoding: buffer.prefix(count), as: UTF8.self)
        seen = text.utf8.index(text.startIndex, offsetBy: place)
    }
}
