import { createClient } from 'tessera-client'
import { type Booking, bookingSchemas } from '../tessera/types'

// Rooms are read for each request.
export const dynamic = 'force-dynamic'

/** `tessera dev` sets the address; for a build, set TESSERA_URL. */
const url = process.env.TESSERA_URL ?? 'http://127.0.0.1:8787'

export default async function Page() {
  const { data } = await createClient<Booking>({ url, schemas: bookingSchemas })
    .app('booking')
    .rooms.list({ ordering: ['name'] })
  return (
    <main>
      <h1>Rooms</h1>
      <ul>
        {data.map((room) => (
          <li key={room.id}>
            {room.name}, {room.seats} seats
          </li>
        ))}
      </ul>
    </main>
  )
}
