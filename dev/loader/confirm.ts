/** Asks the person at the terminal before something is done. */
import { createInterface } from 'node:readline/promises'
import { Refusal } from './refusal.ts'

/** Throws a Refusal unless the answer is yes. Without a terminal, `--yes` is needed. */
export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Refusal(`${question} Nobody can answer here: add --yes to go on. Nothing was written.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`${question} [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refusal('Nothing was written.')
  } finally {
    terminal.close()
  }
}
