/** Marks the bookings of tomorrow. Send your reminders here. */
export default async ({ scheduled_at }, { db }) => {
  const tomorrow = new Date(Date.parse(scheduled_at ?? new Date().toISOString()) + 86_400_000)
  const day = tomorrow.toISOString().slice(0, 10)
  const { data } = await db.booking.bookings.list({ where: { day, reminded__null: true } })
  for (const { id } of data) await db.booking.bookings.update(id, { reminded: true })
  return { day, reminded: data.length }
}
