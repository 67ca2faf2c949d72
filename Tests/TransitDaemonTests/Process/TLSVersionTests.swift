import Foundation
import Testing
import TransitControl
import TransitSystem
import TransitTestSupport
import TransitTestTraits

/// Tests of the daemon with an OpenSSL configuration that allows every TLS version.
@Suite(.enabled(if: DaemonProcess.executable != nil && UpstreamServer.isAvailable), .ownThreads) struct TLSVersionTests
{
    @Test func oldTLSVersionIsRefused() throws {
        let server = try UpstreamServer()
        let daemon = try DaemonProcess()
        let lenient = """
            openssl_conf = start
            [start]
            ssl_conf = versions
            [versions]
            system_default = lenient
            [lenient]
            MinProtocol = TLSv1
            CipherString = ALL:@SECLEVEL=0
            """
        try Data(lenient.utf8).write(to: URL(fileURLWithPath: daemon.folder("openssl.cnf")))
        daemon.addedEnvironment = ["OPENSSL_CONF": daemon.folder("openssl.cnf")]
        func feed(_ name: String, _ listener: UpstreamServer.Listener) -> String {
            """
            [[feed]]
            id = "\(name)"
            provider = "gtfs"
            static = "\(server.url("/ok", listener))"
            ca_file = "\(server.caFile)"

            """
        }
        try daemon.configure(feed("old", .oldTLS) + feed("new", .good))
        try daemon.start()
        // The response from the valid listener was received, although it is not a timetable.
        try daemon.eventually("the response over a new version") {
            daemon.output().contains("not a zip archive") ? true : nil
        }
        try daemon.eventually("the refusal of an old version") {
            daemon.output().contains("TLS connection failed") ? true : nil
        }
        #expect(try !server.log().contains { $0.listener == "old-tls" })
    }
}
