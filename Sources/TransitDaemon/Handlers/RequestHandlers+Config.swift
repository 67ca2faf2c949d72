internal import TransitControl
internal import TransitModel

extension RequestHandlers {
    func configCheck(_ question: Question) -> ConfigCheckResult {
        do {
            _ = try daemon.configuration.file.read()
            return ConfigCheckResult(at: question.at, file: daemon.configuration.file.path, isValid: true, problems: [])
        } catch {
            return ConfigCheckResult(
                at: question.at, file: error.file, isValid: false,
                problems: error.problems.map { ConfigurationProblem($0) })
        }
    }

    func configReload(_ question: Question) throws -> ConfigReloadResult {
        do {
            let changes = try daemon.reload()
            return ConfigReloadResult(
                at: question.at, file: daemon.configuration.file.path, changes: changes, problems: [])
        } catch {
            throw ControlError(
                .configurationInvalid, "\(error.file) is wrong; the configuration stays as it was.",
                hint: error.problems.first.map { error.line(for: $0) },
                details: ["problems": .array(error.problems.map { ConfigurationProblem($0).json })])
        }
    }
}

extension ConfigurationProblem {
    init(_ problem: ConfigurationError.Problem) {
        self.init(
            isError: true, line: problem.position?.line, column: problem.position?.column, message: problem.message,
            remedy: problem.remedy)
    }

    /// For the details of an error.
    fileprivate var json: JSONValue {
        .object([
            "line": line.map { .int(Int64($0)) } ?? .null, "column": column.map { .int(Int64($0)) } ?? .null,
            "message": .string(message), "remedy": remedy.map { .string($0) } ?? .null,
        ])
    }
}
