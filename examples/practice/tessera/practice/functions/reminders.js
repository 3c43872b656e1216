/** Sends a reminder for each booking of the day after `day` (by default today). */
export default async ({ day }, { db, mail }) => {
  const from = new Date(day ?? Date.now())
  from.setUTCHours(24, 0, 0, 0)
  const until = new Date(from.getTime() + 24 * 3600 * 1000)
  let sent = 0
  for await (const { email, name, slot } of db.practice.bookings.each({
    where: { 'slot.starts_at__gte': from.toISOString(), 'slot.starts_at__lt': until.toISOString() },
    populate: ['slot'],
  })) {
    await mail.send({
      to: email,
      subject: 'Your appointment tomorrow',
      text: `Hello ${name},\n\nwe expect you tomorrow at ${slot.starts_at.slice(11, 16)} (UTC): ${slot.therapist}.`,
    })
    sent++
  }
  return { sent }
}
