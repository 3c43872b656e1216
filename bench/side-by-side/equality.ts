/** Compares the answers of the peers before anything is measured. */
import type pg from 'pg'
import { restoreProducts } from './data.ts'
import type { Answer, Peer, Row } from './peer.ts'
import { type Question, type QuestionName, questions, type Size } from './questions.ts'

/** How many inputs are compared. */
const inputs = 5

/** Columns whose values the database creates, which differ for every written row. */
const generated: readonly string[] = ['id']

/** Throws an error with both answers at the first question that two peers answer differently. */
export async function compareAnswers(
  peers: readonly Peer[],
  asked: readonly Question[],
  sql: pg.Client,
  size: Size,
): Promise<void> {
  for (const { name, writes } of asked) {
    const able = peers.filter((peer) => peer.questions.includes(name))
    const all = new Map<Peer, Answer[]>()
    for (const peer of able) {
      const answers: Answer[] = []
      for (let n = 0; n < inputs; n++) answers.push(await peer.answer(name, n))
      all.set(peer, answers)
      if (writes) await restoreProducts(sql, peer.products, size)
    }
    const [first, ...others] = [...all]
    if (!first) continue
    for (const [peer, answers] of others)
      for (const [n, answer] of answers.entries()) {
        const found = difference(name, first[1][n] as Answer, answer)
        if (found)
          throw new Error(
            `${name}, input ${n}: ${first[0].name} and ${peer.name} answer differently:\n${found}`,
          )
      }
  }
}

/**
 * Returns both answers to a question, from shortly before the first difference; undefined if they are equal.
 */
export function difference(question: QuestionName, one: Answer, other: Answer): string | undefined {
  const [a, b] = [canonical(question, one), canonical(question, other)]
  if (a === b) return undefined
  let at = 0
  while (a[at] === b[at]) at++
  const from = Math.max(0, at - 200)
  return `…${a.slice(from, at + 200)}\n…${b.slice(from, at + 200)}`
}

/** Returns the answer as text, without the parts that may differ between peers. */
function canonical(name: QuestionName, { rows, total }: Answer): string {
  const isWrite = questions.find((question) => question.name === name)?.writes
  const shown = rows.map((row) => canonicalValue(isWrite ? without(row, generated) : row))
  // The rows of a write or a walk may have any order.
  const texts = shown.map((row) => JSON.stringify(row))
  return JSON.stringify({
    total: name === 'list-total' || name === 'groups' ? total : undefined,
    rows: isWrite || name === 'descendants' ? texts.toSorted() : texts,
  })
}

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

/** Writes numbers and times in one form, and members in one order. */
function canonicalValue(value: unknown): unknown {
  if (typeof value === 'string') {
    if (/^-?\d+(\.\d+)?$/.test(value)) return canonicalValue(Number(value))
    return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value
  }
  if (typeof value === 'number') return Number(value.toPrecision(12))
  if (Array.isArray(value)) return value.map(canonicalValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonicalValue(member)]),
  )
}
