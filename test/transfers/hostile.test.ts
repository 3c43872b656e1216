/** Transfers with a hostile archive or caller, and archives that are only unusual. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { inflated } from '../../src/operation/transfers/archive/inflate.ts'
import { LinesDigest } from '../../src/operation/transfers/archive/lines-digest.ts'
import { functionSecretKey } from '../../src/operation/transfers/archive/manifest.ts'
import { box, readKey } from '../../src/operation/transfers/archive/secret-box.ts'
import {
  directoryOf,
  localHeader,
  readDirectory,
  type ZipEntry,
} from '../../src/operation/transfers/archive/zip.ts'
import type { TestApp } from '../support/app.ts'
import { createSite, type Site } from '../support/app.ts'
import { timeLimit } from '../support/time-limit.ts'
import { newKeyPair } from './archives.ts'
import { startTransfers, type TransferService } from './service.ts'

let service: TransferService
let app: TestApp
let site: Site

beforeAll(async () => {
  service = await startTransfers()
  ;({ app } = service)
  site = await createSite(app, 'stocked')
  service.jobs.waiting.length = 0
})

const ask = (method: string, path: string, body?: object, token = site.owner.token) =>
  app.request(method, `/api/cloud/${path}/`, { token, ...(body ? { body } : {}) })
const state = async (id: string) => (await ask('GET', `transfers/${id}`)).body
const begun = async (slug: string, private_key?: string): Promise<string> =>
  (await ask('POST', 'organizations/stocked-org/imports', { slug, private_key })).body.id

/** Creates a zip file. */
function zipOf(files: Record<string, string>): Uint8Array {
  const entries: ZipEntry[] = []
  const chunks: Uint8Array[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const entry = {
      path,
      size: Buffer.byteLength(text),
      crc: crc32(text),
      packed: packed.length,
      method: 8,
      offset,
    }
    entries.push(entry)
    const header = localHeader(entry)
    chunks.push(header, packed)
    offset += header.length + packed.length
  }
  return new Uint8Array(Buffer.concat([...chunks, directoryOf(entries, offset)]))
}

/** Creates an archive of a site with the app `shop` and correct digests. */
function archiveOf(files: Record<string, string>, apps = ['shop']): Uint8Array {
  const all: Record<string, string> = {
    'secret-types.json': '{}\n',
    'tags.json': '[]\n',
    'apps/shop/app.json':
      '{"name":"Shop","datasources":{"main":{"name":"Main","provider_type":"flat_table"}}}\n',
    'apps/shop/subscriptions.json': '{}\n',
    ...files,
  }
  const digests = Object.entries(all).map(([path, text]) => {
    const digest = new LinesDigest()
    digest.add(text)
    return [path, digest.end()]
  })
  const manifest = { format: 'tessera-site', version: 1, site: {}, apps, files: Object.fromEntries(digests) }
  return zipOf({ ...all, 'site.json': JSON.stringify(manifest) })
}

/** Sends an archive in parts of `size` bytes, and imports it. */
async function imported(slug: string, bytes: Uint8Array, size = 4_000_000, key?: string) {
  const id = await begun(slug, key)
  for (let part = 0; part * size < bytes.length; part++) {
    const content = Buffer.from(bytes.subarray(part * size, (part + 1) * size)).toString('base64')
    await ask('PUT', `transfers/${id}/parts/${part}`, { content })
  }
  await ask('POST', `transfers/${id}/start`)
  await service.drain()
  return state(id)
}

