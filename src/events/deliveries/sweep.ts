/** Queues the deliveries that nobody is at although they are due: what a crash between commit and queue, or in a run, has left. E5. */
import { openDatabase } from '../../db/client.ts'
import { type Deliver, queueDeliveries } from '../../db/deliveries.ts'
import { configOf, type Env } from '../../env.ts'
import { takeDue } from './store.ts'

const atOnce = 1000
const roundsMax = 10
const deadlineMs = 60_000

export async function queueForgotten(env: Env): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let round = 0; round < roundsMax; round++) {
    const { due } = await database.batch({ due: takeDue(atOnce) }, deadlineMs)
    await queueDeliveries(
      env,
      due.all.map(({ site_id, delivery_id }): Deliver => ({ kind: 'deliver', siteId: site_id, deliveryId: delivery_id })),
    )
    if (due.all.length < atOnce) return
  }
}
