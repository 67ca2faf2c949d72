/// The declaration of a wire object: a structure that conforms to `WireObject` or `ControlParameters`.
struct WireDeclaration: Equatable {
    let name: String
    /// Whether the object is the parameters of a method. A client omits the parameters that equal their defaults.
    let isParameters: Bool
    let description: String
    var members: [Member] = []

    /// Whether the object is a result with a time and notices.
    var hasNotices: Bool {
        members.contains { $0.name == "at" && $0.type == "Timestamp" }
            && members.contains { $0.name == "notices" && $0.type == "[Notice]" }
    }

    /// A stored property.
    struct Member: Equatable {
        /// The name in Swift, with backticks if it is a keyword.
        let property: String
        let type: String
        /// The value of the property as source text; `nil` if there is none.
        let fallback: String?
        let documentation: Documentation

        /// The name on the wire.
        var name: String { documentation.name ?? Self.snakeCase(property.filter { $0 != "`" }) }
        var isOptional: Bool { type.last == "?" }

        /// Returns `next_cursor` for `nextCursor`.
        private static func snakeCase(_ name: String) -> String {
            String(name.flatMap { $0.isUppercase ? "_" + $0.lowercased() : String($0) })
        }
    }

    /// A doc comment: one paragraph, and fields such as `- Unit: meters`.
    struct Documentation: Equatable {
        var text = ""
        var name: String?
        var unit: String?
        var range: String?
    }
}

/// The part of a source file from which the generated file follows.
struct WireSource: Equatable {
    /// The import declarations, which the generated file repeats.
    var imports: [String] = []
    var declarations: [WireDeclaration] = []
}

/// A declaration that the generator does not understand.
struct WireSourceError: Error, Equatable {
    let line: Int
    let problem: String
}
