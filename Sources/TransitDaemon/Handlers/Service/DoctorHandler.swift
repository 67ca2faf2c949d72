internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitWire

/// Handles `doctor`: checks the configuration, the disks, the state, the network and the sources.
struct DoctorHandler: MethodHandler {
    let configuration: ConfigCheckHandler
    let status: StatusHandler
    let budget: BudgetHandler
    let directories: Directories
    let state: StateStore
    let refresh: RefreshService
    let feeds: FeedChecks
    let service: ServiceCommands
    let corruptFiles: CorruptFileLog
    let permission: OwnerPermission

    func reply(to parameters: DoctorParameters, _ context: RequestContext) throws -> DoctorResult {
        if parameters.bundle { try permission.check(context.caller, "make a bundle for a bug report") }
        let checks =
            [configurationCheck(context)] + feedsCheck(context) + diskChecks() + [stateCheck(), networkCheck()]
            + context.feeds.flatMap { feeds.checks($0, context) } + status.externalData.checks() + damageChecks()
            + refreshChecks() + [status.notifications.check(context)]
        return DoctorResult(
            at: context.at, checks: checks, bundle: parameters.bundle ? try bundle(checks, context) : nil)
    }

    private func configurationCheck(_ context: RequestContext) -> DoctorCheck {
        let configuration = configuration.reply(to: ConfigCheckParameters(), context)
        let count = configuration.problems.count
        let verdict =
            !configuration.isValid
            ? "invalid" : count > 0 ? "valid, with \(count) warning\(count == 1 ? "" : "s")" : "valid"
        return DoctorCheck(
            check: "configuration", outcome: !configuration.isValid ? .failed : count > 0 ? .warning : .ok,
            message: configuration.file.map { "\($0) is \(verdict)." } ?? "There is no configuration file.",
            remedy: count == 0
                ? nil : configuration.isValid ? "See: transitctl config check" : Self.correction(configuration))
    }

    /// Returns the remedy for an invalid configuration: the place and cause of the first problem, and the command that
    /// applies the correction.
    private static func correction(_ result: ConfigCheckResult) -> String {
        let first = result.problems.first
        let place = [result.file ?? "", first?.line.map { "\($0)" }, first?.column.map { "\($0)" }]
            .compactMap(\.self).joined(separator: ":")
        let cause = [first?.message, first?.remedy].compactMap(\.self).joined(separator: "; ")
        return "Correct \(place) (\(cause)), then run: transitctl config reload"
    }

    /// Checks that a feed is configured.
    private func feedsCheck(_ context: RequestContext) -> [DoctorCheck] {
        guard context.feeds.isEmpty else { return [] }
        return [
            DoctorCheck(
                check: "feeds", outcome: .failed, message: "No feed is configured, so no departures are available.",
                remedy: "transitctl setup")
        ]
    }

    /// Below this number of free bytes, an import of a large feed may fail.
    private static let scarce = 512 << 20

    /// Below this number of free bytes, writing the state file may soon fail.
    private static let scarceForState = 16 << 20

    /// Checks the disk that holds the timetables, and the disk that holds the state if it is a different one.
    private func diskChecks() -> [DoctorCheck] {
        let (cache, state) = (directories.cache, directories.state)
        let timetables = diskCheck(
            "disk", cache, scarce: Self.scarce,
            remedy: "An import needs up to twice the size of its feed.")
        if DiskUsage.device(of: cache) == DiskUsage.device(of: state) { return [timetables] }
        return [
            timetables,
            diskCheck(
                "disk.state", state, scarce: Self.scarceForState,
                remedy:
                    "Without it, places, commutes and favorites cannot be saved, and sources with a request budget are not "
                    + "fetched."),
        ]
    }

    private func diskCheck(_ check: String, _ folder: String, scarce: Int, remedy: String) -> DoctorCheck {
        guard let free = DiskUsage.free(at: folder) else {
            return DoctorCheck(check: check, outcome: .warning, message: "The free disk space cannot be determined.")
        }
        return DoctorCheck(
            check: check, outcome: free == 0 ? .failed : free < scarce ? .warning : .ok,
            message: free == 0 ? "The disk is full." : "\(free >> 20) MiB are free.",
            remedy: free < scarce ? "Free disk space on this file system: `df -h \(folder)`. \(remedy)" : nil)
    }

