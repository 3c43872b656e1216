/** The options of the command. */
import { parseArgs } from 'node:util'
import { peerNames } from './peers.ts'
import { type Question, questionNames, questions, type Size, sizeOf } from './questions.ts'
import type { Plan } from './rounds.ts'

const usage = `Usage: npm run bench -- side-by-side [options]

  --questions    of: ${questionNames.join()}; default all
  --peers        of: ${peerNames.join()}; default all
  --concurrency  requests at a time; default 1,16,64
  --seconds      of a turn; default 3
  --rounds       default 3
  --products     rows of the first table, which sets the others; default 100000
  --keep         writes the results to bench/results and docs/performance.md`

export interface Options {
  asked: Question[]
  peers: string[]
  plan: Plan
  size: Size
  keep: boolean
}

/** Throws an error with the usage for invalid options. */
export function readOptions(args: readonly string[]): Options {
  const { values } = wellFormed(() =>
    parseArgs({
      args: [...args],
      options: {
        questions: { type: 'string', default: questionNames.join() },
        peers: { type: 'string', default: peerNames.join() },
        concurrency: { type: 'string', default: '1,16,64' },
        seconds: { type: 'string', default: '3' },
        rounds: { type: 'string', default: '3' },
        products: { type: 'string', default: '100000' },
        keep: { type: 'boolean', default: false },
      },
    }),
  )
  const chosen = namesIn('--questions', values.questions, questionNames)
  const [seconds = 0] = numbersIn('--seconds', values.seconds)
  const [rounds = 0] = numbersIn('--rounds', values.rounds)
  const [products = 0] = numbersIn('--products', values.products)
  return {
    asked: questions.filter(({ name }) => chosen.includes(name)),
    peers: namesIn('--peers', values.peers, peerNames),
    plan: { rounds, seconds, concurrencies: numbersIn('--concurrency', values.concurrency) },
    size: sizeOf(products),
    keep: values.keep,
  }
}

function wellFormed<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`)
  }
}

function namesIn(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(',').filter(Boolean)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`${option}: ${unknown.join()} is not one of ${known.join()}.\n\n${usage}`)
  return names
}

function numbersIn(option: string, text: string): number[] {
  const numbers = text.split(',').map(Number)
  if (!numbers.every((each) => each > 0)) throw new Error(`${option} takes numbers above 0.\n\n${usage}`)
  return numbers
}
