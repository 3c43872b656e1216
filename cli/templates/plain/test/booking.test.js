import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestSite } from 'tessera-client/testing'

const site = await createTestSite()
after(() => site.delete())

const visitor = site.visitor.app('booking')
const owner = site.owner.app('booking')

test('a visitor sees the rooms', async () => {
  const { data } = await visitor.rooms.list({ ordering: ['name'] })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Library', 'Studio'],
  )
})

test('a visitor cannot book', async () => {
  await assert.rejects(visitor.bookings.create({ room_id: 1, day: '2030-05-01' }), { status: 401 })
})

test('people see their own bookings', async () => {
  const ada = (await site.signInAs({ email: 'ada@example.com' })).app('booking')
  const ben = (await site.signInAs()).app('booking')
  await ada.bookings.create({ room_id: 1, day: '2030-05-02' })
  assert.deepEqual(
    (await ada.bookings.list()).data.map(({ email }) => email),
    ['ada@example.com'],
  )
  assert.deepEqual((await ben.bookings.list()).data, [])
})

test('a room is booked once a day', async () => {
  const booking = { room_id: 1, day: '2030-05-01', email: 'ada@example.com' }
  await owner.bookings.create(booking)
  await assert.rejects(owner.bookings.create(booking), { status: 409 })
})

test('the bookings of tomorrow are marked', async () => {
  await owner.bookings.create({ room_id: 2, day: '2030-06-02', email: 'ben@example.com' })
  const { data } = await site.runSchedule('booking', 'remind', { at: '2030-06-01T18:00:00Z' })
  assert.deepEqual(data, { day: '2030-06-02', reminded: 1 })
})