const table = (schema: object) => `${JSON.stringify({ datasource: 'main', materialized: true, schema })}\n`
const numbers = table({ fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' })

describe('an imported archive', () => {
  it('with an endless line is refused before it is read completely', async () => {
    const text = `{}\n${'x'.repeat(9_000_000)}`
    const ended = await imported('endless', archiveOf({ 'data/shop/data/a.jsonl': text }))
    expect([ended.state, ended.error]).toEqual([
      'failed',
      'data/shop/data/a.jsonl has a line that is too long.',
    ])
  })

  it('with a list of files that is too large to be read at once is refused before it is read', async () => {
    const end = new DataView(new ArrayBuffer(22))
    const size = 17 * 1024 * 1024
    end.setUint32(0, 0x06054b50, true)
    end.setUint16(10, 1, true)
    end.setUint32(12, size, true)
    const bytes = Buffer.concat([Buffer.alloc(size), Buffer.from(end.buffer)])
    const lengths: number[] = []
    const read = async (offset: number, length: number) => {
      lengths.push(length)
      return new Uint8Array(bytes.subarray(offset, offset + length))
    }
    await expect(readDirectory(read, bytes.length)).rejects.toThrow('not a zip file')
    expect(lengths).toEqual([65_557])
  })

  it('is unpacked no faster than it is read, even if a few bytes expand to many', async () => {
    let taken = 0
    // Each piece expands to a thousand times its size.
    const piece = new Uint8Array(
      deflateRawSync(new Uint8Array(2 ** 26), { finishFlush: constants.Z_SYNC_FLUSH }),
    )
    const packed = async function* () {
      for (; taken < 8; taken++) yield piece
    }
    const unpacked = inflated(packed())
    const first = await unpacked.next()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(first.value?.length).toBeGreaterThan(0)
    expect(taken).toBeLessThan(4)
    await unpacked.return(undefined)
  })

  it('is refused if it is damaged', async () => {
    const bytes = archiveOf({})
    bytes.set([0xff, 0xff, 0xff], Buffer.from(bytes).indexOf('site.json') + 'site.json'.length)
    const ended = await imported('damaged', bytes)
    expect([ended.state, ended.error]).toEqual([
      'failed',
      expect.stringMatching(/^site\.json (?:in the archive cannot be read|is not as it was written)\.$/),
    ])
  })

  it('with more apps than files is refused before a search for each of them', async () => {
    const apps = ['shop', ...Array.from({ length: 1_000_000 }, (_, number) => number.toString(36))]
    const ended = await imported('crowded', archiveOf({}, apps))
    expect([ended.state, ended.error]).toEqual(['failed', 'The archive lacks apps/0/app.json.'])
  })

  it('with a table whose description is invalid in the API creates no site', async () => {
    const described = `${JSON.stringify({ ...JSON.parse(numbers), description: 'x'.repeat(2_001) })}\n`
    const ended = await imported('described', archiveOf({ 'apps/shop/tables/a.json': described }))
    expect([ended.state, ended.error]).toEqual([
      'failed',
      'The archive has a part that is not possible: description: Ensure this field has no more than 2000 characters.',
    ])
  })

  it('must not name an app twice, or with an impossible name', async () => {
    for (const apps of [['shop', 'shop'], ['../shop'], ['constructor/x']]) {
      const ended = await imported('apps', archiveOf({}, apps))
      expect([ended.state, ended.error]).toEqual([
        'failed',
        expect.stringMatching(/^site\.json in the archive: apps/),
      ])
    }
  })

  it('with a name twice in one object is refused, in every file', async () => {
    const types = '{"a":{"name":"a","schema":{"n":1,"n":2}}}\n'
    const table = numbers.replace('{', '{"description":"","description":"x",')
    for (const [path, text] of Object.entries({
      'secret-types.json': types,
      'apps/shop/app.json': '{"name":"Shop","name":"Other","datasources":{}}\n',
      'apps/shop/functions/f.json': '{"name":"f","execution_mode":"app","execution_mode":"system"}\n',
      'apps/shop/tables/a.json': table,
    })) {
      const ended = await imported('twice', archiveOf({ [path]: text }))
      expect([path, ended.state, ended.error]).toEqual([
        path,
        'failed',
        `${path} in the archive is not JSON, or has a name twice in one object.`,
      ])
    }
  })

  it('with an unknown event is refused, also if it has the name of a built-in property', async () => {
    for (const event of ['NOTHING', 'constructor', '__proto__']) {
      const ended = await imported(
        'events',
        archiveOf({
          'apps/shop/functions/f.json': '{"name":"f","execution_mode":"system","system_function":"noop"}\n',
          'apps/shop/subscriptions.json': `{"${event}":["f"]}\n`,
        }),
      )
      expect([event, ended.state, ended.error]).not.toEqual([
        event,
        'failed',
        expect.stringContaining('log of the'),
      ])
    }
  })

  it('with another host in the URL of a function is imported without the headers of the function', async () => {
    const { publicKey, privateKey } = newKeyPair()
    const key = await readKey('public', publicKey)
    if (!key) throw new Error('no key')
    const lineOf = async (slug: string, origin: string) => {
      const head = { key: functionSecretKey(slug), app: 'shop', secret_type: '', tags: [] }
      const secrets = { signing_secret: 'whsec_AAAA', headers: { 'x-key': 'CANARY' }, origin }
      return `${JSON.stringify(await box(key, head, JSON.stringify(secrets)))}\n`
    }
    const fileOf = (name: string, webhook_url: string) =>
      JSON.stringify({ name, execution_mode: 'proxy', webhook_url, headers: { 'x-key': '***HIDDEN***' } })
    const ended = await imported(
      'readdressed',
      archiveOf({
        'apps/shop/functions/kept.json': fileOf('kept', 'https://hooks.example.com/other'),
        'apps/shop/functions/moved.json': fileOf('moved', 'https://attacker.example/'),
        'function-secrets.jsonl':
          (await lineOf('kept', 'https://hooks.example.com')) +
          (await lineOf('moved', 'https://hooks.example.com')),
      }),
      4_000_000,
      privateKey,
    )
    expect([ended.state, ended.notes]).toEqual([
      'done',
      ['The function shop/moved calls another host than before, and lacks its headers.'],
    ])
    const headersOf = async (slug: string) =>
      (
        await app.request('GET', `/sites/readdressed/api/apps/shop/functions/${slug}/`, {
          token: site.owner.token,
        })
      ).body.headers
    expect([await headersOf('kept'), await headersOf('moved')]).toEqual([{ 'x-key': '***HIDDEN***' }, {}])
  })

  it('with many small records is imported', async () => {
    const lines = Array.from({ length: 30_000 }, (_, id) => `{"id":${id + 1}}\n`).join('')
    const files = { 'apps/shop/tables/a.json': numbers, 'data/shop/data/a.jsonl': lines }
    const ended = await imported('narrow', archiveOf(files))
    expect([ended.state, ended.error, ended.progress.records]).toEqual(['done', null, 30_000])
  })

  it('in many small parts is read in few steps', async () => {
    const files = { 'apps/shop/tables/a.json': numbers, 'data/shop/data/a.jsonl': '{"id":1}\n' }
    const bytes = archiveOf(files)
    const id = await begun('crumbs')
    await app.sql(
      `insert into transfer_parts (transfer_id, path, number, content, size, crc, digest)
       select $1, '', n, substr(decode($2, 'base64'), n + 1, 1), 1, 0, '' from generate_series(0, $3::int - 1) n`,
      [id, Buffer.from(bytes).toString('base64'), bytes.length],
    )
    await ask('POST', `transfers/${id}/start`)
    const from = Date.now()
    await service.drain()
    expect(await state(id)).toMatchObject({ state: 'done', progress: { records: 1 } })
    expect(Date.now() - from).toBeLessThan(await timeLimit(30_000))
  })

  it('with invalid values leaves none of them in the log', async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
    const people = table({
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'kind', type: 'string', constraints: { enum: ['a'] } },
        { name: 'mail', type: 'string', constraints: { unique: true } },
      ],
      primaryKey: 'id',
    })
    const ended = await imported(
      'spoken',
      archiveOf({
        'apps/shop/tables/a.json': people,
        'data/shop/data/a.jsonl': '{"id":"ada@x.example","kind":"a"}\n',
      }),
    )
    spy.mockRestore()
    expect([ended.state, ended.error]).toEqual(['failed', expect.stringContaining('id')])
    expect(lines.join('\n')).not.toContain('ada@x')
  })
})

