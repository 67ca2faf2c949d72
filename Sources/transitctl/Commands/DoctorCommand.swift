internal import ArgumentParser
internal import Glibc
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and suggest how to fix them.")

    @Option(
        help: ArgumentHelp(
            "Also write a tar archive for a bug report, without secrets or personal data.",
            valueName: "file"))
    var bundle: String?
    @OptionGroup var global: GlobalOptions

    func run() throws { try global.run { $0.doctor(bundle: bundle) } }
}

extension Session {
    /// Runs the checks and fails if one of them fails. Without a daemon, it runs the checks that the client supports.
    func doctor(bundle path: String?) -> ExitStatus {
        attempt { () throws(ClientError) in
            do throws(ClientError) { return try requestDoctor(bundle: path) } catch {
                guard path == nil, let checks = OfflineChecks().checks(after: error) else { throw error }
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                let instant = Instant(secondsSince1970: Int64(now.tv_sec))
                let result = DoctorResult(at: Timestamp(instant, offset: 0), checks: checks)
                guard let value = try? JSONValue(parsing: result.encoded) else { throw error }
                _ = try show(value, of: DoctorParameters(), .doctor)
                return error.exitStatus
            }
        }
    }

    private func requestDoctor(bundle path: String?) throws(ClientError) -> ExitStatus {
        var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: .catching())
        let call = DoctorParameters(bundle: path != nil)
        let answer = try client.request(call, timeout: ControlClient.longTimeout)
        var result = try Self.read(answer, of: call)
        if let path { try write(result.bundle ?? [], to: path, at: result.at) }
        // The files are written to the archive. Printed on the terminal, they would hide the checks.
        result.bundle = nil
        let status = try show(
            (try? JSONValue(parsing: result.encoded)) ?? answer, of: call, .doctor,
            status: { $0.checks.contains { $0.outcome == .failed } ? .failure : .success })
        if let path { printNotice(Line("Wrote \(path). Review it before you share it.", .good)) }
        return status
    }

    private func write(_ files: [BundleFile], to path: String, at time: Timestamp) throws(ClientError) {
        // Never overwrites an existing file. Only the user can read the new file.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "creating \(path)", number: errno) }
        defer { close(descriptor) }
        let archive = TarArchive.of(files.map { ($0.name, Array($0.text.utf8)) }, time: time.instant.secondsSince1970)
        guard StandardStream(descriptor: descriptor).write(archive) else {
            throw .system(call: "writing \(path)", number: errno)
        }
    }
}
