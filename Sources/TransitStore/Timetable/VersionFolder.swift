/// The file names in the folder of a ``TimetableLibrary`` and their meaning.
struct VersionFolder {
    private let directory: String
    private static let suffix = ".timetable"
    private static let damagedSuffix = FileSystem.damagedSuffix

    init(_ directory: String) { self.directory = directory }

    func path(_ number: Int) -> String { directory + "/" + Self.name(number) }
    private static func name(_ number: Int) -> String { "\(number)\(suffix)" }

    private static func number(_ name: String, suffix: String) -> Int? {
        guard name.hasSuffix(suffix), let number = Int(name.dropLast(suffix.count)), number > 0,
            name == "\(number)\(suffix)"
        else { return nil }
        return number
    }

    /// Returns the numbers of all versions in ascending order.
    func numbers() throws(StoreError) -> [Int] {
        try FileSystem.names(in: directory).compactMap { Self.number($0, suffix: Self.suffix) }.sorted()
    }

    // MARK: The current version

    private var currentPath: String { directory + "/live" }
    /// A link to the version that was the newest at a rollback. Versions up to it are kept although they are newer than
    /// the current one.
    private var rollbackPath: String { directory + "/rolled-back-from" }

    private func pointer(_ path: String) -> Int? {
        FileSystem.target(of: path).flatMap { Self.number($0, suffix: Self.suffix) }
    }

    func point(to number: Int) throws(StoreError) {
        try FileSystem.setSymbolicLink(currentPath, to: Self.name(number))
        try FileSystem.synchronizeDirectory(directory)
    }

    func recordRollback(newest: Int) throws(StoreError) {
        try FileSystem.setSymbolicLink(rollbackPath, to: Self.name(newest))
        try FileSystem.synchronizeDirectory(directory)
    }

    func endRollback() throws(StoreError) { try FileSystem.remove(rollbackPath) }

    /// Opens the current version or, if it cannot be read, the newest readable one, which becomes current.
    func openCurrent(
        cacheSize: Int, openErrors: inout [StoreError]
    ) throws(StoreError) -> (number: Int, file: TimetableFile)? {
        let current = pointer(currentPath)
        let numbers = try numbers()
        if let current, !numbers.contains(current) {
            openErrors.append(.notFound("version \(current) in \(directory)"))
        }
        let candidates = numbers.filter { $0 == current } + numbers.filter { $0 != current }.reversed()
        for number in candidates {
            do throws(StoreError) {
                let file = try TimetableFile(path: path(number), cacheSize: cacheSize)
                if number != current { try point(to: number) }
                return (number, file)
            } catch {
                openErrors.append(error)
            }
        }
        return nil
    }

    // MARK: Removing

    /// Removes unfinished files, and finished ones that an interrupted import did not make current.
    func removeUnfinishedFiles() throws(StoreError) {
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
        // If the link is missing, the folder was copied by a tool that does not copy links. Nothing is removed then.
        guard let current = pointer(currentPath) else { return }
        let newest = max(current, pointer(rollbackPath) ?? 0)
        for number in try numbers() where number > newest { try FileSystem.remove(path(number)) }
    }

    /// Removes the oldest versions, but never the current one.
    func prune(keeping count: Int, current: Int) throws(StoreError) {
        let others = try numbers().filter { $0 != current }
        for number in others.dropLast(count - 1) { try FileSystem.remove(path(number)) }
        let oldest = try numbers().first ?? 0
        for name in try FileSystem.names(in: directory) {
            guard let number = Self.number(name, suffix: Self.damagedSuffix), number < oldest else { continue }
            try FileSystem.remove(directory + "/" + name)
        }
    }

    func setAside(_ number: Int) throws(StoreError) {
        try FileSystem.setAside(path(number), as: directory + "/\(number)\(Self.damagedSuffix)")
        try FileSystem.synchronizeDirectory(directory)
    }
}
