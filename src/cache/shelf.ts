/**
 * What a cache of record keeps, and how it never keeps anything old. Entries stand under a subject, which is what a
 * change is about, in variants. Who changes something *marks* its subject, commits, and *clears* it: from the mark to
 * the clearing the subject has no entries. Who finds no entry gets a ticket, reads the truth, and puts it on the shelf
 * with the ticket, which is void once anything was marked or cleared since. A mark whose maker died lapses, when no
 * transaction can be open any more: a crash costs a look at the database, and never brings an old value back.
 */

/** The part of a Durable Object's storage that is used here. */
export type Storage = Pick<SyncKvStorage, 'get' | 'put' | 'delete' | 'list'>

/** Of a change that concerns everything on the shelf. */
export const everything = '*'

/** How long a mark holds when nobody clears: longer than any transaction of ours, with what it is repeated. */
export const markMs = 120_000

export interface Look<Value> {
  /** By variant. */
  entries: ReadonlyMap<string, Value>
  /** To put what is missing there with; null while the subject is marked. */
  ticket: string | null
}

export interface Shelf<Value> {
  look(subject: string, now: number): Look<Value>
  /** False when the ticket is void: then nothing was kept. */
  put(subject: string, variant: string, value: Value, expiresAt: number, ticket: string | null, now: number): boolean
  mark(subjects: readonly string[], now: number): string
  clear(subjects: readonly string[], mark?: string): void
  /** Drops what has run out; answers when the next will have. */
  sweep(now: number): number | null
}

interface Entry<Value> {
  value: Value
  expiresAt: number
}

interface Mark {
  subjects: readonly string[]
  lapsesAt: number
}

/** `incarnation` is another one whenever the shelf is opened: tickets do not outlive it, entries and marks do. */
export function openShelf<Value>(storage: Storage, incarnation: string): Shelf<Value> {
  let changes = 0
  const ticket = () => `${incarnation} ${changes}`
  const place = (subject: string, variant = '') => `entry ${subject}\n${variant}`

  const isMarked = (subject: string, now: number): boolean =>
    [...storage.list<Mark>({ prefix: 'mark ' })].some(
      ([, { subjects, lapsesAt }]) => lapsesAt > now && (subjects.includes(subject) || subjects.includes(everything)),
    )

  /** Takes the subjects' entries away, and with them every ticket that was given out. */
  function empty(subjects: readonly string[]): void {
    changes++
    const prefixes = subjects.includes(everything) ? ['entry '] : subjects.map((subject) => place(subject))
    for (const prefix of prefixes) for (const [key] of [...storage.list({ prefix })]) storage.delete(key)
  }

  return {
    look(subject, now) {
      const prefix = place(subject)
      const live = [...storage.list<Entry<Value>>({ prefix })].filter(([, { expiresAt }]) => expiresAt > now)
      return {
        entries: new Map(live.map(([key, { value }]) => [key.slice(prefix.length), value])),
        ticket: isMarked(subject, now) ? null : ticket(),
      }
    },
    put(subject, variant, value, expiresAt, shown, now) {
      if (shown !== ticket() || isMarked(subject, now)) return false
      storage.put<Entry<Value>>(place(subject, variant), { value, expiresAt })
      return true
    },
    mark(subjects, now) {
      empty(subjects)
      const mark = crypto.randomUUID()
      storage.put<Mark>(`mark ${mark}`, { subjects, lapsesAt: now + markMs })
      return mark
    },
    clear(subjects, mark) {
      empty(subjects)
      if (mark !== undefined) storage.delete(`mark ${mark}`)
    },
    sweep(now) {
      let next: number | null = null
      for (const prefix of ['entry ', 'mark ']) {
        for (const [key, kept] of [...storage.list<Partial<Entry<Value> & Mark>>({ prefix })]) {
          const end = kept.expiresAt ?? kept.lapsesAt ?? 0
          if (end <= now) storage.delete(key)
          else next = Math.min(next ?? end, end)
        }
      }
      return next
    },
  }
}
