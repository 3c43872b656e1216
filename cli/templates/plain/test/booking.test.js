import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'tessera-client'

const { TESSERA_URL: url, TESSERA_USER: username, TESSERA_PASSWORD: password } = process.env
const owner = createClient({ url, auth: { username, password } }).app('booking')
const visitor = createClient({ url }).app('booking')

test('a visitor sees the rooms', async () => {
  const { data } = await visitor.rooms.list({ orderBy: ['name'] })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Library', 'Studio'],
  )
})

test('a visitor cannot book', async () => {
  await assert.rejects(visitor.bookings.create({ room_id: 1, day: '2030-05-01' }), { status: 401 })
})

test('a room is booked once a day', async () => {
  const booking = { room_id: 1, day: '2030-05-01', email: 'ada@example.com' }
  await owner.bookings.create(booking)
  await assert.rejects(owner.bookings.create(booking), { status: 409 })
})
