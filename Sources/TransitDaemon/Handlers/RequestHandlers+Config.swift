internal import TransitControl
internal import TransitModel
internal import TransitWire

extension RequestHandlers {
    func configCheck(_ context: RequestContext) -> ConfigCheckResult {
        do {
            let configuration = try daemon.configuration.file.read()
            return ConfigCheckResult(
                at: context.at, file: daemon.configuration.file.path, isValid: true,
                problems: configuration.warnings.map { ConfigurationProblem($0, isError: false) })
        } catch {
            return ConfigCheckResult(
                at: context.at, file: error.file, isValid: false,
                problems: error.problems.map { ConfigurationProblem($0, isError: true) })
        }
    }

    func configReload(_ context: RequestContext) throws -> ConfigReloadResult {
        do {
            let changes = try daemon.reload()
            return ConfigReloadResult(
                at: context.at, file: daemon.configuration.file.path, changes: changes,
                problems: daemon.configuration.current.warnings.map { ConfigurationProblem($0, isError: false) })
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
