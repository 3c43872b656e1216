/**
 * Exports, erases and imports a site with 100,000 records: by the command line, whose import is interrupted
 * and resumed, and by the service.
 */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildCli } from '../../dev/build-cli.ts'
import { signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import type { Transfer } from '../../src/operation/transfers/schema.ts'
import { scaled } from '../support/scaled.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { until } from '../support/until.ts'
import { eraseSite, exportSite, importOf, makeKeys, makeSite } from './archive-scenario.ts'
import { person } from './program.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const root = temporaryFolder('archive-long')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const took: string[] = []

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  const result = await work()
  took.push(`${what} ${((performance.now() - from) / 1000).toFixed(1)}`)
  return result
}

it(
  'a site with 100,000 records has the same file digests after it was erased and imported',
  async () => {
    const [program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'), 'junction')
    const client = await signIn(stack.address, admin.username, admin.password)
    const ada = person(root, program, stack.address)
    await ada.runWith({ input: `${admin.password}\n` }, 'login', '--user', admin.username, '--stdin')
    const scenario = { ada, client, site: 'archived-large', rows: 100_000 }
    await makeSite(scenario)
    makeKeys(ada, 'recovery')
    makeKeys(ada, 'other')
    const before = await timed('export', () => exportSite(scenario, 'large.zip'))
    const served = await timed('export by the service', () =>
      exportSite(scenario, 'served.zip', '--by-service'),
    )
    // The service writes the same records with other white space, and so with other digests.
    for (const files of [before, served]) expect(files['data/shop/data/products.jsonl']).toMatch(/^100000:/)
    await timed('erase', () => eraseSite(scenario))
    expect((await ada.run(...importOf(scenario, 'large.zip', 'other.key'))).err).toContain('does not decrypt')
    const interrupted = ada.start(...importOf(scenario, 'large.zip', 'recovery.key'), '--resume')
    const products = `/sites/${scenario.site}/api/apps/shop/datatables/products/data/?page_size=1`
    const loaded = async () => (await client.find<{ total: number }>(products))?.total ?? 0
    await until(async () => (await loaded()) > 10_000, interrupted.err)
    await interrupted.stop()
    expect(await loaded()).toBeLessThan(100_000)
    await timed('the rest of the import', () =>
      ada.json(...importOf(scenario, 'large.zip', 'recovery.key'), '--resume'),
    )
    const after = await exportSite(scenario, 'again.zip')
    const { 'apps/shop/functions/hook.json': _before, ...others } = before
    const { 'apps/shop/functions/hook.json': _after, ...othersAfter } = after
    expect(othersAfter).toEqual(others)

    await eraseSite(scenario)
    const done = await timed('import by the service', () =>
      ada.json<Transfer>(...importOf(scenario, 'served.zip', 'recovery.key'), '--by-service'),
    )
    expect(done).toMatchObject({ progress: { records: 100_104, edges: 99, secrets: 3 }, notes: [] })
    // This export includes the properties that `proxy` functions sign and send.
    expect(await exportSite(scenario, 'served-again.zip')).toEqual(before)
    console.info(`Seconds: ${took.join(', ')}.`)
  },
  scaled(1_200_000),
)
