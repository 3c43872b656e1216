/** Asks questions at the terminal, and reads the standard input. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { plainLine } from './plain.ts'

/** Returns whether there is a terminal to ask questions. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Asks for a line. `isHidden`: does not show the input. */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
  let isSilent = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isSilent) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    const ended = new Promise<never>((_, reject) =>
      lines.once('SIGINT', () => reject(new Problem('Interrupted.', exitCodes.interrupted))),
    )
    const answer = lines.question(`${plainLine(question)} `)
    isSilent = isHidden
    return await Promise.race([answer, ended])
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}

/** Asks for a confirmation. Throws without a terminal; `flag` is the option that confirms. */
export async function confirm(question: string, flag: string): Promise<void> {
  if (!canAsk())
    throw new Problem(`${question} Add ${flag} to say yes: nobody can be asked here.`, exitCodes.usage)
  const answer = await ask(`${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Problem('Nothing was changed.', exitCodes.failed)
}

/** Reads a secret from the standard input: see `secretText`. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return secretText(Buffer.concat(chunks))
}

/**
 * Returns the text of a secret. The line break after a single line is that of the program that printed it,
 * and is removed. Several lines, such as a PEM file, stay as they are. Throws a Problem if the bytes are not
 * UTF-8.
 */
export function secretText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.replace(/^([^\n]*?)\r?\n$/, '$1')
  } catch {
    throw new Problem('The standard input is not text in UTF-8.', exitCodes.usage)
  }
}
