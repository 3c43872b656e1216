/** Notes are read as of one moment, however long that takes: those of a record stay in their order. E5. */
import { Long, MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readNotes } from '../../../mongodb/src/write-notes.ts'

const client = new MongoClient(inject('mongodbUrl'), { useBigInt64: true })
const database = `tessera_test_long_read_${Date.now().toString(36)}`
const notes = client.db(database).collection<{ _id: string }>('tessera_notes')

beforeAll(() => client.connect())
afterAll(() => client.close())

const note = (n: number) => ({
  _id: `note ${n}`,
  ...{ of: 'one', n: Long.fromNumber(n), table: Long.fromNumber(1), key: ['id'] },
  events: [{ event: 'RECORD_CREATE', records: `[{"id": ${n}}]`, previous: null }],
})
const numberOf = ({ id }: { id: string }) => Number(id.slice('note '.length))

it('a note that comes while notes are read is read with all that came before it, or not at all', async () => {
  await notes.insertMany(Array.from({ length: 3_000 }, (_, n) => note(10 * n)))
  let over = false
  // The second note of each pair has a higher number, and comes later.
  const writer = (async () => {
    for (let n = 0; !over; n++) {
      await notes.insertOne(note(1 + 10 * n))
      await notes.insertOne(note(29_991 + n))
    }
  })()
  const reads = []
  for (let read = 0; read < 5; read++)
    reads.push(
      await readNotes({ client, hasTransactions: true }, client.db(database), { owner: 'one' }, 2 ** 23),
    )
  over = true
  await writer
  for (const { notes: found, isAll, isSettled } of reads) {
    expect([isAll, isSettled]).toEqual([true, true])
    const there = new Set(found.map(numberOf))
    const later = [...there].filter((n) => n > 29_990)
    expect(later.filter((n) => !there.has(1 + 10 * (n - 29_991)))).toEqual([])
  }
  expect(reads.at(-1)?.notes.length).toBeGreaterThan(3_000)
})
