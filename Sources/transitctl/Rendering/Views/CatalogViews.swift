internal import TransitControl
internal import TransitModel

extension View where Result == FeedFindResult {
    /// The timetables with their license, key, realtime feeds and area.
    static func feedFind(in units: DisplayUnits) -> View {
        View(page: { page(&$0, $1, units) }, rows: { $0.feeds.map(\.row) })
    }

    private static func page(_ page: inout Page, _ result: FeedFindResult, _ units: DisplayUnits) {
        if let address = result.address { page.line("Near \(address):", .faint) }
        for feed in result.feeds {
            page.blank()
            page.line(feed.title)
            page.pieces(feed.facts(units), indent: 2)
            if let key = feed.key {
                page.line(key.line, indent: 2)
            } else if let key = feed.realtime.lazy.compactMap(\.key).first {
                page.line(Line("realtime data: ") + key.line, indent: 2)
            }
            if let url = feed.url ?? feed.copyUrl { page.line(url, .faint, indent: 2) }
            if feed.status == .inactive, feed.url != nil, let copy = feed.copyUrl {
                page.line("copy: \(copy)", .faint, indent: 2)
            }
            if let license = feed.license { page.line("license: \(license)", .faint, indent: 2) }
        }
        if result.feeds.isEmpty {
            page.line(
                result.position == nil
                    ? "No timetable matches these words. Try the name of the agency, or --near LAT,LON."
                    : "No timetable is within \(units.distance(meters: 50_000)).")
        }
        page.blank()
        if result.total > result.feeds.count {
            page.line(
                "\(CountText.of(result.total - result.feeds.count, "more timetable")). Use -n 100 to show them.", .faint
            )
        }
        let age = result.age.map { "catalog \(DurationText.of(seconds: max(0, $0))) old · " } ?? ""
        page.line(age + "data by MobilityDatabase.org (CC0)", .faint)
    }
}

extension CatalogFeed {
    /// Returns a line such as `mdb-779 MVV, Munich, Bayern, DE`.
    fileprivate var title: Line {
        let place = [municipality, subdivision, country].compactMap(\.self).filter { !$0.isEmpty }
        var line = Line("\(id) ", .faint) + Line(provider, .strong)
        if let name { line.append(" (\(name))") }
        if !place.isEmpty { line.append(" · " + place.joined(separator: ", ")) }
        return line
    }

    fileprivate func facts(_ units: DisplayUnits) -> [Line] {
        var facts: [Line] = []
        if status != .active { facts.append(Line(status.rawValue, .bad)) }
        if let isOfficial { facts.append(Line(isOfficial ? "official" : "unofficial")) }
        if let distance { facts.append(Line(distance == 0 ? "here" : "\(units.distance(meters: distance)) away")) }
        facts.append(Line(area.map { "\(units.distance(meters: $0.diagonal)) across" } ?? "area unknown"))
        let datasets = Set(realtime.flatMap(\.datasets))
        let names = [DatasetName.tripUpdates, .vehicles, .alerts].filter(datasets.contains).map { name in
            name == .tripUpdates ? "predictions" : name.rawValue
        }
        facts.append(Line(names.isEmpty ? "no realtime data" : "realtime: " + names.joined(separator: ", ")))
        if key != nil {
            facts.append(Line("needs a key", .caution))
        } else {
            let isKeyed = realtime.contains { $0.key != nil }
            facts.append(isKeyed ? Line("realtime data needs a key", .caution) : Line("no key"))
        }
        if !replaces.isEmpty { facts.append(Line("replaces " + replaces.joined(separator: ", "))) }
        return facts
    }

    /// The row for scripts: identifier, provider, name, municipality, subdivision, country, status, whether it is official,
    /// key, realtime datasets, diagonal in meters, distance in meters, URL, URL of the copy, license.
    fileprivate var row: [String] {
        [
            id, provider, name ?? "", municipality ?? "", subdivision ?? "", country ?? "", status.rawValue,
            isOfficial.map { $0 ? "official" : "unofficial" } ?? "", key?.placement.rawValue ?? "",
            realtime.flatMap(\.datasets).map(\.rawValue).joined(separator: ","), area.map { "\($0.diagonal)" } ?? "",
            distance.map { "\($0)" } ?? "", url ?? "", copyUrl ?? "", license ?? "",
        ]
    }
}

extension CatalogKey {
    fileprivate var line: Line {
        let subject: String
        switch placement {
        case .parameter: subject = "key in the parameter \(name ?? "that its page names")"
        case .header: subject = "key in the header \(name ?? "that its page names")"
        case .other: subject = "access as its page describes"
        }
        return Line(info.map { "\(subject): \($0)" } ?? subject)
    }
}