describe('the parts of an import', () => {
  it('can be sent only by the caller who began it, in whose name the site is created', async () => {
    const root = await app.user('root', { superuser: true })
    const path = 'organizations/stocked-org/imports'
    const { id } = (await ask('POST', path, { slug: 'lent' }, root.token)).body
    const content = Buffer.from(
      archiveOf({ 'secret-types.json': '{"own":{"name":"own","type":"system"}}\n' }),
    ).toString('base64')
    const send = (token: string) => ask('PUT', `transfers/${id}/parts/0`, { content }, token)
    const start = (token: string) => ask('POST', `transfers/${id}/start`, undefined, token)
    expect([(await send(site.owner.token)).status, (await send(root.token)).status]).toEqual([403, 200])
    expect([(await start(site.owner.token)).status, (await start(root.token)).status]).toEqual([403, 202])
    await service.drain()
    expect((await state(id)).state).toBe('done')
    // A system type belongs to the service. An archive cannot create one.
    const { body } = await app.request('GET', '/sites/lent/api/secret-types/own/', { token: root.token })
    expect(body.type).toBe('custom')
  })
})

describe('concurrent parts of an import', () => {
  it('do not exceed the limit together', async () => {
    const small = app.with({ TRANSFER_BYTES_MAX: '3000' })
    const id = await begun('at-once')
    const content = Buffer.alloc(900).toString('base64')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, part) =>
        small.request('PUT', `/api/cloud/transfers/${id}/parts/${part}/`, {
          token: site.owner.token,
          body: { content },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(3).fill(200),
      ...Array(9).fill(422),
    ])
    await ask('DELETE', `transfers/${id}`)
    await service.drain()
  })
})

