/// The files of a ``TimetableLibrary``: which names there are and what each of them means.
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

    /// Of all versions that are there, ascending.
    func numbers() throws(StoreError) -> [Int] {
        try FileSystem.names(in: directory).compactMap { Self.number($0, suffix: Self.suffix) }.sorted()
    }

    // MARK: The live version

    private var currentPath: String { directory + "/live" }
    /// Points to the version that was the newest when somebody rolled back from it: versions up to it are there on
    /// purpose although they are newer than the live one.
    private var rollbackPath: String { directory + "/rolled-back-from" }

    private func pointer(_ path: String) -> Int? {
        FileSystem.target(of: path).flatMap { Self.number($0, suffix: Self.suffix) }
    }

    func point(to number: Int) throws(StoreError) {
        try FileSystem.point(currentPath, to: Self.name(number))
        try FileSystem.synchronizeDirectory(directory)
    }

    func recordRollback(newest: Int) throws(StoreError) {
        try FileSystem.point(rollbackPath, to: Self.name(newest))
        try FileSystem.synchronizeDirectory(directory)
    }

    func endRollback() throws(StoreError) { try FileSystem.remove(rollbackPath) }

    /// Opens the live version, or the newest one before it that can be read, which then is live.
    func openCurrent(
        cacheSize: Int, damages: inout [StoreError]
    ) throws(StoreError) -> (number: Int, file: TimetableFile)? {
        let live = pointer(currentPath)
        let numbers = try numbers()
        if let live, !numbers.contains(live) { damages.append(.notFound("version \(live) in \(directory)")) }
        let candidates = numbers.filter { $0 == live } + numbers.filter { $0 != live }.reversed()
        for number in candidates {
            do throws(StoreError) {
                let file = try TimetableFile(path: path(number), cacheSize: cacheSize)
                if number != live { try point(to: number) }
                return (number, file)
            } catch {
                damages.append(error)
            }
        }
        return nil
    }

    // MARK: Removing

    /// Removes unfinished files, and finished ones that a killed import did not bring to life.
    func removeUnfinishedFiles() throws(StoreError) {
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
        // Without the link the folder was copied by something that does not copy links: better keep too much.
        guard let live = pointer(currentPath) else { return }
        let newest = max(live, pointer(rollbackPath) ?? 0)
        for number in try numbers() where number > newest { try FileSystem.remove(path(number)) }
    }

    /// Removes the oldest versions, but never the live one.
    func prune(keeping count: Int, live: Int) throws(StoreError) {
        let others = try numbers().filter { $0 != live }
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
