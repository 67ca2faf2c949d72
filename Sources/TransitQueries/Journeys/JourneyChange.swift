package import TransitEngine
package import TransitModel

/// A change from one vehicle to the next.
package struct JourneyChange {
    /// Whether riders reach the next vehicle.
    package enum Judgment: Hashable, Sendable {
        /// Even if the one vehicle is late and the other one early, as far as their uncertainties say.
        case safe
        /// As expected, but not if both are as uncertain as stated.
        case tight
        /// Not even if the one vehicle is early and the other one late.
        case missed

        /// - Parameters:
        ///   - inHand: The expected departure minus the expected arrival minus the time of the change, in seconds.
        ///   - arrival: The uncertainty of the arrival in seconds.
        ///   - earliness: By how much the departure can be earlier than expected, in seconds.
        ///   - lateness: By how much the departure can be later than expected, in seconds.
        package init(inHand: Int, arrival: Int, earliness: Int, lateness: Int) {
            self = inHand >= arrival + earliness ? .safe : inHand + arrival + lateness < 0 ? .missed : .tight
        }
    }

    /// The connection that riders take instead if they do not reach the vehicle.
    package struct Replacement {
        package var departure: MergedDeparture
        /// The arrival at the destination, after the walk.
        package var arrival: Instant
    }

    /// How uncertain a time at a change is.
    package struct Uncertainty: Hashable, Sendable {
        /// Where the uncertainty comes from.
        package enum Basis: Hashable, Sendable {
            /// The source states it.
            case stated
            /// It is that of every time without a prediction.
            case scheduled
            /// The prediction is for a time that is this many seconds ahead, at most ``UnstatedUncertainty/horizon``. One for
            /// the present has the uncertainty `base`.
            case ahead(seconds: Int, base: Int)
            /// The vehicle is late or early by this many seconds.
            case delay(seconds: Int)
            /// A late vehicle does not leave before its scheduled time.
            case notBeforeSchedule
            /// It is not known whether a vehicle without a prediction has left.
            case notPredicted
        }

        package var seconds: Int
        package var basis: Basis
        /// The number by which the uncertainty of a prediction was multiplied to get ``seconds``.
        package var factor = 1
    }

    /// The time in seconds that the change needs.
    package var seconds: Int
    /// The straight-line distance in meters that ``seconds`` is computed from, 0 for one stop in two feeds; `nil` if riders
    /// stay at a stop or if transfers.txt states the time.
    package var walk: Int?
    /// The uncertainty of the arrival, which can be earlier or later by as much.
    package var arrival: Uncertainty
    /// By how much the departure can be earlier than expected.
    package var earliness: Uncertainty
    /// By how much the departure can be later than expected.
    package var lateness: Uncertainty
    /// The seconds that are left: the expected departure minus the expected arrival minus ``seconds``.
    package var inHand: Int
    package var judgment: Judgment
    /// Whether the departing vehicle waits (`transfer_type` 1).
    package var isTimed: Bool
    /// What follows if a change that is not ``Judgment/safe`` breaks; `nil` if nothing follows within a day.
    package var replacement: Replacement?

    /// - Parameter uncertainty: How uncertain the times are for which no realtime data states an uncertainty.
    package init(
        from arrival: ExpectedCall, to departure: ExpectedCall, seconds: Int, isTimed: Bool, walk: Int? = nil,
        uncertainty: UnstatedUncertainty
    ) {
        self.seconds = seconds
        self.isTimed = isTimed
        self.walk = walk
        self.arrival = uncertainty.ofArrival(arrival)
        earliness = uncertainty.earliness(ofDeparture: departure)
        lateness = uncertainty.lateness(ofDeparture: departure)
        inHand = arrival.arrival.seconds(to: departure.departure) - seconds
        judgment =
            isTimed
            ? .safe
            : Judgment(
                inHand: inHand, arrival: self.arrival.seconds, earliness: earliness.seconds,
                lateness: lateness.seconds)
    }
}

extension JourneyChange {
    /// The uncertainty of times for which no realtime data states one.
    ///
    /// A prediction is less certain the farther ahead it is, and the later the vehicle is: it may catch up or lose more time.
    /// A late vehicle does not leave before its scheduled time. Vehicles lose time more often than they make up for it, so
    /// a departure can be later by twice its uncertainty.
    ///
    /// The rule is from predictions of 88 recorded days of trains (Caltrain, March to May 2026) ten minutes before a
    /// change: nine of ten departures were at most 58 seconds earlier, and nine of ten at most 169 later than predicted.
    /// With a constant uncertainty of 60 seconds, 5.2 % of the changes called missed held, and with this rule 0.5 %. The
    /// growth is that of estimates from positions (`EstimateUncertainty`). `TransitBenchmark changes` judges the rule by
    /// days and simulations that it was not made from.
    package struct UnstatedUncertainty {
        /// The uncertainty in seconds of a scheduled time, and of a prediction for the present.
        package var base: Int
        package var now: Instant

        /// The growth in seconds per thousand seconds until the predicted time.
        private static let growth = 50
        /// The number of seconds ahead after which the uncertainty does not grow further.
        package static let horizon = 3600
        /// The divisor of the delay that a prediction is uncertain by at least.
        private static let delayDivisor = 4
        /// By how much a departure without a prediction can be late, in seconds. On the recorded days, 95 % of them left at
        /// most 27 minutes late.
        private static let unpredictedLateness = 1800

        package init(base: Int, now: Instant) { (self.base, self.now) = (base, now) }

        func ofArrival(_ call: ExpectedCall) -> Uncertainty {
            if let stated = call.uncertainty { return Uncertainty(seconds: Int(stated), basis: .stated) }
            if call.source == .scheduled { return Uncertainty(seconds: base, basis: .scheduled) }
            return ofPrediction(call.expectedArrival, delay: call.arrivalDelay)
        }

        /// By how much a departure can be earlier than expected.
        func earliness(ofDeparture call: ExpectedCall) -> Uncertainty {
            if let stated = call.uncertainty { return Uncertainty(seconds: Int(stated), basis: .stated) }
            let uncertainty = ofPrediction(call.predictedDeparture, delay: call.delay)
            guard call.predictedDeparture != nil, let delay = call.delay, delay >= 0, delay < uncertainty.seconds
            else { return uncertainty }
            return Uncertainty(seconds: delay, basis: .notBeforeSchedule)
        }

        /// By how much a departure can be later than expected. It is not known that a vehicle without a prediction has left.
        func lateness(ofDeparture call: ExpectedCall) -> Uncertainty {
            if let stated = call.uncertainty { return Uncertainty(seconds: Int(stated), basis: .stated) }
            guard let predicted = call.predictedDeparture else {
                return Uncertainty(seconds: max(base, Self.unpredictedLateness), basis: .notPredicted)
            }
            var uncertainty = ofPrediction(predicted, delay: call.delay)
            (uncertainty.seconds, uncertainty.factor) = (2 * uncertainty.seconds, 2)
            return uncertainty
        }

        private func ofPrediction(_ time: Instant?, delay: Int?) -> Uncertainty {
            guard let time else { return Uncertainty(seconds: base, basis: .scheduled) }
            let ahead = min(max(0, now.seconds(to: time)), Self.horizon)
            let (grown, delayed) = (base + ahead * Self.growth / 1000, abs(delay ?? 0) / Self.delayDivisor)
            return delayed > grown
                ? Uncertainty(seconds: delayed, basis: .delay(seconds: delay ?? 0))
                : Uncertainty(seconds: grown, basis: .ahead(seconds: ahead, base: base))
        }
    }
}
