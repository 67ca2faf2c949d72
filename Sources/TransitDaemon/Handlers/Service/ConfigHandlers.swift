internal import TransitControl
internal import TransitModel
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
