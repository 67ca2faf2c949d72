/// A state that contains what rules remember.
package protocol RuleState {
    /// The memory of a rule.
    subscript<R: Rule>(rule: R.Type) -> R.Memory { get set }
}

/// What rules remember, each in a type of its own. A rule that has shown nothing takes no space.
package struct RuleMemories: RuleState, Hashable, Sendable {
    private var memories: [String: any RuleMemory] = [:]

    package init() {}

    package subscript<R: Rule>(rule: R.Type) -> R.Memory {
        get { memories[rule.name] as? R.Memory ?? R.Memory() }
        set { memories[rule.name] = newValue == R.Memory() ? nil : newValue }
    }

    /// Begins anew, as if the rule had shown nothing.
    mutating func forget(_ rule: any Rule.Type) { memories[rule.name] = nil }

    package static func == (left: Self, right: Self) -> Bool {
        left.memories.mapValues { AnyHashable($0) } == right.memories.mapValues { AnyHashable($0) }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(memories.keys.sorted()) }
}

extension RuleMemories: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A memory that cannot be read is left out, so that its rule begins as in a first run and the others go on.
    package init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Name.self) else { return }
        func read<R: Rule>(_ rule: R.Type) {
            if let memory = try? container.decode(R.Memory.self, forKey: Name(stringValue: rule.name)) {
                self[rule] = memory
            }
        }
        for rule in Rules.all { read(rule) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, memory) in memories.sorted(by: { $0.key < $1.key }) {
            try container.encode(memory, forKey: Name(stringValue: name))
        }
    }
}
