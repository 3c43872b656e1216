/** `tessera sites export`, `copy`, `suspend` and `delete`, as processes against a running service. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../dev/build-cli.ts'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { exportSite, makeKeys, makeSite } from './archive-scenario.ts'
import { type Person, person } from './program.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const root = temporaryFolder('archive')
let ada: Person
let client: Client
let scenario: Parameters<typeof makeSite>[0]

beforeAll(async () => {
  const [program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
  // As in an installation: the packages that the command line needs are beside it.
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'), 'junction')
  client = await signIn(stack.address, admin.username, admin.password)
  ada = person(root, program, stack.address)
  await ada.runWith({ input: `${admin.password}\n` }, 'login', '--user', admin.username, '--stdin')
  scenario = { ada, client, site: 'archived', rows: 300 }
  await makeSite(scenario)
  makeKeys(ada, 'recovery')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const read = (path: string) => client.request<never>('GET', `/sites/archived-copy/api/${path}`)

describe('a copy of a site', () => {
  it('has the same digests in an archive, and no function has run for its records', async () => {
    const before = await exportSite(scenario, 'before.zip')
    expect(Object.keys(before)).toContain('data/shop/data/products.jsonl')
    expect(before.settings).toContain('"logo":"data:image/png;base64,iVBOR')
    const copy = ['sites', 'copy', 'archived-copy', '--site', 'archived', '--activate']
    expect(await ada.json(...copy, '--rows', '--secrets')).toMatchObject({
      site: 'archived-copy',
      progress: { records: 404, edges: 99, secrets: 3 },
      notes: [],
    })
    expect(await read('invocations/')).toMatchObject({ count: 0 })
    expect(await exportSite({ ...scenario, site: 'archived-copy' }, 'after.zip')).toEqual(before)
    expect(await read('secrets/PRINTER/')).toMatchObject({ value: { port: 631 }, tags: ['hall'] })
    expect(await read('secrets/PAY/?app=shop')).toMatchObject({ value: { api_key: 'of shop' } })
    expect(await read('secrets/PAY/')).toMatchObject({ value: { api_key: 'of site' }, app: null })
    const taken = await ada.run(...copy)
    expect([taken.code, taken.err]).toEqual([
      5,
      expect.stringContaining('A site with the slug "archived-copy" already exists.'),
    ])
  })
})

describe('an archive that the service makes', () => {
  it('can be imported by the command line, and the other way round', async () => {
    const save = ['sites', 'export', 'served.zip', '--site', 'archived', '--by-service']
    expect(await ada.json(...save, '--secrets-for', 'recovery.pub')).toMatchObject({
      progress: { records: 404, edges: 99, secrets: 3 },
    })
    const own = ['sites', 'import', 'served.zip', '--organization', 'archives', '--slug', 'archived-own']
    expect(await ada.json(...own, '--activate', '--secrets-key', 'recovery.key')).toMatchObject({
      apps: 2,
      secrets: 3,
    })
    const before = await exportSite(scenario, 'again.zip')
    const { 'apps/shop/functions/hook.json': _, ...others } = before
    expect(await exportSite({ ...scenario, site: 'archived-own' }, 'own.zip')).toMatchObject(others)
    const served = [
      'sites',
      'import',
      'again.zip',
      '--organization',
      'archives',
      '--slug',
      'archived-served',
      '--activate',
    ]
    expect(await ada.json(...served, '--secrets-key', 'recovery.key', '--by-service')).toMatchObject({
      progress: { records: 404, edges: 99, secrets: 3 },
      notes: ['The function shop/hook has a new signing secret, and lacks the headers X-Key.'],
    })
    expect(await exportSite({ ...scenario, site: 'archived-served' }, 'served-again.zip')).toMatchObject(
      others,
    )
  })
})

describe('the state of a site', () => {
  it('is changed by suspend, resume, delete and restore', async () => {
    expect((await ada.run('sites', 'suspend', 'archived-copy')).out).toBe(
      'The site archived-copy is suspended.\n',
    )
    expect(await ada.json('sites', 'resume', 'archived-copy')).toMatchObject({ state: 'active' })
    expect((await ada.run('sites', 'delete', 'archived-copy', '--yes')).out).toMatch(
      /^The site archived-copy is deleted\. It can be restored until \d{4}-/,
    )
    expect(await ada.json('sites', 'restore', 'archived-copy')).toMatchObject({ state: 'active' })
  })

  it('has its slug changed by rename, unless another site has the slug', async () => {
    expect((await ada.run('sites', 'rename', 'archived-copy', 'archived')).code).toBe(5)
    expect((await ada.run('sites', 'rename', 'archived-copy', 'archived-renamed')).out).toBe(
      'The site archived-copy is archived-renamed now.\n',
    )
    expect(await ada.json('sites', 'rename', 'archived-renamed', 'archived-copy')).toMatchObject({
      slug: 'archived-copy',
    })
  })
})

describe('an organization', () => {
  it('can be deleted and restored, but not while it has sites, and not without --yes', async () => {
    await ada.run('sites', 'create', 'Brief', '--organization', 'brief', '--create-organization', 'Brief')
    expect((await ada.run('organizations', 'delete', 'brief')).code).toBe(2)
    expect((await ada.run('organizations', 'delete', 'brief', '--yes')).code).toBe(5)
    await ada.run('sites', 'delete', 'brief', '--yes')
    expect((await ada.run('organizations', 'delete', 'brief', '--yes')).out).toMatch(
      /^The organization brief is deleted\. It can be restored until \d{4}-/,
    )
    expect((await ada.run('organizations', 'restore', 'brief')).out).toBe(
      'The organization brief is active.\n',
    )
    expect(await ada.json('sites', 'restore', 'brief')).toMatchObject({ state: 'active' })
  })
})
