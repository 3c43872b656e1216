/** The command line with several sites of one service, and with several credentials. docs/guide/cli.md. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../dev/build-cli.ts'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { type Person, person } from './program.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const root = temporaryFolder('cli-sites')
const organization = 'many-customers'
const sites = ['wood', 'kiln', 'kiln-2', 'glass', 'closed'].map((name) => `customer-${name}`)
const [wood, kiln, other, glass, closed] = sites as [string, string, string, string, string]
let stack: { address: string }
let program: string
let client: Client
let ada: Person

const somebody = () => person(root, program, stack.address)
const logIn = (one: Person, { username, password }: typeof admin, ...args: string[]) =>
  one.runWith({ input: `${password}\n` }, 'login', '--user', username, '--stdin', ...args)
const at = (site: string, ...args: string[]) => ada.run('--site', site, ...args)

beforeAll(async () => {
  ;[program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
  client = await signIn(stack.address, admin.username, admin.password)
  ada = somebody()
  await logIn(ada, admin)
  const made = ['--organization', organization, '--create-organization', 'Many customers']
  for (const site of sites) await ada.json('sites', 'create', site, ...made)
  await ada.json('sites', 'suspend', closed)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a site without a sign-in of its own', () => {
  it('uses the latest sign-in of an account at the same service', async () => {
    const kim = { username: 'kim-of-kiln', password: 'Kim-of-the-kiln-1' }
    const { id } = await client.request<{ id: number }>('POST', '/api/users/', {
      ...kim,
      email: 'kim-of-kiln@example.org',
    })
    for (const site of [kiln, other])
      await client.request('PUT', `/api/cloud/sites/${site}/permissions/${id}/`, {
        permissions: ['access_site'],
      })
    const one = somebody()
    const userAt = async (site: string) => (await one.json<{ user: string }>('status', '--site', site)).user
    expect((await logIn(one, admin, '--site', wood)).code).toBe(0)
    expect((await logIn(one, kim, '--site', kiln)).err).toBe('')
    expect([await userAt(wood), await userAt(kiln), await userAt(other)]).toEqual([
      'admin',
      'kim-of-kiln',
      'kim-of-kiln',
    ])
    await logIn(one, admin, '--site', wood)
    expect(await userAt(other)).toBe('admin')
  })
})

describe('a site that does not answer', () => {
  const commands = [
    ['status'],
    ['types', 'shop'],
    ['schema', 'pull', 'shop'],
    ['schema', 'diff', 'shop'],
    ['schema', 'push', 'shop', '--yes', '--force'],
    ['data', 'load', 'rows.csv', '--app', 'shop', '--dry-run'],
    ['data', 'export', 'shop'],
    ['secrets', 'list'],
    ['secrets', 'set', 'KEY', '--field', 'a'],
    ['functions', 'deploy', 'shop', 'sum'],
    ['functions', 'run', 'shop', 'sum'],
    ['functions', 'logs', 'shop'],
    ['events', 'listen'],
    ['users', 'invite', 'x@example.org', '--organization', organization, '--permission', 'access_site'],
  ]

  beforeAll(() => {
    ada.write('tessera/shop/app.json', { name: 'Shop' })
    ada.write('tessera/shop/functions/sum.json', {})
    ada.write('tessera/shop/functions/sum.js', 'export default () => 1')
    ada.write('rows.csv', 'a\n1\n')
  })

  it.each([
    ['customer-nowhere', 'There is no site "customer-nowhere".'],
    [closed, `The site "${closed}" is suspended.`],
  ])('makes every command exit with 4 and say why: %s', async (site, hint) => {
    const env = { TESSERA_SECRET: 'x' }
    const all = commands.map((args) => ada.runWith({ env }, '--site', site, ...args))
    const ended = (await Promise.all(all)).map(({ code, out, err }, index) => [
      commands[index]?.slice(0, 2).join(' '),
      code,
      // The loader shows the fields of the file first.
      commands[index]?.[1] === 'load' ? '' : out,
      err.includes(hint),
    ])
    expect(ended).toEqual(commands.map((args) => [args.slice(0, 2).join(' '), 4, '', true]))
  })

  it('differs from an address without a site, whose status shows the account alone', async () => {
    let hint = 'The site "shop" is suspended.'
    const service = createServer((request, response) => {
      const isApps = request.url?.startsWith('/api/apps/')
      const account = { username: 'ada', email: 'ada@example.org', access: 'a.b.c', refresh: 'r' }
      response.writeHead(isApps ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isApps ? { detail: 'Not found.', hint, code: 'not_found' } : account))
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    const env = {
      TESSERA_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      TESSERA_USER: 'ada',
      TESSERA_PASSWORD: 'x',
    }
    expect(await ada.runWith({ env }, 'status')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining(hint),
    })
    hint = '"127.0.0.1" is not the host of a site. Put /sites/{site} before /api in the path.'
    const { code, out } = await ada.runWith({ env }, 'status')
    service.close()
    expect([code, out]).toEqual([
      0,
      `Service  ${env.TESSERA_URL}\nSite     that of the address\nUser     ada <ada@example.org>\n` +
        `Apps     none. ${hint}\n`,
    ])
  })
})

it('a slug that another site has is a conflict: sites create exits with 5', async () => {
  const create = ['sites', 'create', 'Again', '--organization', organization, '--slug']
  expect((await ada.run(...create, 'Not a slug')).code).toBe(1)
  expect(await ada.run(...create, wood)).toMatchObject({
    code: 5,
    err: expect.stringContaining(`A site with the slug "${wood}" already exists.`),
  })
})

describe('status with an API key', () => {
  const made = async (body: object) =>
    (await client.request<{ key: string }>('POST', `/sites/${glass}/api/api-keys/`, body)).key
  const status = (TESSERA_API_KEY: string, site = glass) =>
    ada.runWith({ env: { TESSERA_API_KEY } }, 'status', '--json', '--site', site)

  it('exits with 3 for an invalid key and for a key of another site', async () => {
    const key = await made({ name: 'Till', expires_at: '2099-01-01T00:00:00Z' })
    for (const result of [await status('tsk_none'), await status(key, wood)])
      expect([result.code, result.err.includes('The credentials are invalid or have expired.')]).toEqual([
        3,
        true,
      ])
  })

  it('works with every kind of key: with scopes it shows their apps, and without none', async () => {
    await client.request('POST', `/sites/${glass}/api/apps/`, { name: 'Lenses' })
    const scopes = [{ app: 'lenses', tables: ['*'], can: ['read'] }]
    for (const [key, apps] of [
      [await made({ name: 'Shelf', scopes }), ['lenses']],
      [await made({ name: 'Till', expires_at: '2099-01-01T00:00:00Z' }), null],
    ] as const) {
      const one = somebody()
      const login = await one.runWith({ input: key }, 'login', '--key', '--stdin', '--site', glass)
      expect([login.code, login.err]).toEqual([0, ''])
      expect(await one.json('status', '--site', glass)).toMatchObject({
        credential: 'api-key',
        user: null,
        apps,
      })
    }
  })
})

describe('one folder for several sites', () => {
  const folder = 'tessera/booking'
  const id = { name: 'id', type: 'integer' }
  const file = (table: string) => `${folder}/tables/${table}.json`
  const fieldsOf = (table: string) =>
    JSON.parse(readFileSync(join(ada.folder, file(table)), 'utf8')).schema.fields as object[]
  const write = (table: string, ...fields: object[]) =>
    ada.write(file(table), { schema: { primaryKey: 'id', fields: [id, ...fields] } })
  const text = (name: string, from?: string | string[]) => ({
    name,
    type: 'string',
    ...(from === undefined ? {} : { 'x-rename-from': from }),
  })
  const push = (site: string, ...args: string[]) => at(site, 'schema', 'push', 'booking', '--yes', ...args)
  const records = async (site: string, table: string) => {
    const path = `/sites/${site}/api/apps/booking/datatables/${table}/data/`
    return (await client.request<{ data: Record<string, unknown>[] }>('GET', path)).data
  }
  const add = (site: string, table: string, record: object) =>
    client.request('POST', `/sites/${site}/api/apps/booking/datatables/${table}/data/`, record)

  beforeAll(() => ada.write(`${folder}/app.json`, { name: 'Booking', datasources: { main: {} } }))

  it('creates the app in each site without --force, and does not replace another app', async () => {
    write('bookings', text('note'))
    write('rooms', text('a'), text('b'))
    await client.request('POST', `/sites/${glass}/api/apps/`, { name: 'Booking', description: 'Of glass' })
    const refused = await push(glass)
    expect([refused.code, refused.err]).toEqual([
      5,
      `These files were never pulled from ${stack.address}/sites/${glass} or pushed to it, ` +
        'and it has another app.\n' +
        'Nothing was pushed. Pull into another folder and merge the changes, ' +
        'or overwrite them with --force.\n',
    ])
    for (const site of [wood, kiln]) expect(await push(site)).toMatchObject({ code: 0, err: '' })
    expect((await push(glass, '--force')).code).toBe(0)
    for (const site of [wood, kiln, glass]) {
      await add(site, 'bookings', { note: 'Late' })
      await add(site, 'rooms', { a: 'A', b: 'B' })
    }
  })

  it('refuses a rename from a field that no site had, as the service does', async () => {
    write('bookings', text('remark', 'nota'))
    const { code, err } = await push(wood, '--allow-data-loss')
    expect([code, err]).toEqual([1, expect.stringContaining('there is no field "nota"')])
  })

  it('renames a field in each site once, and keeps x-rename-from for the sites that come later', async () => {
    write('bookings', text('remark', 'note'))
    for (const site of [kiln, wood]) {
      expect(await push(site)).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('Rename field'),
      })
      expect(fieldsOf('bookings')).toEqual([id, text('remark', 'note')])
      expect((await at(site, 'schema', 'diff', 'booking', '--check')).code).toBe(0)
      expect(await records(site, 'bookings')).toMatchObject([{ remark: 'Late' }])
    }
    // A new site has the new name from the beginning, and a pull keeps the rename.
    expect(await push(other)).toMatchObject({ code: 0, err: '' })
    expect((await at(kiln, 'schema', 'pull', 'booking')).code).toBe(0)
    expect(fieldsOf('bookings')).toEqual([id, text('remark', 'note')])
  })

  it('renames a field of a site that missed the rename before, with a list of its names', async () => {
    write('bookings', text('comment', ['remark', 'note']))
    for (const site of [wood, glass]) {
      expect(await push(site)).toMatchObject({ code: 0, err: '' })
      expect(await records(site, 'bookings')).toMatchObject([{ comment: 'Late' }])
    }
    expect(fieldsOf('bookings')).toEqual([id, text('comment', ['remark', 'note'])])
  })

  it('exchanges the names of fields once, and refuses if it cannot know whether it did', async () => {
    write('rooms', text('a', 'b'), text('b', 'a'))
    for (const site of [wood, glass, wood]) {
      expect(await push(site)).toMatchObject({ code: 0, err: '' })
      expect(await records(site, 'rooms')).toMatchObject([{ a: 'B', b: 'A' }])
    }
    const state = join(ada.folder, folder, '.pulled.json')
    const kept = readFileSync(state, 'utf8')
    rmSync(state)
    const refused = await push(wood, '--force', '--allow-data-loss')
    expect([refused.code, refused.err]).toEqual([
      5,
      expect.stringContaining('tables/rooms.json: the site has both "b" and "a"'),
    ])
    writeFileSync(state, kept)
    expect(await records(wood, 'rooms')).toMatchObject([{ a: 'B', b: 'A' }])
  })

  it('asks before it loses values, also in a site that was never pulled', async () => {
    rmSync(join(ada.folder, folder, '.pulled.json'))
    write('rooms', text('a'))
    const { code, err } = await push(kiln, '--force')
    expect([code, err]).toEqual([1, expect.stringContaining('Add --allow-data-loss to allow this.')])
  })

  it('does not give a site the secret types of other apps in another site', async () => {
    await client.request('POST', `/sites/${other}/api/secret-types/`, { name: 'Own-printer' })
    write('rooms', text('a'), text('b'), text('c'))
    expect(await push(other, '--force')).toMatchObject({ code: 0, err: '' })
    expect(await push(other)).toMatchObject({ code: 0, out: 'The files and the service are the same.\n' })
    expect((await at(wood, 'schema', 'diff', 'booking')).out).not.toContain('own-printer')
  })

  it('is not taken for edited after a pull from any of them', async () => {
    expect((await at(wood, 'schema', 'pull', 'booking', '--force')).code).toBe(0)
    expect((await at(other, 'schema', 'pull', 'booking')).code).toBe(0)
    write('rooms', text('z'))
    const { code, err } = await at(wood, 'schema', 'pull', 'booking')
    expect([code, err]).toEqual([5, expect.stringContaining('were edited and not pushed')])
  })
})