    private func stateCheck() -> DoctorCheck {
        do throws(StoreError) {
            if let damage = try state.corruption() {
                return DoctorCheck(
                    check: "state", outcome: .failed, message: "The state file is corrupt: \(damage).",
                    remedy: "\(service.restart) It restores the newest valid backup.")
            }
        } catch {
            return DoctorCheck(
                check: "state", outcome: .failed, message: "\(error)".asSentence,
                remedy: "\(service.restart) If the file is corrupt, it restores the newest valid backup.")
        }
        do throws(StoreError) { try state.checkIsWritable() } catch {
            return DoctorCheck(
                check: "state", outcome: .failed, message: "The state file cannot be written: \(error).",
                remedy: "Free disk space on this file system: `df -h \(directories.state)`")
        }
        return DoctorCheck(check: "state", outcome: .ok, message: "The state file is intact.")
    }

    private func networkCheck() -> DoctorCheck {
        switch NetworkConnectivity.read() {
        case .online where status.names.current.isFailing:
            return DoctorCheck(
                check: "network", outcome: .failed, message: status.names.current.sentence,
                remedy: NameServers.remedy())
        case .online:
            return DoctorCheck(check: "network", outcome: .ok, message: "This machine has a network route.")
        case .offline:
            return DoctorCheck(
                check: "network", outcome: .warning, message: "This machine has no network route.",
                remedy: "Replies use the data on this machine and show its age.")
        case .unknown(let reason):
            return DoctorCheck(
                check: "network", outcome: .warning,
                message: "It is not known whether this machine has a network route: \(reason).",
                remedy: "Allow transitd to read /proc/self/net. Check ProtectProc= and ProcSubset= of the unit.")
        }
    }

    /// Reports the corrupt files that were found since the daemon started.
    private func damageChecks() -> [DoctorCheck] {
        corruptFiles.entries.map { entry in
            DoctorCheck(check: "cache", outcome: .warning, message: "\(entry.name): \(entry.message)")
        }
    }

    private func refreshChecks() -> [DoctorCheck] {
        refresh.notices.entries.map { entry in
            DoctorCheck(check: "refresh", outcome: .warning, message: RefreshNoticeLine(entry.notice).text)
        }
    }

    // MARK: Bundle

    /// Returns the files of a bug report, without secrets or personal data: no commutes, places, or query strings of
    /// URLs.
    private func bundle(_ checks: [DoctorCheck], _ context: RequestContext) throws -> [BundleFile] {
        let anonymous = context.withPersonalState(PersonalState())
        let status = try status.reply(to: StatusParameters(updates: true), anonymous)
        let budget = try budget.reply(to: BudgetParameters(), anonymous)
        return [
            BundleFile(name: "status.json", text: Self.text(status)),
            BundleFile(name: "budget.json", text: Self.text(budget)),
            BundleFile(
                name: "checks.txt",
                text: checks.map { "\($0.outcome.rawValue)\t\($0.check)\t\($0.message)\n" }.joined()),
            BundleFile(
                name: "feeds.txt",
                text: context.feeds.map { feed in
                    let realtime = feed.configuration.datasets.filter(\.isRealtime).map { kind in
                        "  \(kind.rawValue) = \(feed.configuration.datasetSource(kind)?.endpoint.rawValue ?? "")\n"
                    }
                    return "\(feed.id): \(feed.configuration.source)\n" + realtime.joined()
                }.joined()),
            BundleFile(
                name: "notices.txt",
                text: refresh.notices.entries.map {
                    "\($0.since.rfc3339()) \(RefreshNoticeLine($0.notice).text)\n"
                }.joined()),
        ]
    }

    private static func text(_ value: some WireValue) -> String {
        var writer = JSONWriter()
        value.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
