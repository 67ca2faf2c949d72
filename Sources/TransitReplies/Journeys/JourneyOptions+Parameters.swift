internal import TransitControl
package import TransitEngine
internal import TransitModel
package import TransitWire

extension JourneyOptions {
    /// Reads the options of a request.
    ///
    /// - Parameter modes: The names of modes; empty for all.
    package init(modes: [String], wheelchair: Bool, bicycles: Bool) throws(ControlError) {
        var known: Set<TransportMode> = []
        for name in modes {
            guard let mode = TransportMode(rawValue: name.lowercased()) else {
                throw ControlError(
                    .invalidParameters, "\"\(name)\" is not a mode of transport.",
                    hint: "The modes are \(TransportMode.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            known.insert(mode)
        }
        self.init(modes: known.isEmpty ? nil : known, wheelchair: wheelchair, bicycles: bicycles)
    }

    /// The ``words`` after a separator; empty without options.
    func words(after separator: String) -> String { isEmpty ? "" : separator + words }

    /// The options as words after "journey", such as "by train or bus with a wheelchair"; empty without options.
    var words: String {
        var words: [String] = []
        if let modes {
            let names = TransportMode.allCases.filter(modes.contains).map { $0.word.lowercased() }
            words.append("by " + names.joined(separator: " or "))
        }
        switch (wheelchair, bicycles) {
        case (true, true): words.append("with a wheelchair and a bicycle")
        case (true, false): words.append("with a wheelchair")
        case (false, true): words.append("with a bicycle")
        case (false, false): break
        }
        return words.joined(separator: " ")
    }
}
