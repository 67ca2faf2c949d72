package import TransitControl
package import TransitModel
package import TransitNotifications
package import TransitQueries
package import TransitStore
package import TransitWire

/// The reply of `notify.rehearse`.
package struct RehearsalReply {
    private static let maximumDifferences = 200

    /// What was recorded in the period of the rehearsal.
    package struct Records {
        var observations: [DepartureObservation]
        /// The trips that the caller logged, at any time.
        var trips: [SavedTrip]
        var notifications: [SavedNotificationEvent]

        package init(
            observations: [DepartureObservation], trips: [SavedTrip], notifications: [SavedNotificationEvent]
        ) {
            self.observations = observations
            self.trips = trips
            self.notifications = notifications
        }
    }

    private let context: QueryContext
    private let present: NotificationSettings
    private let other: NotificationSettings
    /// The period whose departures are evaluated.
    package let period: Range<Instant>

    /// - Parameter present: The caller's settings, with which those of the request are compared.
    package init(
        _ parameters: NotifyRehearseParameters, _ present: NotificationSettings, _ context: QueryContext
    ) throws(ControlError) {
        self.context = context
        self.present = present
        other = try Self.settings(parameters.set, over: present)
        period = context.now.advanced(by: -parameters.days * 86_400)..<context.now
    }

    /// - Parameter subjects: What the caller is notified of.
    package func result(of subjects: [WatchedSubject], _ records: Records) -> NotifyRehearseResult {
        let observations = Rehearsal.observations(records.observations, like: subjects)
        let taken = records.trips.filter { period.contains($0.logged) }
            .map { (at: $0.logged, departure: $0.departure) }.sorted { $0.at < $1.at }
        let rehearsal = Rehearsal(
            templates: subjects.map { context.template($0) }, observations: observations, taken: taken,
            zone: context.zone)
        let before = rehearsal.decisions(settings: present, until: context.now)
        let after = rehearsal.decisions(settings: other, until: context.now)
        let comparison = Rehearsal.compare(before: before, after: after)
        let (countBefore, countAfter) = (Rehearsal.Count(before), Rehearsal.Count(after))
        let differences = (comparison.onlyBefore + comparison.onlyAfter).sorted {
            ($0.before ?? $0.after ?? context.now, $0.key) < ($1.before ?? $1.after ?? context.now, $1.key)
        }
        return NotifyRehearseResult(
            at: context.at, days: Set(observations.map(\.departure.serviceDate)).count,
            before: countBefore.shown, after: countAfter.shown, soundingBefore: countBefore.sounding,
            soundingAfter: countAfter.sounding, logged: logged(records.notifications, observations),
            differences: differences.prefix(Self.maximumDifferences).map { entry in
                RehearsedNotification(
                    rule: entry.rule.rawValue, title: entry.title,
                    before: entry.before.map { Timestamp($0, in: context.zone) },
                    after: entry.after.map { Timestamp($0, in: context.zone) })
            },
            notices: observations.isEmpty
                ? [
                    Notice(
                        kind: .missing,
                        message: "No departures were observed in this period, so there is nothing to compare.")
                ] : [])
    }

    /// Returns the number of logged notifications that a rehearsal repeats, on the days with observations.
    private func logged(
        _ notifications: [SavedNotificationEvent], _ observations: [DepartureObservation]
    ) -> Int {
        let days = Set(observations.map(\.departure.serviceDate))
        return notifications.count { saved in
            guard saved.stage != .suppressed, saved.decided <= period.upperBound,
                NotificationRule(rawValue: saved.rule).map(Rehearsal.rules.contains) ?? false,
                let event = NotificationEvent(json: saved.event), event.op != .withdraw, !event.test
            else { return false }
            return days.contains(event.departure?.serviceDate ?? context.zone.civil(at: saved.decided).date)
        }
    }

    private static func settings(
        _ changes: [String], over present: NotificationSettings
    ) throws(ControlError) -> NotificationSettings {
        var settings = present
        for change in changes {
            guard let sign = change.firstIndex(of: "=") else {
                throw ControlError(
                    .notificationSettingInvalid, "\"\(change)\" is not a setting with a value.",
                    hint: "Write it as delay.first=5.")
            }
            do throws(NotificationSettingError) {
                try settings.set(String(change[..<sign]), to: String(change[change.index(after: sign)...]))
            } catch {
                throw ControlError(.notificationSettingInvalid, error.description)
            }
        }
        return settings
    }
}

extension QueryContext {
    /// Returns a subject with the days on which the caller's data say that it is watched.
    fileprivate func template(_ subject: WatchedSubject) -> Rehearsal.Template {
        switch subject.kind {
        case .commute:
            let commute = commuteList.entries.first { $0.commute.name == subject.name }?.commute
            return Rehearsal.Template(subject: subject, windows: commute?.windows ?? [])
        case .pinned, .usual:
            guard let key = subject.departures.first?.key else { return Rehearsal.Template(subject: subject) }
            let zone = subject.departures[0].names.zone
            let usual = personal.usualDepartures.first { usual in
                usual.feed == key.feed && usual.route == key.route
                    && abs(zone.instant(of: usual.time, on: key.serviceDate).seconds(to: key.scheduled)) <= 600
            }
            return Rehearsal.Template(
                subject: subject, days: usual?.days ?? Set(Weekday.allCases), date: usual?.date)
        case .journey, .connection:
            // A journey is pinned for one date.
            return Rehearsal.Template(subject: subject, days: [], date: subject.departures.first?.key.serviceDate)
        case .favorite: return Rehearsal.Template(subject: subject)
        }
    }
}
