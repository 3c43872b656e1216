/** Simulates the breaker in virtual time: requests, their probes, and a database that fails and recovers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  admit,
  type Health,
  isOpen,
  nextStep,
  probeMs,
  quietMs,
  recordAnswer,
  recordFailedProbe,
  recordFailure,
  recordRefusal,
  unknownHealth,
  wakeMs,
} from '../../../../src/kernel/db/breaker.ts'

/**
 * `full`: the database runs, but refuses connections. `gone`: nothing listens, and open connections break.
 */
type State = 'healthy' | 'frozen' | 'full' | 'gone'

interface Phase {
  from: number
  state: State
}

interface Request {
  at: number
  /** The duration of its statements on a healthy database. */
  workMs: number
  isPatient?: boolean
  /**
   * The time from the start until the request is cancelled. The outcome of a probe that it runs is then lost.
   */
  cancelledAfterMs?: number
}

interface Outcome {
  request: Request
  kind: 'answered' | 'refused' | 'given up' | 'broken' | 'cancelled'
  at: number
}

interface Probe {
  startedAt: number
  /** Undefined if the outcome is lost. */
  endedAt?: number
}

/** How long a healthy database takes to answer a probe, or the network to refuse a connection. */
const responseMs = 5

/** Runs requests like db/probe.ts: each one has its own timers, and all share one Health. */
function simulate(phases: readonly Phase[], requests: readonly Request[], health: Health = unknownHealth()) {
  const outcomes: Outcome[] = []
  const probes: Probe[] = []
  const opened: number[] = []
  const queue: { at: number; run(now: number): void }[] = []
  const at = (time: number, run: (now: number) => void) => queue.push({ at: time, run })
  const stateAt = (time: number) => phases.findLast(({ from }) => from <= time)?.state ?? 'healthy'

  /** Returns when work ends, or its connection breaks. Work pauses while the database is frozen. */
  function endOf(startedAt: number, workMs: number): { at: number; isBroken: boolean } {
    if (stateAt(startedAt) === 'gone') return { at: startedAt + responseMs, isBroken: true }
    let left = workMs
    let time = startedAt
    while (true) {
      const next = phases.find(({ from }) => from > time)?.from ?? Number.POSITIVE_INFINITY
      if (stateAt(time) === 'gone') return { at: time, isBroken: true }
      if (stateAt(time) !== 'frozen') {
        if (time + left <= next) return { at: time + left, isBroken: false }
        left -= next - time
      }
      if (next === Number.POSITIVE_INFINITY) return { at: next, isBroken: false }
      time = next
    }
  }

  function probe(now: number, isLost: boolean, then: (now: number) => void): void {
    const running: Probe = { startedAt: now }
    probes.push(running)
    if (isLost) return
    const answer = endOf(now, responseMs)
    const end = Math.min(answer.at, now + probeMs)
    at(end, (time) => {
      running.endedAt = time
      if (answer.at > now + probeMs || answer.isBroken) recordFailedProbe(health, now, time)
      else if (stateAt(now) === 'full') recordRefusal(health, time)
      else recordAnswer(health, time)
      then(time)
    })
  }

  for (const request of requests) {
    let isOver = false
    const cancelledAt = request.at + (request.cancelledAfterMs ?? Number.POSITIVE_INFINITY)
    const end = (kind: Outcome['kind'], time: number) => {
      if (!isOver) outcomes.push({ request, kind, at: time })
      isOver = true
    }
    const isLost = (now: number) => cancelledAt < now + probeMs

    const ask = (since: number) => {
      const answer = endOf(since, request.workMs)
      const isRefused = stateAt(since) === 'full'
      if (isRefused || answer.at < Number.POSITIVE_INFINITY) {
        at(isRefused ? since + responseMs : answer.at, (now) => {
          if (isOver) return
          if (isRefused) recordRefusal(health, now)
          else if (answer.isBroken) recordFailure(health, now)
          else recordAnswer(health, now)
          end(isRefused || answer.isBroken ? 'broken' : 'answered', now)
        })
      }
      const look = (now: number): void => {
        if (isOver) return
        const step = nextStep(health, { since, isPatient: request.isPatient ?? false }, now)
        if (step === 'give up') end('given up', now)
        else if (step === 'probe') {
          probe(now, isLost(now), look)
          look(now)
        } else at(now + step.waitMs, look)
      }
      look(since)
    }

    if (request.cancelledAfterMs !== undefined) at(cancelledAt, (now) => end('cancelled', now))
    at(request.at, (now) => {
      const admission = admit(health, now)
      if (admission === 'ask') return ask(now)
      if (admission === 'refuse and probe') probe(now, isLost(now), () => {})
      if (admission !== 'probe first') return end('refused', now)
      probe(now, isLost(now), (time) => {
        if (isOver) return
        if (isOpen(health, time)) end('refused', time)
        else ask(time)
      })
    })
  }

  let wasOpen = false
  while (queue.length > 0) {
    queue.sort((a, b) => a.at - b.at)
    const event = queue.shift() as (typeof queue)[number]
    event.run(event.at)
    const open = isOpen(health, event.at)
    if (open && !wasOpen) opened.push(event.at)
    wasOpen = open
  }
  return { outcomes, probes, opened, health }
}

