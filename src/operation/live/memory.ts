/**
 * What the followers of a list have: the keys and a digest of each record, no contents, which outlive the
 * sleep of the object; and the latest changes, for those who come back, which do not.
 */
import type { ListAnswer } from './answer.ts'
import { differenceOf, type Known } from './difference.ts'

/** An event. */
export interface Sent {
  number: number
  event: 'list' | 'change'
  data: string
}

/** The last answer without its contents. */
interface Kept {
  /** Changes with each life of the object. With the number, it is the id of an event. */
  life: string
  number: number
  beside: string
  records: readonly Known[] | undefined
}

/** How many changes are kept, and how many characters of them. */
const [sentMax, charactersMax] = [50, 100_000]

export class ListMemory {
  readonly #kv: SyncKvStorage
  #kept: Kept | undefined
  #sent: Sent[] = []

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
    this.#kept = kv.get<Kept>('kept')
  }

  get number(): number {
    return this.#kept?.number ?? 0
  }

  /** Returns the id of an event, with which a follower can come back. */
  idOf(number: number): string {
    return `${this.#kept?.life}-${number}`
  }

  /** Keeps an answer. Returns what differs from the one before; `first` for the first answer. */
  take(answer: ListAnswer): Sent | 'first' | undefined {
    const before = this.#kept
    const change = before && changeOf(before, answer)
    if (before && !change) return undefined
    const number = this.number + 1
    const records = answer.records?.map(({ key, digest }) => ({ key, digest }))
    this.#kept = { life: before?.life ?? crypto.randomUUID(), number, beside: answer.beside, records }
    this.#kv.put('kept', this.#kept)
    if (!change) return 'first'
    const sent = { number, ...change }
    this.#sent.push(sent)
    const characters = () => this.#sent.reduce((sum, { data }) => sum + data.length, 0)
    while (this.#sent.length > sentMax || characters() > charactersMax) this.#sent.shift()
    return sent
  }

  /** Returns the changes since an event; undefined if they are no longer known. */
  missedSince(id: string | null): readonly Sent[] | undefined {
    const [, life, text] = /^(.+)-(\d+)$/.exec(id ?? '') ?? []
    const missing = this.number - Number(text)
    if (!this.#kept || life !== this.#kept.life || !(missing >= 0) || missing > this.#sent.length)
      return undefined
    return missing === 0 ? [] : this.#sent.slice(-missing)
  }

  /** Forgets everything. The storage is emptied by the object. */
  clear(): void {
    this.#kept = undefined
    this.#sent = []
  }
}

/** Returns the event for an answer that differs from the one before. */
function changeOf(before: Kept, after: ListAnswer): Omit<Sent, 'number'> | undefined {
  const isSame = before.beside === after.beside
  if (!before.records || !after.records)
    return isSame && !before.records && !after.records ? undefined : { event: 'list', data: after.text }
  const difference = differenceOf(before.records, after.records)
  if (!difference && isSame) return undefined
  const empty = '{"entered":[],"left":[],"changed":[]}'
  const beside = after.members === '{}' ? '}' : `,${after.members.slice(1)}`
  return { event: 'change', data: `${(difference ?? empty).slice(0, -1)}${beside}` }
}
