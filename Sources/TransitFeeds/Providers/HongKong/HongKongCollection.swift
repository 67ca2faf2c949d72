internal import TransitModel

/// Collects the network from both operators: three lists from KMB, and from Citybus the list of routes, the stops of
/// each route and direction, and each stop that is in use, because Citybus has no other lists.
///
/// For the 400 routes and 2,700 stops of Citybus, this takes about 3,500 requests. Nothing is requested twice, and
/// unused stops are not requested.
struct HongKongCollection: NetworkCollection {
    private let urls: HongKongURLs
    /// The steps in request order. The list grows as routes and stops become known.
    private var plan: [HongKongStep] = [.kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes]
    private var planned: Set<HongKongStep>
    private var done: Set<HongKongStep> = []
    /// The number of completed steps in ``plan``.
    private var doneCount = 0
    /// The index of the first open step in ``plan``.
    private var position = 0
    private var lists = HongKongCollectedLists()

    /// Several times the number of steps that the city needs. The limit protects against an upstream that returns an
    /// unbounded number of routes and stops.
    static let stepLimit = 12_000

    init(_ urls: HongKongURLs) {
        self.urls = urls
        planned = Set(plan)
    }

    func next() -> CollectionStep? {
        guard position < plan.count else { return nil }
        let step = plan[position]
        return CollectionStep(step.name, urls.request(for: step), part: step.part)
    }

    var progress: (done: Int, total: Int) { (doneCount, plan.count) }

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.add(body, for: step) { add(following) }
        close(step)
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.reject(step, status: status, previous: previous) { add(following) }
        close(step)
    }

    mutating func postpone(_ step: CollectionStep) {
        guard let step = HongKongStep(name: step.name), plan.indices.contains(position), plan[position] == step else {
            return
        }
        plan.remove(at: position)
        plan.append(step)
        while position < plan.count, done.contains(plan[position]) { position += 1 }
    }

    private mutating func add(_ step: HongKongStep) {
        guard !planned.contains(step) else { return }
        guard plan.count < Self.stepLimit else { return lists.countTooMany(step) }
        planned.insert(step)
        plan.append(step)
        if done.contains(step) { doneCount += 1 }
    }

    private mutating func close(_ step: HongKongStep) {
        if done.insert(step).inserted, planned.contains(step) { doneCount += 1 }
        while position < plan.count, done.contains(plan[position]) { position += 1 }
    }

    consuming func finish() throws(FeedError) -> GTFSReading {
        guard position == plan.count else {
            throw .refused(reason: "The collection of the network is incomplete", report: lists.report)
        }
        return try lists.network().reading()
    }
}
