import { type FormEvent, useEffect, useState } from 'react'
import { booking, service } from './service'

type Room = Awaited<ReturnType<typeof booking.rooms.list>>['data'][number]

export function App() {
  const [rooms, setRooms] = useState<Room[]>([])
  const [message, setMessage] = useState('')

  useEffect(() => {
    booking.rooms.list({ ordering: ['name'] }).then(({ data }) => setRooms(data), showError)
  }, [])

  function showError(error: unknown) {
    setMessage(error instanceof Error ? error.message : String(error))
  }

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { email, password } = Object.fromEntries(new FormData(event.currentTarget)) as Record<
      string,
      string
    >
    await service.accounts.signIn(email, password).then(() => setMessage('Signed in.'), showError)
  }

  async function book(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { room, day } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    await booking.bookings.create({ room_id: Number(room), day }).then(() => setMessage('Booked.'), showError)
  }

  return (
    <main>
      <h1>Rooms</h1>
      <ul>
        {rooms.map((room) => (
          <li key={room.id}>
            {room.name}, {room.seats} seats
          </li>
        ))}
      </ul>
      <form onSubmit={signIn}>
        <input name="email" type="email" placeholder="E-mail" required />
        <input name="password" type="password" placeholder="Password" required />
        <button type="submit">Sign in</button>
      </form>
      <form onSubmit={book}>
        <select name="room">
          {rooms.map((room) => (
            <option key={room.id} value={room.id}>
              {room.name}
            </option>
          ))}
        </select>
        <input name="day" type="date" required />
        <button type="submit">Book</button>
      </form>
      <p role="status">{message}</p>
    </main>
  )
}
