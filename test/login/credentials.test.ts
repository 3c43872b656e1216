/** The credentials of social apps when their site gets a new data key. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { configOf } from '../../src/kernel/env.ts'
import { newDataKey } from '../../src/secrets/encryption/data-keys.ts'
import worker from '../../src/worker.ts'
import { startApp } from '../support/app.ts'
import { createSocialSite, verified } from '../support/social-login.ts'

it('the credentials of social apps are encrypted again in the background while sign-ins continue', async () => {
  const app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  const site = await createSocialSite(app, 'rotated', ['one', 'two'])
  const siteId = Number(site.schema.slice('site_'.length))
  await app.request('PATCH', `${site.api}/auth/social-apps/1/`, {
    token: site.owner.token,
    body: { key: 'k-1' },
  })
  const stored = () =>
    app.sql<{ secret: string; key: string }>(
      `select split_part(secret, '.', 1) as secret, split_part(key, '.', 1) as key
         from tenant._social_apps order by id`,
    )
  expect(await stored()).toEqual([
    { secret: '1', key: '1' },
    { secret: '1', key: '' },
  ])

  const proofs = await app.sql<{ kid: string; proof: string }>('select kid, proof from master_keys')
  const key = await newDataKey(
    configOf(app.env),
    siteId,
    2,
    Object.fromEntries(proofs.map(({ kid, proof }) => [kid, proof])),
  )
  const { version, wrapped, masterKid, proof } = key
  const add = sql`select public.add_data_key(${siteId}, ${version}, ${wrapped}, ${masterKid}, ${proof})`
  await openDatabase(configOf(app.env)).batch({ add }, 5000)
  const batch = createMessageBatch('tessera-jobs', [
    { id: '1', timestamp: new Date(), attempts: 1, body: { kind: 'reencrypt-site', siteId } },
  ])
  const signIns = Promise.all(
    Array.from({ length: 10 }, (_, n) => site.signIn(n % 2 ? 'one' : 'two', verified(`rotating-${n}`))),
  )
  await worker.queue(batch, app.env)
  expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toEqual(['1'])
  expect((await signIns).map(({ status }) => status)).toEqual(Array(10).fill(200))

  expect(await stored()).toEqual([
    { secret: '2', key: '2' },
    { secret: '2', key: '' },
  ])
  expect(await app.sql('select version from data_keys where site_id = $1', [siteId])).toEqual([
    { version: 2 },
  ])
  expect(
    (await app.request('GET', `${site.api}/auth/social-apps/1/`, { token: site.owner.token })).body.key,
  ).toBe('k-1')
  expect((await site.signIn('one', verified('after'))).status).toBe(200)
})