describe('a transfer of an organization that requires a second factor', () => {
  it('returns 403 to an owner without one', async () => {
    const { id } = (await ask('POST', 'sites/stocked/exports', {})).body
    await service.drain()
    const waiting = await begun('second')
    await app.sql(`update organizations set requires_factor = true where slug = 'stocked-org'`)
    const content = Buffer.alloc(9).toString('base64')
    const statuses = [
      await ask('GET', `transfers/${id}`),
      await ask('GET', `transfers/${id}/archive`),
      await ask('PUT', `transfers/${waiting}/parts/0`, { content }),
      await ask('POST', `transfers/${waiting}/start`),
      await ask('DELETE', `transfers/${waiting}`),
    ].map(({ status }) => status)
    await app.sql(`update organizations set requires_factor = false where slug = 'stocked-org'`)
    expect(statuses).toEqual([403, 403, 403, 403, 403])
    await ask('DELETE', `transfers/${waiting}`)
    await service.drain()
  })
})

describe('a file in an archive that takes long to read', () => {
  it('is locked by its Worker, and continued where an interrupted one has stopped', async () => {
    const lines = Array.from({ length: 6_000 }, (_, id) => `{"id":${id + 1}}\n`).join('')
    // Each part finds a lease that is about to expire, and the third one fails once.
    await app.sql('create sequence public.thirds')
    await app.sql(`create function public.lapse() returns trigger language plpgsql security definer as $$
      begin
        if new.path like '%.jsonl' then
          if new.number = 2 and nextval('public.thirds') = 1 then raise exception 'the Worker dies here'; end if;
          if new.number = 1 and exists (select from transfers t
               where t.id = new.transfer_id and t.leased_until < now() + interval '1 minute')
          then raise exception 'the lease was not kept'; end if;
          update transfers t set leased_until = now() + interval '5 seconds' where t.id = new.transfer_id;
        end if;
        return new;
      end $$`)
    await app.sql(
      'create trigger lapse before insert on transfer_parts for each row execute function public.lapse()',
    )
    const ended = await imported(
      'lasting',
      archiveOf({ 'apps/shop/tables/a.json': numbers, 'data/shop/data/a.jsonl': lines }),
    )
    await app.sql('drop trigger lapse on transfer_parts')
    expect([ended.state, ended.error, ended.progress.records]).toEqual(['done', null, 6_000])
  })
})

describe('the stored archives of a site', () => {
  it('are at most five: the oldest is deleted', async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      ids.push((await ask('POST', 'sites/stocked/exports', { rows: false })).body.id)
      await service.drain()
    }
    const statuses = await Promise.all(ids.map(async (id) => (await ask('GET', `transfers/${id}`)).status))
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200])
  })
})

describe('an export of a site that is deleted meanwhile', () => {
  it('reads no more of the site', async () => {
    const { id } = (await ask('POST', 'sites/stocked/exports', {})).body
    await ask('DELETE', 'sites/stocked')
    await service.drain()
    expect(await state(id)).toMatchObject({ state: 'failed' })
    await ask('POST', 'sites/stocked/restore')
  })
})