/** Returns the state of a database that has answered shortly before time 0. */
function recentlyHealthy(): Health {
  const health = unknownHealth()
  admit(health, -10)
  recordAnswer(health, -5)
  return health
}

const arrivals = (latest: number) =>
  fc.array(fc.integer({ min: 0, max: latest }), { minLength: 1, maxLength: 40 })
const every = (ms: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / ms) }, (_, index) => from + index * ms)
/** Generates requests of any length at any time, some cancelled, some patient. */
const anyRequests = (latest: number, worksMax: number) =>
  fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: latest }),
      workMs: fc.integer({ min: 1, max: worksMax }),
      isPatient: fc.boolean(),
      cancelledAfterMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined, freq: 4 }),
    }),
    { minLength: 1, maxLength: 30 },
  ) as fc.Arbitrary<Request[]>
const anyPhases = fc
  .array(
    fc.record({
      lasts: fc.integer({ min: 1, max: 12_000 }),
      state: fc.constantFrom<State>('healthy', 'frozen', 'full', 'gone'),
    }),
    {
      maxLength: 6,
    },
  )
  .map((parts) => {
    let from = 0
    return parts.map(({ lasts, state }): Phase => {
      const phase = { from, state }
      from += lasts
      return phase
    })
  })

describe('while the database answers', () => {
  it('no request fails and the breaker stays closed, regardless of how long statements take', () => {
    fc.assert(
      fc.property(anyRequests(60_000, 30_000), (requests) => {
        const { outcomes, opened } = simulate([], requests, recentlyHealthy())
        expect(outcomes.filter(({ kind }) => kind !== 'answered' && kind !== 'cancelled')).toEqual([])
        expect(opened).toEqual([])
      }),
    )
  })
})

describe('while the database is frozen', () => {
  it('every request ends within 3 s, and after 1.8 s of silence unless the breaker is open', () => {
    fc.assert(
      fc.property(arrivals(20_000), (times) => {
        const { outcomes, opened } = simulate(
          [{ from: 0, state: 'frozen' }],
          times.map((at) => ({ at, workMs: 10 })),
          recentlyHealthy(),
        )
        const open = opened[0] ?? Number.POSITIVE_INFINITY
        for (const { request, kind, at } of outcomes) {
          expect(at - request.at).toBeLessThan(3_000)
          // A request in the same millisecond in which the breaker opens may be handled before or after that.
          if (request.at !== open) expect(kind).toBe(request.at > open ? 'refused' : 'given up')
          if (kind === 'given up') expect(at - request.at).toBeGreaterThanOrEqual(quietMs)
          if (kind === 'refused')
            expect(at - request.at).toSatisfy((ms: number) => ms === 0 || ms === probeMs)
        }
        expect(outcomes).toHaveLength(times.length)
      }),
      { examples: [[[15_939, 18_739, 0, 1_001]]] },
    )
  })

  it('the third failed probe opens the breaker, and requests fail at once from then on', () => {
    const requests = every(100, 0, 10_000).map((at) => ({ at, workMs: 10 }))
    const { opened, outcomes, probes } = simulate([{ from: 0, state: 'frozen' }], requests, recentlyHealthy())
    const third = probes[2]?.endedAt as number
    expect(opened).toEqual([third])
    expect(third).toBeLessThan(quietMs + 3 * probeMs + 300)
    for (const { request, at } of outcomes.filter(({ kind }) => kind === 'refused'))
      expect(at).toBe(request.at)
  })

  it('two failed probes and an answer do not open the breaker', () => {
    const health = recentlyHealthy()
    for (const startedAt of [0, 2_000, 4_000, 6_000]) {
      health.probing = true
      health.probedAt = startedAt
      recordFailedProbe(health, startedAt, startedAt + probeMs)
      expect(isOpen(health, startedAt + probeMs)).toBe(false)
      if (startedAt % 4_000 === 2_000) recordAnswer(health, startedAt + 1_500)
    }
  })

  it('a patient request waits until three consecutive probes have failed', () => {
    const { outcomes } = simulate(
      [{ from: 0, state: 'frozen' }],
      [{ at: 0, workMs: 10, isPatient: true }],
      recentlyHealthy(),
    )
    expect(outcomes).toMatchObject([{ kind: 'given up', at: quietMs + 3 * probeMs }])
  })

  it('a request whose statement freezes ends within 3 s', () => {
    const { outcomes } = simulate(
      [{ from: 1_000, state: 'frozen' }],
      [{ at: 0, workMs: 4_000 }, ...every(50, 0, 1_000).map((at) => ({ at, workMs: 5 }))],
      recentlyHealthy(),
    )
    expect(outcomes.at(-1)).toMatchObject({
      kind: 'given up',
      at: expect.toSatisfy((at: number) => at <= 4_000),
    })
  })
})

