/**
 * Digests of lines that do not depend on their order: the sum of their SHA-256 as numbers, in hexadecimal,
 * after the number of lines. The order must not matter, because a service returns edges in the order of their
 * ids, which are new after an import.
 */
import { createHash } from 'node:crypto'

const modulus = 2n ** 256n

/** Adds the digests of lines. */
export class LinesDigest {
  #sum = 0n
  #count = 0
  #rest = ''

  /** Adds a part of the text. */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#addLine(line)
  }

  /** Returns the digest of everything that was added. */
  end(): string {
    if (this.#rest !== '') this.#addLine(this.#rest)
    this.#rest = ''
    return textOf(this.#count, this.#sum)
  }

  #addLine(line: string): void {
    this.#sum = (this.#sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % modulus
    this.#count++
  }
}

const textOf = (count: number, sum: bigint): string => `${count}:${sum.toString(16).padStart(64, '0')}`

/** Returns the digest of a file from those of its parts, which end with whole lines. */
export function sumOfDigests(digests: readonly string[]): string {
  let [count, sum] = [0, 0n]
  for (const digest of digests) {
    const [lines, hex] = digest.split(':')
    count += Number(lines)
    sum = (sum + BigInt(`0x${hex}`)) % modulus
  }
  return textOf(count, sum)
}
