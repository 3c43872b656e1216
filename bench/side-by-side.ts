/**
 * Compares the service with other programs that answer the same questions with the same data.
 * docs/performance.md.
 */

import { circumstances } from './report/circumstances.ts'
import { createData } from './side-by-side/data.ts'
import { compareAnswers } from './side-by-side/equality.ts'
import { keepResults } from './side-by-side/keep.ts'
import { resultsDocument } from './side-by-side/markdown.ts'
import { type Options, readOptions } from './side-by-side/options.ts'
import { type Started, startPeers, stopPeers } from './side-by-side/peers.ts'
import { figuresOf, type Results } from './side-by-side/results.ts'
import { type Cell, openCourse, runRounds, type Turn } from './side-by-side/rounds.ts'
import { type Stack, withStack } from './stack.ts'

try {
  const options = readOptions(process.argv.slice(2))
  // A run takes longer than the default lifetime of a token.
  await withStack((stack) => run(stack, options), { ACCESS_TOKEN_SECONDS: '86400' })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run(stack: Stack, options: Options): Promise<void> {
  await createData(stack, options.size)
  const started = await startPeers(stack, options.size, options.peers)
  for (const { name, reason } of started.absent) console.log(`LEFT OUT: ${name}: ${reason}`)
  try {
    await compareAnswers(started.peers, options.asked, stack.sql, options.size)
    console.log('All answer the same.\n')
    const results = await measure(stack, options, started)
    console.log(`\n${resultsDocument(results)}`)
    if (options.keep) console.log(`Written: ${keepResults(results).join(', ')}`)
  } finally {
    await stopPeers(started.peers)
  }
}

async function measure(
  stack: Stack,
  { asked, plan, size }: Options,
  { peers, absent }: Started,
): Promise<Results> {
  const course = openCourse(peers, { ...stack, size })
  try {
    const left = [...absent]
    const cells = await runRounds(course, peers, asked, plan, showTurn, ({ name }, question, error) => {
      left.push({ name: `${name} at ${question.name}`, reason: (error as Error).message })
      console.log(`FAILED: ${name} at ${question.name}: ${(error as Error).message}`)
    })
    return {
      ...(await circumstances(stack.sql)),
      plan,
      size,
      source: course.source,
      peers: peers.map(({ name, title }) => ({ name, title })),
      absent: left,
      figures: cells.map(figuresOf),
    }
  } finally {
    course.close()
  }
}

function showTurn({ question, peer, concurrency }: Cell, { server, postgres, perSecond, p50 }: Turn): void {
  const cpu = `${server.toFixed(2)} + ${postgres.toFixed(2)} ms`
  console.log(
    `${question.padEnd(12)} ${peer.padEnd(10)} ${String(concurrency).padStart(3)}  ${cpu.padEnd(18)}` +
      `${perSecond.toFixed().padStart(6)}/s  p50 ${p50.toFixed(1)} ms`,
  )
}
