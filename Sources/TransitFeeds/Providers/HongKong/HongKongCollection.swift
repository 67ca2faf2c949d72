internal import TransitModel

/// Collects the network from both operators: three lists of KMB, and of Citybus the list of routes, then the stops of each
/// route and direction, then each stop that one of them uses, since Citybus has no other lists.
///
/// For a network of 400 routes and 2,700 stops of Citybus these are about 3,500 requests. What is known is asked once; a stop
/// that no way uses is not asked.
struct HongKongCollection: NetworkCollection {
    private let addresses: HongKongAddresses
    /// What is to be asked, in order; it grows as routes and stops become known.
    private var plan: [HongKongStep] = [.kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes]
    private var planned: Set<HongKongStep>
    private var done: Set<HongKongStep> = []
    /// Of the plan.
    private var doneCount = 0
    /// Of the first step of the plan that is still open.
    private var position = 0
    private var lists = HongKongCollectedLists()

    /// Several times what the city has: an upstream that invents routes and stops cannot have us ask for ever.
    static let stepLimit = 12_000

    init(_ addresses: HongKongAddresses) {
        self.addresses = addresses
        planned = Set(plan)
    }

    func next() -> CollectionStep? {
        guard position < plan.count else { return nil }
        let step = plan[position]
        return CollectionStep(step.name, addresses.request(for: step), part: step.part)
    }

    var progress: (done: Int, total: Int) { (doneCount, plan.count) }

    mutating func take(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.take(body, for: step) { add(following) }
        close(step)
    }

    mutating func refuse(
        _ step: CollectionStep, status: Int, former: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.refuse(step, status: status, former: former) { add(following) }
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
            throw .refused(reason: "The network is not collected as a whole yet", report: lists.report)
        }
        return try lists.network().reading()
    }
}
