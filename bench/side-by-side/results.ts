/** The results of a run, and the ratios in them. */
import type { CpuMeter } from '../cpu/meter.ts'
import type { Circumstances } from '../report/circumstances.ts'
import { median } from '../stack.ts'
import type { Absent } from './peers.ts'
import type { Question, QuestionName, Size } from './questions.ts'
import { type Cell, levelsOf, type Plan, type Turn } from './rounds.ts'

/** The medians of a cell: a question to a peer at one concurrency. */
export interface Figures extends Turn {
  question: QuestionName
  peer: string
  concurrency: number
}

export interface Results extends Circumstances {
  plan: Plan
  size: Size
  /** The method by which CPU time was measured. */
  source: CpuMeter['source']
  peers: { name: string; title: string }[]
  absent: Absent[]
  figures: Figures[]
}

/** The name of the service among the peers. */
export const ourselves = 'we'

/** Returns the medians of the turns of a cell. */
export function figuresOf({ turns, ...cell }: Cell): Figures {
  const of = (name: keyof Turn) => Number(median(turns.map((turn) => turn[name])).toPrecision(4))
  return {
    ...cell,
    server: of('server'),
    postgres: of('postgres'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
  }
}

/** The concurrency of the ratios. */
const referenceConcurrency = 16

/**
 * Returns the concurrency at which a question is compared: the reference one, or the nearest that was
 * measured.
 */
export function comparedAt({ plan, figures }: Results, question: Question): number {
  const [wanted = 1] = levelsOf(question, [referenceConcurrency])
  const measured = levelsOf(question, plan.concurrencies).filter((level) =>
    figures.some((each) => each.question === question.name && each.concurrency === level),
  )
  return measured.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted
}

/** Returns the results of a question to a peer; undefined if it was not asked. */
export const figuresAt = (
  { figures }: Results,
  question: Question,
  peer: string,
  concurrency: number,
): Figures | undefined =>
  figures.find(
    (each) => each.question === question.name && each.peer === peer && each.concurrency === concurrency,
  )

/** CPU time of a request, in milliseconds. */
export const totalCpu = ({ server, postgres }: Pick<Turn, 'server' | 'postgres'>): number => server + postgres

/** Returns the ratio of our CPU time for a request to a peer's; undefined if one of the two was not asked. */
export function ratioTo(results: Results, question: Question, peer: string): number | undefined {
  const concurrency = comparedAt(results, question)
  const ours = figuresAt(results, question, ourselves, concurrency)
  const theirs = figuresAt(results, question, peer, concurrency)
  return ours && theirs && totalCpu(ours) / totalCpu(theirs)
}
