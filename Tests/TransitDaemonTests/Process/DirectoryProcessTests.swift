import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// The directories of the built daemon, and what happens if two daemons have the same one.
@Suite(.enabled(if: DaemonProcess.executable != nil, "transitd is not built"), .ownThreads)
struct DirectoryProcessTests {
    @Test(arguments: [("STATE_DIRECTORY", "state"), ("CACHE_DIRECTORY", "cache")])
    func secondDaemonWithTheSameFolderIsRefused(_ variable: String, _ folder: String) throws {
        let first = try DaemonProcess()
        try first.start()
        let second = try DaemonProcess()
        second.replacedEnvironment = [variable: first.folder(folder)]
        let result = try second.run([])
        #expect(result.code == 1)
        #expect(
            result.output.contains(
                "Another transitd process uses the \(folder) folder \(first.folder(folder)). Stop it first, or set "
                    + "\(variable) to another folder."), "\(result.output)")
        // The first daemon goes on.
        #expect(try first.ask("status")["daemon"] != nil)
    }

    @Test func oneFolderCanBeStateAndCache() throws {
        let daemon = try DaemonProcess()
        daemon.replacedEnvironment = ["CACHE_DIRECTORY": daemon.folder("state")]
        try daemon.start()
        #expect(try daemon.ask("status")["daemon"] != nil)
    }

    @Test(arguments: ["STATE_DIRECTORY", "CACHE_DIRECTORY", "RUNTIME_DIRECTORY", "CONFIGURATION_DIRECTORY"])
    func relativeDirectoryIsRefused(_ variable: String) throws {
        let daemon = try DaemonProcess()
        daemon.replacedEnvironment = [variable: "some/folder"]
        for arguments in [[], ["--check-config"]] {
            let result = try daemon.run(arguments)
            #expect(result.code == 78)
            #expect(
                result.output.contains(
                    "\(variable) is \"some/folder\", but it must be an absolute path. Set it to a path that begins with "
                        + "/, or unset it."), "\(result.output)")
        }
        #expect(!FileManager.default.fileExists(atPath: daemon.folder(".local")))
    }

    /// The XDG Base Directory Specification requires this.
    @Test func relativeBaseDirectoryIsIgnoredWithAWarning() throws {
        let daemon = try DaemonProcess()
        daemon.replacedEnvironment = ["XDG_STATE_HOME": "some/folder"]
        try daemon.start()
        #expect(daemon.output().contains("XDG_STATE_HOME is ignored, because \"some/folder\" is not an absolute path."))
    }
}