describe('when the database has recovered', () => {
  it('requests succeed again within 2 s, as long as there are some', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<State>('frozen', 'full', 'gone'),
        fc.integer({ min: 1, max: 30_000 }),
        fc.integer({ min: 10, max: 900 }),
        (state, back, gap) => {
          const phases: Phase[] = [
            { from: 0, state },
            { from: back, state: 'healthy' },
          ]
          const { outcomes } = simulate(
            phases,
            every(gap, 0, back + 6_000).map((at) => ({ at, workMs: 5 })),
            recentlyHealthy(),
          )
          for (const { request, kind } of outcomes)
            if (request.at >= back + 2_000) expect(kind).toBe('answered')
        },
      ),
    )
  })

  it('the first request after a pause runs a probe and succeeds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<State>('frozen', 'gone'),
        fc.integer({ min: 4_000, max: 200_000 }),
        (state, pauseMs) => {
          const phases: Phase[] = [
            { from: 0, state },
            { from: 10_500, state: 'healthy' },
          ]
          const requests = [...every(100, 0, 10_000), 10_000 + pauseMs].map((at) => ({ at, workMs: 5 }))
          expect(simulate(phases, requests, recentlyHealthy()).outcomes.at(-1)).toMatchObject({
            kind: 'answered',
          })
        },
      ),
    )
  })
})

describe('a database that may be asleep', () => {
  it('gives requests 8 s before they fail, and the breaker stays closed until then', () => {
    fc.assert(
      fc.property(arrivals(wakeMs - 1), (times) => {
        const first = Math.min(...times)
        const { outcomes, opened } = simulate(
          [{ from: 0, state: 'frozen' }],
          times.map((at) => ({ at, workMs: 10 })),
        )
        for (const { kind, at, request } of outcomes) {
          expect(kind).toBe('given up')
          expect(at).toBeGreaterThanOrEqual(first + wakeMs)
          expect(at).toBeLessThanOrEqual(Math.max(first + wakeMs, request.at + 3_000))
        }
        for (const at of opened) expect(at).toBeGreaterThanOrEqual(first + wakeMs)
      }),
    )
  })

  it('is awaited until it has woken up; later requests wait up to 3 s, as for any other database', () => {
    const phases: Phase[] = [
      { from: 0, state: 'frozen' },
      { from: 7_000, state: 'healthy' },
      { from: 20_000, state: 'frozen' },
    ]
    const { outcomes } = simulate(
      phases,
      [0, 500, 3_000, 20_000].map((at) => ({ at, workMs: 10 })),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'answered', 'given up'])
    expect(outcomes.at(-1)?.at).toBeLessThan(23_000)
  })

  it('is a database that was not queried for five minutes, but not one that was queried and did not respond', () => {
    const minutes = 60_000
    const asleep = simulate(
      [{ from: 1_000, state: 'frozen' }],
      [{ at: 5 * minutes, workMs: 10 }],
      recentlyHealthy(),
    )
    expect(asleep.outcomes).toMatchObject([{ kind: 'given up', at: 5 * minutes + wakeMs }])
    const away = simulate(
      [{ from: 0, state: 'frozen' }],
      every(1_000, 0, 7 * minutes).map((at) => ({ at, workMs: 10 })),
      recentlyHealthy(),
    )
    expect(
      away.outcomes.slice(10).every(({ kind, request, at }) => kind === 'refused' && at === request.at),
    ).toBe(true)
  })
})

