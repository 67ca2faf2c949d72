import Testing
import TransitClient

@Suite struct ReconnectionTests {
    @Test func refusalIsTriedAgainAfterTenMinutes() {
        var reconnection = Reconnection(now: 0)
        reconnection.connected(now: 100)
        reconnection.refused(now: 200)
        #expect(reconnection.due == 200 + 600_000)
        // The end of the connection, at a restart of the daemon, is followed by a prompt attempt.
        reconnection.lost(now: 5_000, random: 1)
        #expect(reconnection.due == 5_000 + Reconnection.firstDelay)
    }

    @Test func delaysGrowAndAreLimited() {
        var reconnection = Reconnection(now: 0)
        #expect(reconnection.due == 0)
        var delays: [Int64] = []
        for _ in 0..<10 {
            let now = reconnection.due
            reconnection.lost(now: now, random: 1)
            delays.append(reconnection.due - now)
        }
        #expect(delays == [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    }

    @Test func randomPartIsAtMostHalf() {
        var reconnection = Reconnection(now: 0)
        reconnection.lost(now: 0, random: 0)
        #expect(reconnection.due == 125)
    }

    @Test func socketThatAppearsIsUsedPromptly() {
        var reconnection = Reconnection(now: 0)
        for _ in 0..<10 { reconnection.lost(now: 1000, random: 1) }
        reconnection.socketAppeared(now: 2000)
        #expect(reconnection.due == 2000 + Reconnection.promptDelay)
        reconnection.lost(now: 2050, random: 1)
        #expect(reconnection.due == 2050 + 500)
        // A folder that changes all the time does not cause attempts all the time.
        reconnection.socketAppeared(now: 2060)
        #expect(reconnection.due == 2550)
        reconnection.lost(now: 2550, random: 1)
        reconnection.socketAppeared(now: 2560)
        #expect(reconnection.due == 3000 + Reconnection.promptDelay)
    }

    @Test func daemonThatClosesEachConnectionIsNotAskedAllTheTime() {
        var reconnection = Reconnection(now: 0)
        for _ in 0..<8 {
            reconnection.connected(now: reconnection.due)
            reconnection.lost(now: reconnection.due + 10, random: 1)
        }
        let now = reconnection.due
        reconnection.connected(now: now)
        reconnection.lost(now: now + 10, random: 1)
        #expect(reconnection.due == now + 10 + Reconnection.longestDelay)
        // After a connection that was usable, the delays begin again.
        let later = reconnection.due
        reconnection.connected(now: later)
        reconnection.lost(now: later + 20_000, random: 1)
        #expect(reconnection.due == later + 20_000 + Reconnection.firstDelay)
    }
}
