internal import TransitClient
internal import TransitControl
internal import TransitWire

// Prompts for home and work.
extension Setup {
    /// Returns which of home and work are not set.
    func missingPlaces() throws(Failure) -> [String] {
        let set = try request(PlaceListParameters()).places.map(\.name)
        return ["home", "work"].filter { !set.contains($0) }
    }

    /// Offers a geocoder on a terminal, if none is configured. Returns whether a question was asked.
    func askGeocoder(_ isConfigured: inout Bool) throws(Failure) -> Bool {
        guard !isConfigured, prompter.isOnTerminal || given.has(.geocoder) else { return false }
        isConfigured = try offerGeocoder()
        return true
    }

    /// Offers to configure a geocoder, which is checked before it is saved. Input is sent to a geocoder only with the user's
    /// consent. Without a terminal, there is no prompt, because the input lines of a script answer the other prompts.
    ///
    /// - Returns: Whether a geocoder is configured.
    private func offerGeocoder() throws(Failure) -> Bool {
        if !given.has(.geocoder) {
            prompter.say("You can enter home and work as addresses. Your input is then sent to a geocoder.")
        }
        while true {
            let url = try answer(
                "URL of a geocoder (Photon or Nominatim), such as https://photon.komoot.io", enter: .skips,
                option: .geocoder)
            if url.isEmpty { return false }
            if Coordinates.read(url) != nil {
                prompter.say(
                    "These are coordinates. Press Enter to skip the geocoder; home and work are asked for next.")
                continue
            }
            let kind = url.lowercased().contains("nominatim") ? "nominatim" : "photon"
            guard try accepts(ProviderCheckParameters(provider: kind, url: url)) else { continue }
            let settings = [ConfigurationSetting("kind", kind), ConfigurationSetting("url", url)]
            try change(ConfigProposeParameters(action: .add, table: "geocoder", settings: settings))
            return true
        }
    }

    /// Prompts for a place. Returns whether the place is set or skipped.
    func askPlace(_ name: String, findsAddresses: Bool) throws(Failure) -> Bool {
        switch try answer(name, findsAddresses: findsAddresses) {
        case .text(""): return true
        case .address(let address): return try setPlace(name, at: address.position)
        case .text(let text):
            if let point = Coordinates.read(text) { return try setPlace(name, at: point) }
            // The text is neither a stop nor an address, so it is not sent to a geocoder.
            if Coordinates.isMeant(by: text) {
                prompter.say("Coordinates have the format LAT,LON in degrees, such as 37.3942,-122.0764.", .caution)
                return false
            }
            guard let refusal = try tryPlace(PlaceSetParameters(place: name, stop: text)) else { return true }
            guard findsAddresses, refusal.kind == .stopNotFound else {
                say(refusal)
                return false
            }
            return try setPlace(name, byAddress: text)
        }
    }

    private func answer(_ name: String, findsAddresses: Bool) throws(Failure) -> LineEditor.Answer {
        if let text = given.take(.place(name)) { return .text(text) }
        do throws(Prompter.Failure) {
            guard findsAddresses else {
                return .text(try prompter.ask("Where is \(name)? LAT,LON or a stop", enter: .skips))
            }
            return try prompter.askAddress("Where is \(name)? LAT,LON, a stop or an address", label: name)
        } catch { throw .prompter(error) }
    }

    /// Sets a place by address, for text that does not match a stop.
    private func setPlace(_ name: String, byAddress text: String) throws(Failure) -> Bool {
        do throws(Failure) {
            let found = try request(AddressSearchParameters(text: text, language: session.language)).addresses
            if found.isEmpty {
                prompter.say("No stop or address found.", .caution)
                return false
            }
            let choice = try choose("Which one", among: found.map(\.name) + ["none of these"])
            return found.indices.contains(choice) ? try setPlace(name, at: found[choice].position) : false
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            say(refusal)
            return false
        }
    }

    private func setPlace(_ name: String, at position: Position) throws(Failure) -> Bool {
        guard let refusal = try tryPlace(PlaceSetParameters(place: name, position: position)) else { return true }
        say(refusal)
        return false
    }

    /// Sets a place. Returns the daemon's error, or `nil` on success.
    private func tryPlace(_ place: PlaceSetParameters) throws(Failure) -> ControlError? {
        do throws(Failure) {
            let result = try request(place)
            // Without all timetables, the list of stops is incomplete.
            let isKnown = !result.notices.contains { [.missing, .failed, .importing].contains($0.kind) }
            let nearest = result.place.stops.first.map { "is near \($0.stop.words)" }
            let none = isKnown ? "is not near any stop" : "is set; the stops near it are not known yet"
            prompter.say("\(place.place) \(nearest ?? none).", .good)
            return nil
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            return refusal
        }
    }
}