describe('a database that refuses connections', () => {
  it('opens the breaker after three refused connections, and open connections continue', () => {
    const phases: Phase[] = [{ from: 500, state: 'full' }]
    const { outcomes, opened } = simulate(
      phases,
      [{ at: 0, workMs: 20_000 }, ...every(100, 1_000, 5_000).map((at) => ({ at, workMs: 5 }))],
      recentlyHealthy(),
    )
    expect(opened).toEqual([1_205])
    expect(outcomes.filter(({ kind }) => kind === 'broken')).toHaveLength(3)
    expect(outcomes.at(-1)).toMatchObject({ kind: 'answered', at: 20_000 })
  })
})

describe('a database that is gone', () => {
  it('is probed once a second, and every request fails at once', () => {
    const requests = every(50, 0, 10_000).map((at) => ({ at, workMs: 5 }))
    const { outcomes, probes } = simulate([{ from: 0, state: 'gone' }], requests, recentlyHealthy())
    for (const { request, at } of outcomes) expect(at - request.at).toBeLessThanOrEqual(responseMs)
    expect(probes.length).toBeGreaterThanOrEqual(9)
    expect(probes.length).toBeLessThanOrEqual(11)
  })

  it('ends a waiting request without a probe if one has failed within the last second', () => {
    const health = recentlyHealthy()
    expect(nextStep(health, { since: 0, isPatient: false }, quietMs)).toBe('probe')
    recordFailedProbe(health, quietMs, quietMs + responseMs)
    expect(nextStep(health, { since: 10, isPatient: false }, quietMs + 10)).toBe('give up')
    expect(nextStep(health, { since: 500, isPatient: false }, quietMs + 500)).toBe('give up')
    expect(nextStep(health, { since: 1_000, isPatient: false }, quietMs + 1_000)).toBe('probe')
  })
})

describe('in any sequence of states', () => {
  it('probes overlap only if one was lost with its request, and an open breaker runs one per second', () => {
    fc.assert(
      fc.property(anyPhases, anyRequests(40_000, 20_000), (phases, requests) => {
        const { probes } = simulate(phases, requests, recentlyHealthy())
        probes.forEach((probe, index) => {
          const next = probes[index + 1]
          if (next) expect(next.startedAt).toBeGreaterThanOrEqual(probe.endedAt ?? probe.startedAt)
        })
      }),
    )
  })

  it('no request gives up unless a probe failed while it waited, and every request ends', () => {
    fc.assert(
      fc.property(anyPhases, anyRequests(40_000, 20_000), (phases, requests) => {
        // The database recovers at the end, so that waiting requests are answered.
        const end = (phases.at(-1)?.from ?? 0) + 20_000
        const { outcomes } = simulate(
          [...phases, { from: end, state: 'healthy' }],
          requests,
          recentlyHealthy(),
        )
        expect(outcomes).toHaveLength(requests.length)
        for (const { request, kind, at } of outcomes) {
          if (kind !== 'given up') continue
          expect(at - request.at).toBeGreaterThanOrEqual(quietMs)
          const during = phases.filter(
            ({ from }, index) => from < at && (phases[index + 1]?.from ?? end) > at - quietMs - probeMs,
          )
          expect(during.some(({ state }) => state === 'frozen' || state === 'gone')).toBe(true)
        }
      }),
    )
  })

  it('the late outcome of a probe does not override that of a later probe', () => {
    const health = recentlyHealthy()
    expect(nextStep(health, { since: 0, isPatient: false }, quietMs)).toBe('probe')
    const lost = health.probedAt
    // A lost probe is awaited no longer than this.
    const later = quietMs + probeMs + 500
    expect(nextStep(health, { since: 0, isPatient: false }, later)).toBe('probe')
    recordFailedProbe(health, lost, later + 1)
    expect([health.failures, health.probing]).toEqual([0, true])
    recordAnswer(health, later + 2)
    recordFailedProbe(health, later, later + 3)
    expect([health.failures, health.probing]).toEqual([0, false])
  })
})
