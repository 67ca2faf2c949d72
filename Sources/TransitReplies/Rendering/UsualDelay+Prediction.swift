internal import TransitControl
internal import TransitEngine

extension UsualDelay {
    init(_ prediction: DelayPrediction) {
        self.init(
            delay: prediction.delay, earliest: prediction.earliest, latest: prediction.latest, days: prediction.days,
            dayKind: ServiceDayKind(prediction.dayKind), basis: UsualDelayBasis(prediction.basis))
    }
}

extension ServiceDayKind {
    init(_ kind: DayKind) {
        self =
            switch kind {
            case .weekday: .weekday
            case .saturday: .saturday
            case .sunday: .sunday
            case .exception: .exception
            }
    }
}

extension UsualDelayBasis {
    init(_ basis: DelayPrediction.Basis) {
        self =
            switch basis {
            case .departure: .departure
            case .group: .route
            case .prediction: .prediction
            }
    }
}
