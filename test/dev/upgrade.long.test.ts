/**
 * Runs every operation of the previous release on the schema of this version, and then this version on the
 * result.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../dev/client.ts'
import { migrate } from '../../dev/migrations.ts'
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { startUpgrade, type Upgrade } from '../support/upgrade.ts'

let upgrade: Upgrade

beforeAll(async () => {
  upgrade = await startUpgrade()
  await upgrade.client.makeDemo(upgrade.before.url.origin)
})

afterAll(() => upgrade?.stop())

describe('the previous release on a database of this version', () => {
  it('can run each of its operations', async () => {
    await migrate(upgrade.urls.owner, { roles: upgrade.urls })
    const performed = await upgrade.client.performAll(upgrade.before.url.origin)
    expect(performed.length).toBeGreaterThan(150)
  })

  it('leaves a database on which this version is ready, with the written data', async () => {
    const now = await upgrade.startNow()
    expect(await (await fetch(`${now.url.origin}/readyz`)).json()).toMatchObject({ status: 'ok' })
    const client = await signIn(now.url.origin, 'admin@example.com', demoPassword)
    const { total } = await client.request<{ total: number }>(
      'GET',
      '/api/apps/library/datatables/tools/data/',
    )
    expect(total).toBeGreaterThan(100)
  })
})
