package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries
internal import TransitStore
internal import TransitWire

extension CommuteEndpoint {
    /// The end in a sentence: a place as entered, or a position or a stop by its name if that is known.
    var words: String {
        kind == .place ? RequestedPosition(reference)?.name ?? reference : name ?? reference
    }
}

extension QueryContext {
    /// Returns a commute with the names of its stops and, if it cannot be used, the reason.
    func summary(of request: CommuteRequest) -> CommuteSummary { summary(of: request.entry, in: request.commuteList) }

    package func summary(of entry: CommuteList.Entry, in commuteList: CommuteList) -> CommuteSummary {
        let ends = [entry.commute.from, entry.commute.to].map { (text: $0, end: commuteList.end($0)) }
        return CommuteSummary(
            name: entry.commute.name, from: endpoint(ends[0].text, ends[0].end),
            to: endpoint(ends[1].text, ends[1].end),
            isInUse: commuteList.inUse == entry.commute.name, origin: DefinitionOrigin(entry.definition),
            problem: ends.lazy.compactMap { self.problem(with: $0.end) }.first,
            windows: entry.commute.windows.map(\.description))
    }

    private func endpoint(_ text: String, _ end: CommuteList.End) -> CommuteEndpoint {
        switch end {
        case .place(_, let place):
            var name: String?
            if case .stop(let stop) = place.location { name = self.name(of: stop) }
            return CommuteEndpoint(kind: .place, reference: text, name: name)
        case .stops(let stops):
            return CommuteEndpoint(
                kind: .stop, reference: text, name: stops.lazy.compactMap { self.name(of: $0) }.first)
        case .unknown:
            return CommuteEndpoint(kind: .place, reference: text, name: RequestedPosition(text)?.name)
        }
    }

    private func name(of stop: QualifiedStop) -> String? {
        guard let timetable = feeds.first(where: { $0.id == stop.feed })?.timetable,
            let index = try? timetable.file.stop(id: stop.stop)
        else { return nil }
        return try? timetable.cachedStop(index).name
    }

    private func problem(with end: CommuteList.End) -> String? {
        switch end {
        case .stops(let stops):
            // A single existing platform is enough.
            let problems = stops.map { self.problem(with: $0) }
            return problems.contains(nil) ? nil : problems[0]
        case .place(_, let place):
            guard case .stop(let stop) = place.location else { return nil }
            return problem(with: stop)
        case .unknown(let text): return "The place \(text) is not set."
        }
    }

    private func problem(with stop: QualifiedStop) -> String? {
        guard let feed = feeds.first(where: { $0.id == stop.feed }) else { return "There is no feed \"\(stop.feed)\"." }
        guard let timetable = feed.timetable else { return ControlError.noData([feed]).message }
        guard (try? timetable.file.stop(id: stop.stop)) == nil else { return nil }
        return "The timetable of \(stop.feed) has no stop \"\(stop.stop)\"."
    }
}
