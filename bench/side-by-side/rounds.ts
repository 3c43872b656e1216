/** Measures peers in turns: in each round every peer has its turn with every question. */
import type pg from 'pg'
import { type CpuMeter, openCpuMeter } from '../cpu/meter.ts'
import { restoreProducts } from './data.ts'
import { type Amount, quantile } from './load.ts'
import type { Peer } from './peer.ts'
import type { Question, QuestionName, Size } from './questions.ts'

/** The result of one turn. Times are in milliseconds; CPU time is per request. */
export interface Turn {
  server: number
  postgres: number
  perSecond: number
  p50: number
  p95: number
  p99: number
}

/** A question to a peer at one concurrency. */
export interface Cell {
  question: QuestionName
  peer: string
  concurrency: number
  /** One turn of each round. */
  turns: Turn[]
}

export interface Plan {
  rounds: number
  /** The length of a turn. */
  seconds: number
  concurrencies: readonly number[]
}

/** The environment of the turns. */
export interface Place {
  sql: pg.Client
  postgresPid: number
  size: Size
}

/** A started measurement, which runs turns and must be closed. */
export interface Course {
  /** The method by which CPU time is measured. */
  source: CpuMeter['source']
  take(peer: Peer, question: Question, amount: Amount): Promise<Turn>
  close(): void
}

/**
 * The length of the warm-up before a turn, as a share of the turn. It opens connections and compiles code,
 * and is not measured.
 */
const warmUp = 0.25

/** The first measured input; smaller numbers are for the comparison of answers. */
const firstInput = 1000

/** Begins to measure the processes of the peers and of Postgres. */
export function openCourse(peers: readonly Peer[], { sql, postgresPid, size }: Place): Course {
  const postgres = openCpuMeter(postgresPid, 'postgres')
  const servers = new Map(peers.map((peer) => [peer.name, openCpuMeter(peer.pid, peer.name)]))
  const meters = [postgres, ...servers.values()]
  let next = firstInput
  return {
    source: meters.every(({ source }) => source === 'cgroup') ? 'cgroup' : 'processes',
    async take(peer, { name, writes }, amount) {
      // No input is sent twice, because a write must create new records.
      const load = async (seconds: number) => {
        const done = await peer.load(name, next, { ...amount, seconds })
        next += done.count
        return done
      }
      const read = () => [servers.get(peer.name)?.cpuMs() ?? 0, postgres.cpuMs()] as const
      await load(amount.seconds * warmUp)
      const before = read()
      const { count, seconds, latencies } = await load(amount.seconds)
      const after = read()
      if (writes) await restoreProducts(sql, peer.products, size)
      return {
        server: (after[0] - before[0]) / count,
        postgres: (after[1] - before[1]) / count,
        perSecond: count / seconds,
        p50: quantile(latencies, 0.5),
        p95: quantile(latencies, 0.95),
        p99: quantile(latencies, 0.99),
      }
    },
    close() {
      for (const meter of meters) meter.close()
    },
  }
}

/**
 * Runs all rounds. Calls `showTurn` with each turn, and `noteFailure` with a question that a peer fails to
 * answer, and does not ask this peer the question again. Rejects if the first peer, the service, fails.
 */
export async function runRounds(
  course: Course,
  peers: readonly Peer[],
  asked: readonly Question[],
  { rounds, seconds, concurrencies }: Plan,
  showTurn: (cell: Cell, turn: Turn) => void,
  noteFailure: (peer: Peer, question: Question, error: unknown) => void,
): Promise<Cell[]> {
  const cells = new Map<string, Cell>()
  const failed = new Set<string>()
  for (let round = 0; round < rounds; round++)
    // The order of the peers changes from round to round.
    for (const question of asked)
      for (const concurrency of levelsOf(question, concurrencies))
        for (const peer of rotated(peers, round)) {
          const key = `${question.name} ${peer.name}`
          if (!peer.questions.includes(question.name) || failed.has(key)) continue
          try {
            const turn = await course.take(peer, question, { concurrency, seconds })
            const cell = cells.get(`${key} ${concurrency}`) ?? {
              question: question.name,
              peer: peer.name,
              concurrency,
              turns: [],
            }
            cells.set(`${key} ${concurrency}`, cell)
            cell.turns.push(turn)
            showTurn(cell, turn)
          } catch (error) {
            if (peer === peers[0]) throw error
            failed.add(key)
            noteFailure(peer, question, error)
          }
        }
  return [...cells.values()]
}

/** Returns the concurrencies at which a question is asked. */
export const levelsOf = ({ concurrencyMax = Infinity }: Question, wanted: readonly number[]): number[] => [
  ...new Set(wanted.map((level) => Math.min(level, concurrencyMax))),
]

/** Returns the items rotated, so that another one is first. */
export function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
