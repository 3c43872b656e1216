/**
 * Checks the speed after a change: compares the ratio of our CPU time to that of the floor with the recorded
 * ratios. Takes a minute. Questions that look slower are asked until the minute is over, to tell a real
 * change from noise.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { currentCommit } from './report/machine.ts'
import { createData } from './side-by-side/data.ts'
import { compareAnswers } from './side-by-side/equality.ts'
import { fasterNames, limitOf, slowerNames, tolerance } from './side-by-side/judgement.ts'
import { startPeers, stopPeers } from './side-by-side/peers.ts'
import { type Question, questions, sizeOf } from './side-by-side/questions.ts'
import { totalCpu } from './side-by-side/results.ts'
import { openCourse, rotated } from './side-by-side/rounds.ts'
import { median, report, type Stack, withStack } from './stack.ts'

const began = performance.now()
const file = join(import.meta.dirname, 'results', 'guard.json')
const size = sizeOf(5000)
const amount = { concurrency: 8, seconds: 0.25 }
/**
 * Rounds of every question. The first one is not counted, because code is still being compiled. A question
 * that looks slower gets more rounds, even if a busy machine then takes more than a minute.
 */
const rounds = { least: 3, usual: 4, doubtful: 8, recording: 10 }
/** The latest start of a round, in milliseconds from the start of the run. */
const lastRoundMs = 52_000
const hasTime = () => performance.now() - began < lastRoundMs

interface Recorded {
  date: string
  commit: string
  ratios: Record<string, number>
}

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } })

await withStack(run)

async function run(stack: Stack): Promise<void> {
  await createData(stack, size)
  const { peers, absent } = await startPeers(stack, size, ['floor'])
  try {
    for (const { name, reason } of absent) throw new Error(`${name} did not start: ${reason}`)
    await compareAnswers(peers, questions, stack.sql, size)
    const course = openCourse(peers, { ...stack, size })
    try {
      /** Asks every peer in turn, and returns our CPU time divided by the floor's. */
      const ratioOf = async (question: Question, round: number): Promise<number> => {
        const cpu = new Map<string, number>()
        for (const peer of rotated(peers, round))
          cpu.set(peer.name, totalCpu(await course.take(peer, question, amount)))
        return (cpu.get('we') ?? Number.NaN) / (cpu.get('floor') ?? Number.NaN)
      }
      if (values.record) await record(ratioOf)
      else await guard(ratioOf)
    } finally {
      course.close()
    }
  } finally {
    await stopPeers(peers)
  }
}

type RatioOf = (question: Question, round: number) => Promise<number>

/** Stops early if `mayGoOn` returns false, but not before the minimum number of rounds. */
async function askAll(
  ratioOf: RatioOf,
  count: number,
  mayGoOn: () => boolean,
): Promise<Map<string, number[]>> {
  const series = new Map<string, number[]>(questions.map(({ name }) => [name, []]))
  for (let round = 0; round < count && (round < rounds.least || mayGoOn()); round++)
    for (const question of questions) {
      const ratio = await ratioOf(question, round)
      if (round > 0) series.get(question.name)?.push(ratio)
    }
  return series
}

async function record(ratioOf: RatioOf): Promise<void> {
  const series = await askAll(ratioOf, rounds.recording, () => true)
  const ratios = Object.fromEntries(
    [...series].map(([name, values]) => [name, Number(median(values).toFixed(2))]),
  )
  const recorded: Recorded = { date: new Date().toISOString().slice(0, 10), commit: currentCommit(), ratios }
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
  console.log(`Recorded in bench/results/guard.json: ${JSON.stringify(ratios)}`)
}

async function guard(ratioOf: RatioOf): Promise<void> {
  const { ratios: recorded, commit, date } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  console.log(`CPU time, we ÷ floor, beside the ratios recorded on ${date} at ${commit}`)
  const series = await askAll(ratioOf, rounds.usual, hasTime)
  for (let round = rounds.usual; hasTime() || round < rounds.doubtful; round++) {
    const slower = new Set(slowerNames(series, recorded))
    if (slower.size === 0) break
    for (const question of questions.filter(({ name }) => slower.has(name)))
      series.get(question.name)?.push(await ratioOf(question, round))
  }
  for (const { name, title } of questions) {
    const ratios = series.get(name) ?? []
    const figures = `recorded ${recorded[name] ?? 'nothing'}, ${ratios.length} rounds`
    report(title, figures, median(ratios), Number(limitOf(name, recorded).toFixed(2)))
  }
  const faster = fasterNames(series, recorded)
  if (faster.length > 0)
    console.log(`Faster than recorded: ${faster.join()}. Record it: npm run bench -- guard --record`)
  if (slowerNames(series, recorded).length > 0)
    console.log(
      `A ratio is more than ${tolerance} times the recorded one. See what takes the time, or, if it is worth it, record anew.`,
    )
}
