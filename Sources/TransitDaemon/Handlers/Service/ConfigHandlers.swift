internal import TransitControl
internal import TransitModel
internal import TransitReplies
internal import TransitWire

/// Handles `config.check`.
struct ConfigCheckHandler: MethodHandler {
    let configuration: ConfigurationHolder

    func reply(to parameters: ConfigCheckParameters, _ context: RequestContext) -> ConfigCheckResult {
        do {
            let new = try configuration.file.read()
            return ConfigCheckResult(
                at: context.at, file: configuration.file.path, isValid: true,
                problems: new.warnings.map { ConfigurationProblem($0, isError: false) })
        } catch {
            return ConfigCheckResult(
                at: context.at, file: error.file, isValid: false,
                problems: error.problems.map { ConfigurationProblem($0, isError: true) })
        }
    }
}

/// Handles `config.propose`.
struct ConfigProposeHandler: MethodHandler {
    let configuration: ConfigurationHolder

    func reply(to parameters: ConfigProposeParameters, _ context: RequestContext) throws -> ConfigProposeResult {
        let file = configuration.file
        guard let path = file.expected else {
            throw ControlError(
                .configurationNotChangeable, "The configuration is not in a file, so it cannot be changed.",
                hint: "Start transitd without --demo.")
        }
        let change = try TableChange(parameters)
        let before: String?
        let old: Configuration
        do {
            before = try file.text()
            old = try file.check(before ?? "")
        } catch {
            throw ControlError(
                .configurationInvalid, "\(error.file) has errors, so it was not changed.",
                hint: error.problems.first.map { error.line(for: $0) })
        }
        let after: String
        do throws(ConfigurationEditor.Failure) {
            after = try ConfigurationEditor.text(before ?? "", applying: change)
        } catch { throw Self.refusal(error, path: path) }
        do throws(ConfigurationError) {
            let new = try file.check(after)
            return ConfigProposeResult(
                at: context.at, file: path, before: before, after: after, changes: new.changes(from: old),
                problems: new.warnings.map { ConfigurationProblem($0, isError: false) })
        } catch {
            // The position is that in a text that does not exist.
            let problem = error.problems.first
            throw ControlError(
                .configurationInvalid, problem.map { "\($0.message)".asSentence } ?? "The configuration has errors.",
                hint: problem.map { "\($0.remedy)".asSentence })
        }
    }

    private static func refusal(_ failure: ConfigurationEditor.Failure, path: String) -> ControlError {
        switch failure {
        case .noTable(.feed(let id)):
            ControlError(
                .feedNotFound, "The configuration has no feed \"\(id)\".",
                hint: "To list the feeds, run: transitctl feed list.")
        case .noTable(.named(let name)):
            ControlError(.configurationNotChangeable, "The configuration has no table [\(name)].")
        case .exists(.feed(let id)):
            ControlError(
                .configurationNotChangeable, "The configuration already has a feed \"\(id)\".",
                hint: "Choose another id, or change the feed with: transitctl feed edit \(id).")
        case .exists(.named(let name)):
            ControlError(.configurationNotChangeable, "The configuration already has a table [\(name)].")
        case .invalid, .unsupportedSyntax:
            ControlError(
                .configurationNotChangeable,
                "The table is written in a way that transitd does not change, such as an inline table.",
                hint: "Edit \(path), then run: transitctl config reload.")
        }
    }
}

extension TableChange {
    /// The tables, besides `[[feed]]`, that can be changed.
    private static let tables = ["geocoder", "weather", "events"]

    /// - Throws: A ``ControlError`` if a table or a key cannot be written.
    fileprivate init(_ parameters: ConfigProposeParameters) throws(ControlError) {
        switch parameters.action {
        case .add: action = .add
        case .edit: action = .edit
        case .remove: action = .remove
        }
        if parameters.table == "feed" {
            guard let feed = parameters.feed else {
                throw ControlError(parameter: "feed", "is missing.", hint: "Give the `id` of the feed.")
            }
            table = .feed(feed.rawValue)
        } else if Self.tables.contains(parameters.table) {
            table = .named(parameters.table)
        } else {
            throw ControlError(
                parameter: "table", "is \"\(parameters.table)\".",
                hint: "Use feed, \(Self.tables.joined(separator: ", ")).")
        }
        settings = []
        for setting in parameters.settings {
            let key = setting.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard key.allSatisfy(Self.isBareKey) else {
                throw ControlError(
                    .invalidParameters, "\"\(setting.key)\" is not a key of the configuration.",
                    hint: "See transitd.toml(5) for the keys.")
            }
            guard key != ["id"] else {
                throw ControlError(
                    .invalidParameters, "The id of a feed cannot be changed, because stored data is named by it.",
                    hint: "Add a feed with the other id, then remove this one.")
            }
            settings.append(Setting(key: key, value: try Literal(setting)))
        }
    }

    /// Whether text is a key that needs no quotes (TOML 1.0, section "Keys").
    private static func isBareKey(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension TableChange.Literal {
    /// The keys whose values are whole numbers.
    private static let integers: Set<String> = [
        "refresh_hours", "refresh.download_hour", "limits.download_mib", "limits.total_mib", "limits.member_mib",
        "limits.ratio", "limits.members", "keep.radius", "large_venue",
    ]
    /// The keys whose values are lists.
    private static let lists: Set<String> = ["key_hosts", "keep.places", "keep.routes", "keep.agencies", "always_list"]

    /// Creates the literal of the type that the key has; `nil` if there is no value.
    fileprivate init?(_ setting: ConfigurationSetting) throws(ControlError) {
        guard let first = setting.values.first else { return nil }
        if Self.lists.contains(setting.key) {
            self = .list(setting.values)
        } else if setting.values.count > 1 {
            throw ControlError(
                .invalidParameters, "`\(setting.key)` has \(setting.values.count) values, but it is not a list.",
                hint: "Give it once.")
        } else if Self.integers.contains(setting.key) || setting.key.hasPrefix("capacity."), let number = Int(first) {
            self = .integer(number)
        } else {
            self = .text(first)
        }
    }
}

/// Handles `config.reload`.
struct ConfigReloadHandler: MethodHandler {
    let configuration: ConfigurationHolder
    let reloader: ConfigurationReloader

    func reply(to parameters: ConfigReloadParameters, _ context: RequestContext) throws -> ConfigReloadResult {
        do {
            let changes = try reloader.reload()
            return ConfigReloadResult(
                at: context.at, file: configuration.file.path, changes: changes,
                problems: configuration.current.warnings.map { ConfigurationProblem($0, isError: false) })
        } catch {
            throw ControlError(
                .configurationInvalid, "\(error.file) has errors. The previous configuration stays in use.",
                hint: error.problems.first.map { error.line(for: $0) },
                details: ["problems": .array(error.problems.map { ConfigurationProblem($0, isError: true).json })])
        }
    }
}

extension ConfigurationProblem {
    init(_ problem: ConfigurationError.Problem, isError: Bool) {
        self.init(
            isError: isError, line: problem.position?.line, column: problem.position?.column, message: problem.message,
            remedy: problem.remedy)
    }

    /// The problem as JSON for an error's `details`.
    fileprivate var json: JSONValue {
        .object([
            "line": line.map { .int(Int64($0)) } ?? .null, "column": column.map { .int(Int64($0)) } ?? .null,
            "message": .string(message), "remedy": remedy.map { .string($0) } ?? .null,
        ])
    }
}
