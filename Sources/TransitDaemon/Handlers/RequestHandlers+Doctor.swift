internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func doctor(_ parameters: DoctorParameters, _ context: RequestContext) throws -> DoctorResult {
        if parameters.bundle { try permitOwner(context.caller, "make a bundle for a bug report") }
        let checks =
            [configurationCheck(context)] + feedsCheck(context) + diskChecks() + [stateCheck(), networkCheck()]
            + context.feeds.flatMap { feedChecks($0, context) } + damageChecks()
            + refreshChecks()
        return DoctorResult(
            at: context.at, checks: checks, bundle: parameters.bundle ? try bundle(checks, context) : nil)
    }

    private func configurationCheck(_ context: RequestContext) -> DoctorCheck {
        let configuration = configCheck(context)
        let count = configuration.problems.count
        let verdict =
            !configuration.isValid
            ? "wrong" : count > 0 ? "used, with \(count) warning\(count == 1 ? "" : "s")" : "sound"
        return DoctorCheck(
            check: "configuration", outcome: !configuration.isValid ? .failed : count > 0 ? .warning : .ok,
            message: configuration.file.map { "\($0) is \(verdict)." } ?? "There is no configuration file.",
            remedy: count > 0 ? "See: transitctl config check" : nil)
    }

    /// Checks that a feed is configured.
    private func feedsCheck(_ context: RequestContext) -> [DoctorCheck] {
        guard context.feeds.isEmpty else { return [] }
        return [
            DoctorCheck(
                check: "feeds", outcome: .failed, message: "No feed is configured, so nothing can be answered.",
                remedy: "transitctl setup")
        ]
    }

    /// Below this many bytes an import of a large feed may not find room.
    private static let scarce = 512 << 20

    /// Below this many bytes the state file may not find room soon.
    private static let scarceForState = 16 << 20

    /// The disk of the timetables, and that of the state where it is another one.
    private func diskChecks() -> [DoctorCheck] {
        let (cache, state) = (daemon.directories.cache, daemon.directories.state)
        let timetables = diskCheck(
            "disk", cache, scarce: Self.scarce,
            remedy: "Make room: an import needs up to twice the size of its feed.")
        if DiskUsage.device(of: cache) == DiskUsage.device(of: state) { return [timetables] }
        return [
            timetables,
            diskCheck(
                "disk.state", state, scarce: Self.scarceForState,
                remedy: "Make room: places, commutes and favorites cannot be kept without, and sources with a budget "
                    + "are not asked."),
        ]
    }

    private func diskCheck(_ check: String, _ folder: String, scarce: Int, remedy: String) -> DoctorCheck {
        guard let free = DiskUsage.free(at: folder) else {
            return DoctorCheck(check: check, outcome: .warning, message: "The disk cannot be looked at.")
        }
        return DoctorCheck(
            check: check, outcome: free == 0 ? .failed : free < scarce ? .warning : .ok,
            message: free == 0 ? "The disk is full." : "\(free >> 20) MiB are free.",
            remedy: free < scarce ? remedy : nil)
    }

    private func stateCheck() -> DoctorCheck {
        do throws(StoreError) {
            if let damage = try daemon.state.corruption() {
                return DoctorCheck(
                    check: "state", outcome: .failed, message: "The state file is damaged: \(damage).",
                    remedy: "Restart transitd: the newest sound backup takes its place.")
            }
        } catch {
            return DoctorCheck(check: "state", outcome: .failed, message: "\(error)".asSentence)
        }
        do throws(StoreError) { try daemon.state.probe() } catch {
            return DoctorCheck(
                check: "state", outcome: .failed, message: "The state file cannot be written: \(error).",
                remedy: "Make room on its disk: \(daemon.directories.state)")
        }
        return DoctorCheck(check: "state", outcome: .ok, message: "The state file is sound.")
    }

    private func networkCheck() -> DoctorCheck {
        switch NetworkConnectivity.read() {
        case .online:
            return DoctorCheck(check: "network", outcome: .ok, message: "There is a way out of this machine.")
        case .offline:
            return DoctorCheck(
                check: "network", outcome: .warning, message: "There is no way out of this machine.",
                remedy: "Answers come from what is here, with their age.")
        case .unknown(let reason):
            return DoctorCheck(
                check: "network", outcome: .warning,
                message: "It cannot be found out whether there is a way out of this machine: \(reason).",
                remedy: "Let transitd read /proc/self/net: look at the unit's ProtectProc= and ProcSubset=.")
        }
    }

    private func feedChecks(_ feed: FeedSnapshot, _ context: RequestContext) -> [DoctorCheck] {
        var checks = [timetableCheck(feed, context)]
        for kind in feed.configuration.datasets where kind.isRealtime {
            let record = daemon.refresh.record(DatasetID(feed.id, kind))
            let failures = record?.consecutiveFailures ?? 0
            let reason = record?.lastUpdate?.reason.map { " \($0.asSentence)" } ?? ""
            checks.append(
                DoctorCheck(
                    check: "feed.\(feed.id).\(kind.rawValue)",
                    outcome: failures > 0 ? .failed : record?.lastSuccess == nil ? .skipped : .ok,
                    message: failures > 0
                        ? "\(failures == 1 ? "The last attempt has" : "The last \(failures) attempts have") failed.\(reason)"
                        : record?.lastSuccess == nil ? "It has not been asked for yet." : "The source answers.",
                    remedy: failures > 0 ? "transitctl refresh \(feed.id) \(kind.rawValue)" : nil))
        }
        return checks
    }

    private func timetableCheck(_ feed: FeedSnapshot, _ context: RequestContext) -> DoctorCheck {
        let notices = FeedNotices(now: context.now).aboutTimetable(feed)
        let trouble = notices.first { $0.kind != .importing }
        let isComing = trouble == nil && feed.timetable == nil
        return DoctorCheck(
            check: "feed.\(feed.id).timetable",
            outcome: isComing ? .warning : feed.timetable == nil ? .failed : trouble == nil ? .ok : .warning,
            message: (trouble ?? notices.first)?.message ?? "The timetable of \(feed.id) is there.",
            remedy: trouble == nil ? nil : "transitctl feed update \(feed.id)")
    }

    /// Reports data that was found damaged or was set aside since the start.
    private func damageChecks() -> [DoctorCheck] {
        daemon.damages.entries.map { entry in
            DoctorCheck(check: "cache", outcome: .warning, message: "\(entry.name): \(entry.message)")
        }
    }

    private func refreshChecks() -> [DoctorCheck] {
        daemon.refresh.notices.entries.map { entry in
            DoctorCheck(check: "refresh", outcome: .warning, message: RefreshNoticeLine(entry.notice).text)
        }
    }

    // MARK: The bundle

    /// What a bug report needs, without secrets and without what is personal: no commutes, no places, no queries of URLs.
    private func bundle(_ checks: [DoctorCheck], _ context: RequestContext) throws -> [BundleFile] {
        let anonymous = context.withPersonalState(PersonalState())
        let status = try status(StatusParameters(updates: true), anonymous)
        let budget = try budget(BudgetParameters(), anonymous)
        return [
            BundleFile(name: "status.json", text: Self.text(status)),
            BundleFile(name: "budget.json", text: Self.text(budget)),
            BundleFile(
                name: "checks.txt",
                text: checks.map { "\($0.outcome.rawValue)\t\($0.check)\t\($0.message)\n" }.joined()),
            BundleFile(
                name: "feeds.txt",
                text: context.feeds.map { feed in
                    let live = feed.configuration.datasets.filter(\.isRealtime).map { kind in
                        "  \(kind.rawValue) = \(feed.configuration.datasetSource(kind)?.endpoint.rawValue ?? "")\n"
                    }
                    return "\(feed.id): \(feed.configuration.source)\n" + live.joined()
                }.joined()),
            BundleFile(
                name: "notices.txt",
                text: daemon.refresh.notices.entries.map {
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
