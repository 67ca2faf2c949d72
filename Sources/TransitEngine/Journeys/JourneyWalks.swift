public import TransitModel

/// The walks of a search that do not belong to the network of a feed, in seconds, by node.
struct JourneyWalks {
    /// From the origin.
    private(set) var access: [Int: Int32] = [:]
    /// To the destination.
    private(set) var egress: [Int: Int32] = [:]
    /// Between stops of different feeds.
    private(set) var between: [Int: [(node: Int, seconds: Int32, meters: Double)]] = [:]
    let speed: WalkingSpeed
    /// Whether changes that have steps according to pathways.txt are left out.
    private let isStepFree: Bool

    init(_ query: JourneyQuery, in feeds: [SearchedFeed]) {
        (speed, isStepFree) = (query.walkingSpeed, query.isStepFree)
        for end in query.origins {
            for node in feeds[end.feed].nodes(of: end.stop) {
                access[node] = min(access[node] ?? .max, Int32(clamping: end.walk))
            }
        }
        for end in query.destinations {
            for node in feeds[end.feed].nodes(of: end.stop) {
                egress[node] = min(egress[node] ?? .max, Int32(clamping: end.walk))
            }
        }
        for footpath in query.footpathsBetweenFeeds {
            for from in feeds[footpath.from.feed].nodes(of: footpath.from.stop) {
                for to in feeds[footpath.to.feed].nodes(of: footpath.to.stop) {
                    between[from, default: []].append((to, Int32(clamping: footpath.to.walk), footpath.meters))
                }
            }
        }
    }

    /// Calls `body` with each node to which riders who alight at a node can change, and with the time that they need.
    @inline(__always)
    func forEachChange(
        from node: Int, in feed: SearchedFeed, _ body: (Int, Int32, JourneyNetwork.FootpathKind) -> Void
    ) {
        let first = feed.firstNode
        if isStepFree {
            feed.network.forEachChange(from: node - first, at: speed, stepFree: true) { target, seconds, kind in
                body(first + target, seconds, kind)
            }
        } else {
            let times = feed.changeTimes
            feed.network.forEachChange(
                from: node - first, times: { times[$0] }, { body(first + $0, $1, $2) })
        }
        if between.isEmpty { return }
        for (target, seconds, _) in between[node] ?? [] { body(target, seconds, .walk) }
    }

    /// Returns the straight-line distance of a walk between two nodes in meters, rounded up; `nil` if riders do not walk.
    func meters(from node: Int, to other: Int, in feed: SearchedFeed) -> Int? {
        for number in feed.network.footpaths(of: node - feed.firstNode) {
            let footpath = feed.network.footpaths[number]
            if feed.firstNode + footpath.node == other, footpath.kind == .walk { return Int(footpath.value) }
        }
        return between[node]?.first { $0.node == other }.map { Int($0.meters.rounded(.up)) }
    }
}

extension JourneyNetwork {
    /// Calls `body` with each node to which riders who alight at a node can change, the node itself as the last one, and with
    /// the seconds that they need.
    ///
    /// - Parameter stepFree: Whether riders use no stairs and no escalators, as far as pathways.txt says.
    @inline(__always)
    public func forEachChange(
        from node: Int, at speed: WalkingSpeed, stepFree: Bool = false, _ body: (Int, Int32, FootpathKind) -> Void
    ) {
        forEachChange(
            from: node,
            times: { number in
                var footpath = footpaths[number]
                if stepFree {
                    guard let value = footpath.wheelchairValue else { return nil }
                    footpath.value = value
                }
                return ChangeTimes.Change(footpath, at: speed)
            }, body)
    }

    /// - Parameter times: Returns the change of a footpath; `nil` if riders do not use it.
    @inline(__always)
    fileprivate func forEachChange(
        from node: Int, times: (Int) -> ChangeTimes.Change?, _ body: (Int, Int32, FootpathKind) -> Void
    ) {
        var here: ChangeTimes.Change? = ChangeTimes.Change(seconds: 0, kind: .stated)
        for number in footpaths(of: node) {
            let (target, change) = (footpaths.node(number), times(number))
            if target == node {
                here = change?.kind == .notPossible ? nil : change
            } else if let change {
                body(target, change.seconds, change.kind)
            }
        }
        if let here { body(node, here.seconds, here.kind) }
    }
}

/// The time of each footpath of a network at a walking speed. Most footpaths share few values, which are converted once.
struct ChangeTimes {
    struct Change {
        var seconds: Int32
        var kind: JourneyNetwork.FootpathKind
    }

    private let footpaths: JourneyNetwork.Footpaths
    private let frequent: UnsafeMutablePointer<Change>
    private let speed: WalkingSpeed

    /// The memory is deallocated by ``deallocate()``.
    init(of footpaths: JourneyNetwork.Footpaths, at speed: WalkingSpeed) {
        self.footpaths = footpaths
        self.speed = speed
        let values = footpaths.frequentValues
        frequent = .allocate(capacity: max(1, values.count))
        for (number, value) in values.enumerated() {
            frequent.advanced(by: number).initialize(to: Change(value, at: speed))
        }
    }

    func deallocate() { frequent.deallocate() }

    /// Returns the change of a footpath.
    @inline(__always)
    subscript(number: Int) -> Change {
        if let value = footpaths.frequentValue(number) { return frequent[value] }
        return Change(footpaths[number], at: speed)
    }
}

extension ChangeTimes.Change {
    @inline(__always)
    fileprivate init(_ footpath: JourneyNetwork.Footpath, at speed: WalkingSpeed) {
        self.init(seconds: footpath.seconds(at: speed), kind: footpath.kind)
    }
}

extension JourneyNetwork.Footpath {
    /// Returns the time of the change in seconds. For one that is not possible, this is longer than any search.
    @inline(__always)
    public func seconds(at speed: WalkingSpeed) -> Int32 {
        switch kind {
        case .walk: Int32(truncatingIfNeeded: speed.seconds(meters: Double(value)))
        case .stated, .timed: Int32(truncatingIfNeeded: value)
        case .notPossible: .max / 4
        }
    }
}
