/** Samples of events. */
import { expect, it } from 'vitest'
import { eventNames, events } from '../../../../src/runtime/events/catalog.ts'
import { recordEvents, sampleEvent } from '../../../../src/runtime/events/sample.ts'

const table = {
  app: 'shop',
  name: 'loans',
  primaryKey: ['id'],
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'state', type: 'string', constraints: { enum: ['open', 'closed'] } },
    { name: 'email', type: 'string', format: 'email' },
    { name: 'due', type: 'datetime' },
    { name: 'note', type: 'string' },
  ],
}

it.each(eventNames)('a sample of %s is a payload of the catalog', (name) => {
  const ofRecords = (recordEvents as readonly string[]).includes(name)
  const sample = sampleEvent(name, ofRecords ? table : undefined)
  expect(events.get(name)?.payload.safeParse(sample).error).toBeUndefined()
})

it('a sample of a record has values of the types of its fields, and the key of one or several', () => {
  expect(sampleEvent('RECORD_UPDATE', table)).toMatchObject({
    type: 'RECORD_UPDATE',
    record_id: 1,
    data: {
      id: 1,
      state: 'open',
      email: 'ada@example.org',
      due: '2026-03-02T09:30:00.000000Z',
      note: 'note',
    },
    previous: { id: 1 },
  })
  expect(sampleEvent('RECORD_CREATE', { ...table, primaryKey: ['id', 'note'] })).toMatchObject({
    record_id: [1, 'note'],
  })
})
