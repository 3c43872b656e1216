/** The built command line, as a process against a running service. docs/guide/cli.md. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Command } from 'commander'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProgram } from '../../cli/src/program.ts'
import { requireNode } from '../../cli/src/require-node.ts'
import { hasFiles, readFiles, writeFiles } from '../../cli/src/schema/files.ts'
import { hashesOf } from '../../cli/src/schema/parts.ts'
import { plainLine, plainText } from '../../cli/src/terminal/plain.ts'
import { buildCli } from '../../dev/build-cli.ts'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { until } from '../support/until.ts'
import { type Person, person } from './program.ts'
import { randomApp } from './random-apps.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const root = temporaryFolder('cli')
let stack: { address: string }
let program: string
let client: Client
/** The user who is signed in. */
let ada: Person

const somebody = () => person(root, program, stack.address)
const logIn = (one: Person) =>
  one.runWith({ input: `${admin.password}\n` }, 'login', '--user', admin.username, '--stdin')

beforeAll(async () => {
  ;[program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
  // As in an installation: the packages that the command line needs are beside it.
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'), 'junction')
  client = await signIn(stack.address, admin.username, admin.password)
  ada = somebody()
  expect(await logIn(ada)).toEqual({
    code: 0,
    out: `Signed in to ${stack.address} as admin.\n`,
    err: '',
  })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('an invalid command line', () => {
  it.each([
    [['logn'], 'Did you mean login?'],
    [['types'], "missing required argument 'app'"],
    [
      ['status', '--url', 'ftp://x'],
      'ftp://x is not the address of a service, such as https://shop.example.com.',
    ],
    [['status', '--url', 'http://x/y'], 'http://x/y has another one.'],
    [['login', '--password', 'x'], "unknown option '--password'"],
    [['login'], 'Add --user: there is no terminal to ask for the user name.'],
    [['data', 'load', 'x.csv', '--append', '--replace'], 'cannot be used with option'],
    [['functions', 'logs', 'library', '--limit', '0'], 'It is 1 to 100.'],
    [['functions', 'run', 'library', 'x', '--params', '[]'], 'The parameters must be a JSON object.'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
  ])('exits with 2 and an error message: %j', async (args, message) => {
    const { code, out, err } = await ada.run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  it.each([
    [[], 'login'],
    [['schema'], 'pull'],
  ])('shows the help without a command: %j', async (args, command) => {
    const { code, out, err } = await ada.run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(new RegExp(`^Usage: tessera .*\\n {2}${command} `, 's'))
    expect(err.endsWith('\nNo command is named.\n')).toBe(true)
    expect(JSON.parse((await ada.run(...args, '--json')).err)).toEqual({
      error: { kind: 'usage', message: 'No command is named.' },
    })
  })

  it('reports the error as JSON with --json', async () => {
    const { code, err } = await ada.run('types', '--json')
    expect([code, JSON.parse(err)]).toEqual([
      2,
      { error: { kind: 'usage', message: "missing required argument 'app'" } },
    ])
  })

  it('every command has help with examples', () => {
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
    const without = leaves(makeProgram('1')).filter((command) => {
      const parts: string[] = []
      command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp()
      return !parts.join('').includes('\nExamples:\n  ') || command.description() === ''
    })
    expect(without.map((command) => command.name())).toEqual([])
  })
})

describe('text from others', () => {
  it('cannot move the cursor, ring, hide, or reverse the printed text', () => {
    expect(plainLine('a\u001b[2Jb\u0007\nc\u202ed\u009b1m')).toBe('ab cd')
    expect(plainText('one\n\ttwo\u001b]0;title\u0007')).toBe('one\n  two')
  })
})

describe('the version of Node', () => {
  it('causes an error with the first supported version if it is too old', () => {
    const ask = (present: string) => () => requireNode([22, 15], 'Functions', present)
    for (const old of ['20.20.2', '22.9.0'])
      expect(ask(old)).toThrow(`Functions need Node 22.15 or newer. This is Node ${old}.`)
    for (const good of ['22.15.0', '24.0.0']) expect(ask(good)).not.toThrow()
  })
})

describe('a service', () => {
  it('causes exit code 7 if it does not answer', async () => {
    const { code, err } = await ada.runWith(
      { env: { TESSERA_URL: 'http://127.0.0.1:1', TESSERA_USER: 'x', TESSERA_PASSWORD: 'y' } },
      'status',
    )
    expect(code).toBe(7)
    expect(err).toContain('The service does not answer.')
  })

  it('causes exit code 3 if nobody is signed in to it', async () => {
    const { code, err } = await somebody().run('status')
    expect([code, err]).toEqual([
      3,
      `Nobody is signed in to ${stack.address}. Sign in with: tessera login --url ${stack.address}\n`,
    ])
  })
})

const credentials = (one: Person) => join(one.home, 'tessera', 'credentials.json')
const expire = (one: Person) => {
  const kept = JSON.parse(readFileSync(credentials(one), 'utf8'))
  kept.entries[0].tokens.expiresAt = 0
  writeFileSync(credentials(one), JSON.stringify(kept))
}

/** Returns the URL of the page that a sign-in by the browser prints. */
async function pageOf({ err }: { err(): string }): Promise<URL> {
  await until(() => /code \S+\.\n/.test(err()), err)
  return new URL(/http\S+\/accounts\/cli\/\S+/.exec(err())?.[0] ?? '')
}

describe('open', () => {
  it('prints the URL of a page, and exits with 2 for an unknown page', async () => {
    expect((await ada.run('open', 'attic')).code).toBe(2)
    const opened = async (...args: string[]) => (await ada.json<{ address: string }>('open', ...args)).address
    expect([await opened(), await opened('reference', '--site', 'demo')]).toEqual([
      `${stack.address}/console/`,
      `${stack.address}/sites/demo/api/docs/`,
    ])
  })
})

describe('login', () => {
  it('shows the error of the service for a wrong password, and stores nothing', async () => {
    const one = somebody()
    expect(await one.runWith({ input: 'wrong' }, 'login', '--user', 'admin@example.com', '--stdin')).toEqual({
      code: 3,
      out: '',
      err: 'POST /api/auth/jwt/token/ answered 401:\n  No active account was found with these credentials.\n',
    })
    expect(existsSync(credentials(one))).toBe(false)
  })

  it('refuses a site that does not exist, and an invalid API key', async () => {
    const site = await ada.runWith(
      { input: admin.password },
      ...['login', '--user', admin.username, '--stdin', '--site', 'nowhere'],
    )
    expect([site.code, site.err]).toEqual([
      4,
      'GET /api/apps/ answered 404:\n  Not found.\n  There is no site "nowhere".\n',
    ])
    expect((await ada.runWith({ env: { TESSERA_API_KEY: 'none' } }, 'login', '--key')).code).toBe(3)
  })

  it('stores the tokens, and not the password, in a file that other users cannot read', async () => {
    expect(statSync(credentials(ada)).mode & 0o777).toBe(0o600)
    expect(statSync(join(ada.home, 'tessera')).mode & 0o777).toBe(0o700)
    expect(readFileSync(credentials(ada), 'utf8')).not.toContain(admin.password)
    expect(await ada.json('status')).toEqual({
      url: stack.address,
      site: null,
      credential: 'account',
      user: 'admin',
      apps: expect.arrayContaining(['library', 'shop']),
    })
  })

  it('renews tokens once for concurrent processes', async () => {
    const one = somebody()
    await logIn(one)
    // A refresh token that is used twice would end the sign-in.
    for (let round = 0; round < 2; round++) {
      expire(one)
      const all = await Promise.all([1, 2, 3, 4].map(() => one.run('status')))
      expect(all.map(({ code, err }) => [code, err])).toEqual(all.map(() => [0, '']))
    }
    expect(readdirSync(join(one.home, 'tessera'))).toEqual(['credentials.json'])
  })

  it('accepts an API key, or a name and password from the environment', async () => {
    const expires_at = '2099-01-01T00:00:00Z'
    const { key } = await client.request<{ key: string }>('POST', '/api/api-keys/', {
      name: 'CLI',
      expires_at,
    })
    const one = somebody()
    const { code, out } = await one.runWith({ input: key }, 'login', '--key', '--stdin')
    expect([code, out]).toEqual([0, `Signed in to ${stack.address} as an API key.\n`])
    expect(await one.json('status')).toMatchObject({ credential: 'api-key', user: null, apps: null })
    const env = { TESSERA_USER: admin.username, TESSERA_PASSWORD: admin.password }
    expect(await somebody().runWith({ env }, 'status')).toMatchObject({ code: 0, err: '' })
  })

  it('by the browser ignores requests from others, and can be refused in the browser', async () => {
    const one = somebody()
    expect(await one.run('login', '--browser', '--key')).toMatchObject({
      code: 2,
      err: 'Use only one of --user, --key and --browser.\n',
    })
    const signingIn = one.start('login', '--browser', '--no-open')
    const { port, state } = Object.fromEntries((await pageOf(signingIn)).searchParams)
    const knock = (path: string, { method = 'GET', host = `127.0.0.1:${port}` } = {}) =>
      new Promise<number | undefined>((done, fail) =>
        request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
          answer.resume()
          done(answer.statusCode)
        })
          .on('error', fail)
          .end(),
      )
    const own = `/?code=stolen&state=${state}`
    expect([
      await knock('/?code=stolen'),
      await knock(`/?code=stolen&state=${'x'.repeat(43)}`),
      await knock(`/other${own}`),
      await knock(own, { method: 'POST' }),
      // With a host name that a page has rebound (DNS rebinding).
      await knock(own, { host: `evil.test:${port}` }),
    ]).toEqual([404, 404, 404, 404, 404])
    expect(await knock(`/?error=access_denied&state=${state}`)).toBe(200)
    expect(await signingIn.ended).toMatchObject({
      code: 3,
      err: expect.stringContaining('The sign-in was refused in the browser.'),
    })
    expect((await one.run('status')).code).toBe(3)
  })

  it('by the browser starts a sign-in of its own, with the name of the machine', async () => {
    const one = somebody()
    const signingIn = one.start('login', '--browser', '--no-open')
    const page = await pageOf(signingIn)
    const { headers } = await fetch(`${stack.address}/api/auth/session/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    const cookie = headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    const shown = await (await fetch(page, { headers: { cookie } })).text()
    const [, code = 'none'] = /code (\S+)\.\n/.exec(signingIn.err()) ?? []
    expect(shown).toContain(code)
    const agreed = await fetch(`${page.origin}${page.pathname}`, {
      method: 'POST',
      headers: { cookie, origin: page.origin },
      body: new URLSearchParams([...page.searchParams, ['answer', 'yes']]),
      redirect: 'manual',
    })
    const answer = await fetch(agreed.headers.get('location') ?? '')
    expect([answer.status, await answer.text()]).toEqual([
      200,
      'Signed in. You can close this page and continue in the terminal.',
    ])
    expect(await signingIn.ended).toMatchObject({ code: 0, out: `Signed in to ${stack.address} as admin.\n` })
    expect(await one.json('status')).toMatchObject({ user: 'admin', credential: 'account' })
    expect((await one.run('logout')).code).toBe(0)
  })

  it('is ended by logout, on this machine and in the service', async () => {
    const one = somebody()
    await logIn(one)
    const [{ tokens }] = JSON.parse(readFileSync(credentials(one), 'utf8')).entries
    expect(await one.run('logout')).toMatchObject({ code: 0, out: `Signed out of ${stack.address}.\n` })
    expect((await one.run('status')).code).toBe(3)
    const refresh = client.request('POST', '/api/auth/jwt/token/refresh/', { refresh: tokens.refresh })
    await expect(refresh).rejects.toThrow('answered 401')
  })
})

describe('types', () => {
  it('exits with 4 for an app that does not exist', async () => {
    const { code, err } = await ada.run('types', 'nowhere')
    expect([code, err]).toEqual([
      4,
      'GET /api/apps/nowhere/schema/ answered 404:\n  Not found.\n  There is no app "nowhere" in this site.\n',
    ])
  })

  it('are written into a new folder, with functions that are not deployed yet', async () => {
    await client.request('POST', '/api/apps/', { name: 'typed' })
    const charge = { name: 'Charge', code: 'export default () => 1', secrets: ['OLD'] }
    await client.request('POST', '/api/apps/typed/functions/', charge)
    ada.write('tessera/typed/functions/charge.json', { secrets: ['STRIPE'] })
    ada.write('tessera/typed/functions/later.json', { variables: { RATE: '1' } })
    ada.write('tessera/typed/functions/call.json', { execution_mode: 'proxy' })
    expect((await ada.run('types', 'typed', 'library', '--dir', 'x', '--out', 'x.ts')).code).toBe(2)
    expect(await ada.json('types', 'typed', '--out', 'new/folder/typed.ts')).toMatchObject({
      file: 'new/folder/typed.ts',
    })
    expect(readFileSync(join(ada.folder, 'new/folder/typed.ts'), 'utf8')).toContain(`
export interface TypedFunctions {
  charge: { secrets: 'STRIPE'; variables: never }
  later: { secrets: never; variables: 'RATE' }
}
`)
  })

  it('with --watch writes the types again when a schema changes', async () => {
    await makeApp('watched', { name: 'rows', fields: [] })
    const watching = ada.start('types', 'watched', '--out', 'watched.ts', '--watch', '--every', '0.1')
    const file = join(ada.folder, 'watched.ts')
    await until(
      () => readFileSync(file, 'utf8').includes('export interface Watched {'),
      () => watching.err(),
    )
    await client.request('PATCH', '/api/apps/watched/datatables/rows/', {
      json_schema: { primaryKey: 'id', fields: [...id, { name: 'colour', type: 'string' }] },
    })
    await until(
      () => readFileSync(file, 'utf8').includes('colour: string | null'),
      () => watching.err(),
    )
    await watching.stop()
    expect(watching.out()).toBe('Wrote watched.ts.\nWrote watched.ts.\n')
    expect((await watching.ended).code).toBe(130)
    expect((await ada.run('types', 'watched')).out).toBe(readFileSync(file, 'utf8'))
  })
})

const id = [{ name: 'id', type: 'integer' }]

interface NewTable {
  name: string
  fields: object[]
  foreignKeys?: object[]
}

/** Creates an app with tables in the service. */
async function makeApp(name: string, ...tables: NewTable[]): Promise<void> {
  await client.request('POST', '/api/apps/', { name })
  const resources = tables.map(({ name: table, fields, ...others }) => ({
    name: table,
    schema: { primaryKey: 'id', fields: [...id, ...fields], ...others },
  }))
  await client.request('POST', `/api/apps/${name}/datatables/create_schema/?materialize=true`, { resources })
}

interface TableFile {
  schema: { fields: { name: string }[]; [member: string]: unknown }
}

/** Changes the file of a table. */
function edit(one: Person, app: string, table: string, change: (schema: TableFile['schema']) => void): void {
  const path = join('tessera', app, 'tables', `${table}.json`)
  const file = JSON.parse(readFileSync(join(one.folder, path), 'utf8')) as TableFile
  change(file.schema)
  one.write(path, file)
}

const text = (name: string) => ({ name, type: 'string' })
const reference = (field: string, resource: string) => ({
  fields: field,
  reference: { resource, fields: 'id' },
})

interface Plan {
  changes: {
    kind: string
    name: string
    action: string
    steps: { description: string }[]
    waitsFor: string[]
  }[]
  moved: string[]
  loses_data: boolean
}

describe('schema', () => {
  it('pull exits with 4 for an app that does not exist, and diff without files explains the first step', async () => {
    expect(await ada.run('schema', 'pull', 'nowhere')).toMatchObject({
      code: 4,
      err: 'The site has no app nowhere.\n',
    })
    const { code, err } = await ada.run('schema', 'diff', 'nowhere')
    expect([code, err.includes('Begin with: tessera schema pull')]).toEqual([1, true])
  })

  it('names every error in the files', async () => {
    const one = somebody()
    one.write('a/app.json', { name: 'A' })
    one.write('a/tables/Big.json', { schem: {} })
    one.write('a/functions/lonely.js', '1')
    one.write('a/subscriptions.json', { RECORD_CREATE: ['gone'] })
    await logIn(one)
    const { code, err } = await one.run('schema', 'push', 'a', '--dir', 'a', '--yes')
    expect([code, err.trim().split('\n')]).toEqual([
      1,
      [
        'tables/Big.json: a name has lower-case letters, digits, - and _ only',
        'tables/Big.json: unknown member "schem". Members: description, datasource, materialized, schema, reference',
        'tables/Big.json: "schema" is missing',
        'functions/lonely.js: there is no lonely.json beside it',
        'subscriptions.json: RECORD_CREATE names gone, and there is no functions/gone.json',
      ],
    ])
  })

  it('pull writes a file for each table, and does not overwrite edits', async () => {
    await makeApp('pulled', { name: 'makers', fields: [text('name')] }, { name: 'tools', fields: [] })
    const made = await ada.json('schema', 'pull', 'pulled')
    expect(made).toMatchObject({ folder: 'tessera/pulled', tables: 2, functions: 0 })
    expect(readdirSync(join(ada.folder, 'tessera/pulled/tables'))).toEqual(['makers.json', 'tools.json'])
    edit(ada, 'pulled', 'makers', ({ fields }) => fields.push(text('city')))
    const refused = await ada.run('schema', 'pull', 'pulled')
    expect([refused.code, refused.err]).toEqual([
      5,
      'The files in tessera/pulled were edited and not pushed. Push them, or write over them with --force.\n',
    ])
    expect((await ada.run('schema', 'pull', 'pulled', '--force')).code).toBe(0)
    expect((await ada.run('schema', 'diff', 'pulled', '--check')).out).toBe(
      'The files and the service are the same.\n',
    )
  })

  it('diff shows steps, SQL, lost data and locks; push asks for confirmation, and for another one before losses', async () => {
    await makeApp('planned', { name: 'tools', fields: [text('name'), text('note')] })
    await ada.run('schema', 'pull', 'planned')
    edit(ada, 'planned', 'tools', (schema) => {
      schema.fields = [
        ...id,
        { ...text('title'), 'x-rename-from': 'name' } as never,
        { name: 'maker_id', type: 'integer' } as never,
      ]
      schema.foreignKeys = [reference('maker_id', 'makers')]
    })
    ada.write('tessera/planned/tables/makers.json', { schema: { primaryKey: 'id', fields: id } })
    const shown = await ada.run('schema', 'diff', 'planned', '--check')
    expect(shown.code).toBe(6)
    for (const line of [
      '~ table tools',
      '    More steps are known when this is done: makers.',
      '    Drop field note [LOSES VALUES, locks the table]',
      '    Rename field name to title [locks the table]',
      '+ table makers',
      '    Create table makers',
    ])
      expect(shown.out.split('\n')).toContain(line)
    expect(shown.out).toContain('rename column "name" to "title";')
    const asked = await ada.run('schema', 'push', 'planned', '--allow-data-loss')
    expect([asked.code, asked.err]).toEqual([
      2,
      'Push 2 changes? Add --yes to say yes: nobody can be asked here.\n',
    ])
    const lossy = await ada.run('schema', 'push', 'planned', '--yes')
    expect([lossy.code, lossy.err]).toEqual([
      1,
      'The push can lose data. Add --allow-data-loss to allow this. Nothing was pushed.\n',
    ])
    expect(await client.find('/api/apps/planned/datatables/makers/')).toBe(undefined)
    const { changes } = await ada.json<Plan>('schema', 'diff', 'planned')
    expect(await ada.json('schema', 'push', 'planned', '--yes', '--allow-data-loss')).toEqual({
      applied: ['table makers', 'table tools'],
      signing_secrets: null,
    })
    const history = await client.request<{ data: { description: string }[] }>(
      'GET',
      '/api/apps/planned/datatables/tools/operation-history/?ordering=id',
    )
    const planned =
      changes.find(({ name }) => name === 'tools')?.steps.map(({ description }) => description) ?? []
    const happened = history.data.map(({ description }) => description)
    expect(planned.length).toBeGreaterThan(2)
    expect(happened).toEqual(expect.arrayContaining(planned))
    expect((await ada.run('schema', 'diff', 'planned', '--check')).code).toBe(0)
  })

  it('push deletes a table together with its name in the rules of the app', async () => {
    await makeApp('released', { name: 'tools', fields: [] }, { name: 'papers', fields: [] })
    const rule = { name: 'readers', who: 'user', can: ['read'] }
    await client.request('PUT', '/api/apps/released/access/', {
      rules: [{ ...rule, tables: ['tools', 'papers'] }],
    })
    await ada.run('schema', 'pull', 'released')
    const path = 'tessera/released/app.json'
    const file = JSON.parse(readFileSync(join(ada.folder, path), 'utf8')) as { rules: object[] }
    ada.write(path, { ...file, rules: [{ ...rule, tables: ['tools'] }] })
    rmSync(join(ada.folder, 'tessera/released/tables/papers.json'))
    const pushed = await ada.run('schema', 'push', 'released', '--yes', '--allow-data-loss')
    expect([pushed.code, pushed.err]).toEqual([0, expect.any(String)])
    const { rules } = await client.request<{ rules: object[] }>('GET', '/api/apps/released/access/')
    expect(rules).toEqual([{ ...rule, tables: ['tools'] }])
    expect(await client.find('/api/apps/released/datatables/papers/')).toBe(undefined)
  })

  it('push refuses if somebody else has changed the schema first, and overwrites only with --force', async () => {
    await makeApp('raced', { name: 'tools', fields: [] })
    const bram = somebody()
    await logIn(bram)
    for (const one of [ada, bram]) await one.run('schema', 'pull', 'raced')
    edit(ada, 'raced', 'tools', ({ fields }) => fields.push(text('colour')))
    edit(bram, 'raced', 'tools', ({ fields }) => fields.push(text('shade')))
    expect((await ada.run('schema', 'push', 'raced', '--yes')).code).toBe(0)
    const late = await bram.run('schema', 'push', 'raced', '--yes', '--allow-data-loss', '--json')
    expect([late.code, JSON.parse(late.err)]).toEqual([
      5,
      {
        error: {
          kind: 'problem',
          message: expect.stringContaining('Nothing was pushed.'),
          moved: ['table tools was changed'],
        },
      },
    ])
    const names = async () =>
      (await client.request<{ field_names: string[] }>('GET', '/api/apps/raced/datatables/tools/'))
        .field_names
    expect(await names()).toEqual(['id', 'colour'])
    const forced = await bram.run('schema', 'push', 'raced', '--yes', '--allow-data-loss', '--force')
    expect([forced.code, await names()]).toEqual([0, ['id', 'shade']])
  })

  it('push starts nothing if the service would refuse a part', async () => {
    await makeApp('refused', { name: 'tools', fields: [] })
    await ada.run('schema', 'pull', 'refused')
    edit(ada, 'refused', 'tools', ({ fields }) => fields.push({ name: 'x', type: 'colour' } as never))
    ada.write('tessera/refused/tables/more.json', { schema: { fields: id } })
    const { code, err } = await ada.run('schema', 'push', 'refused', '--yes')
    expect([
      code,
      err.includes('table tools: fields[1] ("x").type: '),
      err.includes('Nothing was pushed.'),
    ]).toEqual([1, true, true])
    expect(await client.find('/api/apps/refused/datatables/more/')).toBe(undefined)
  })

  it('push reports what it applied before an error, and continues from there', async () => {
    await makeApp('halfway', { name: 'tools', fields: [] })
    await ada.run('schema', 'pull', 'halfway')
    ada.write('tessera/halfway/secret-types/halfway.json', { schema: { type: 'object' } })
    ada.write('tessera/halfway/functions/broken.json', {})
    ada.write('tessera/halfway/functions/broken.js', 'export default () => )')
    const { code, err } = await ada.run('schema', 'push', 'halfway', '--yes', '--json')
    expect([code, JSON.parse(err).error]).toEqual([
      1,
      expect.objectContaining({
        status: 400,
        code: 'validation_failed',
        message: expect.stringContaining('Applied before that: secret type halfway.'),
        messages: { code: [expect.stringContaining('(line 1, column 22)')] },
        applied: ['secret type halfway'],
      }),
    ])
    ada.write('tessera/halfway/functions/broken.js', 'export default () => 1')
    expect(await ada.json('schema', 'push', 'halfway', '--yes')).toMatchObject({
      applied: ['function broken'],
    })
  })

  it('push tells that a new app was made if one of its datasources is refused, and goes on from there', async () => {
    const lake = { provider_type: 'mongodb', provider_config: {} }
    ada.write('tessera/lakeless/app.json', { name: 'Lakeless', datasources: { lake } })
    const { code, err } = await ada.run('schema', 'push', 'lakeless', '--yes', '--json')
    expect([code, JSON.parse(err).error]).toEqual([
      1,
      expect.objectContaining({ status: 400, applied: ['app'] }),
    ])
    ada.write('tessera/lakeless/app.json', { name: 'Lakeless', datasources: { main: {} } })
    expect(await ada.json('schema', 'push', 'lakeless', '--yes')).toMatchObject({ applied: ['app'] })
  })

  it('push applies nothing of a new app whose tables would be refused, and names each problem on a line', async () => {
    const wrong = {
      primaryKey: 'id',
      fields: [...id, { name: 'x', type: 'colour' }, { name: 'id', type: 'string' }],
    }
    const elsewhere = {
      fields: [...id, { name: 'b_id', type: 'integer' }],
      foreignKeys: [reference('b_id', 'gone')],
    }
    ada.write('tessera/unmade/app.json', { name: 'Unmade' })
    ada.write('tessera/unmade/tables/wrong.json', { schema: wrong })
    ada.write('tessera/unmade/tables/papers.json', { datasource: 'documents', schema: { fields: id } })
    ada.write('tessera/unmade/tables/lost.json', { schema: elsewhere })
    const shown = await ada.run('schema', 'diff', 'unmade', '--check')
    expect([shown.code, shown.out.split('\n').filter((line) => line.includes('REFUSED: ')).length]).toEqual([
      1, 4,
    ])
    expect(shown.out).toContain('\n    REFUSED: It references gone, which has no file in tables.\n')
    expect(shown.out).toContain(
      '\n    REFUSED: The datasource "documents" is not in "datasources" of app.json.\n',
    )
    const { code, err } = await ada.run('schema', 'push', 'unmade', '--yes')
    expect([code, err.split('\n').filter((line) => line.startsWith('table wrong: ')).length]).toEqual([1, 2])
    expect(err.endsWith('Nothing was pushed.\n')).toBe(true)
    expect(await client.find('/api/apps/unmade/')).toBe(undefined)
    rmSync(join(ada.folder, 'tessera/unmade/tables/papers.json'))
    ada.write('tessera/unmade/tables/lost.json', {
      schema: { ...elsewhere, foreignKeys: [reference('b_id', 'wrong')] },
    })
    ada.write('tessera/unmade/tables/wrong.json', { schema: { primaryKey: 'id', fields: id } })
    expect(await ada.json('schema', 'push', 'unmade', '--yes')).toMatchObject({
      applied: ['app', 'table lost', 'table wrong', 'subscriptions'],
    })
    expect((await ada.run('schema', 'diff', 'unmade', '--check')).code).toBe(0)
    ada.write('tessera/unmade/tables/first.json', { schema: wrong })
    ada.write('tessera/unmade/tables/second.json', { schema: wrong })
    const again = await ada.run('schema', 'diff', 'unmade')
    const refused = again.out.split('\n').filter((line) => line.startsWith('    REFUSED: fields'))
    expect([again.code, refused.length]).toEqual([1, 4])
  })

  it('push creates an app from files alone: references, drafts, functions, subscriptions', async () => {
    const files = {
      'app.json': { name: 'From files', datasources: { main: {}, documents: { provider_type: 'jsonb' } } },
      'tables/members.json': { reference: { app: 'library', table: 'members' } },
      'tables/visits.json': {
        schema: {
          fields: [...id, { name: 'member_id', type: 'uuid' }],
          primaryKey: 'id',
          foreignKeys: [reference('member_id', 'members')],
        },
      },
      'tables/papers.json': { datasource: 'documents', schema: { fields: id } },
      'tables/ideas.json': { materialized: false, schema: { fields: id } },
      'functions/greet.json': {},
      'functions/greet.js': 'export default ({ data }) => data.id',
      'functions/call.json': { execution_mode: 'proxy', webhook_url: 'https://example.com/hook' },
      'subscriptions.json': { RECORD_CREATE: ['greet'] },
    }
    for (const [path, content] of Object.entries(files)) ada.write(join('tessera/from-files', path), content)
    const pushed = await ada.json<{ applied: string[]; signing_secrets: string }>(
      'schema',
      'push',
      'from-files',
      '--yes',
    )
    expect(pushed.applied.toSorted()).toEqual([
      'app',
      'function call',
      'function greet',
      'subscriptions',
      'table ideas',
      'table members',
      'table papers',
      'table visits',
    ])
    expect(statSync(join(ada.folder, pushed.signing_secrets)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(ada.folder, 'tessera/from-files/.gitignore'), 'utf8')).toBe(
      '.signing-secrets.json\n',
    )
    edit(ada, 'from-files', 'ideas', () => undefined)
    const drafted = JSON.parse(readFileSync(join(ada.folder, 'tessera/from-files/tables/ideas.json'), 'utf8'))
    ada.write('tessera/from-files/tables/ideas.json', { ...drafted, materialized: true })
    expect((await ada.run('schema', 'push', 'from-files', '--yes')).code).toBe(0)
    expect(await client.request('GET', '/api/apps/from-files/datatables/ideas/')).toMatchObject({
      is_materialized: true,
    })
  })

  it('push deletes tables that reference each other, and nothing else', async () => {
    await makeApp(
      'circle',
      { name: 'a', fields: [{ name: 'b_id', type: 'integer' }], foreignKeys: [reference('b_id', 'b')] },
      { name: 'b', fields: [{ name: 'a_id', type: 'integer' }], foreignKeys: [reference('a_id', 'a')] },
    )
    await ada.run('schema', 'pull', 'circle')
    rmSync(join(ada.folder, 'tessera/circle/tables/b.json'))
    const stuck = await ada.run('schema', 'push', 'circle', '--yes', '--allow-data-loss')
    expect([stuck.code, stuck.err]).toEqual([
      1,
      'table b: It is referenced by a, which would stay.\nNothing was pushed.\n',
    ])
    rmSync(join(ada.folder, 'tessera/circle/tables/a.json'))
    expect((await ada.json<Plan>('schema', 'diff', 'circle')).loses_data).toBe(true)
    expect((await ada.run('schema', 'push', 'circle', '--yes', '--allow-data-loss')).code).toBe(0)
    expect(await client.request('GET', '/api/apps/circle/datatables/')).toEqual([])
  })

  it(
    'pull, edit, push, pull is the identity for random apps, each made from the one before',
    async () => {
      const one = somebody()
      await logIn(one)
      let count = 0
      const isOwn = (slug: string) => slug.startsWith('random-')
      await fc.assert(
        fc.asyncProperty(randomApp, async (parts) => {
          const folder = join(one.folder, 'tessera', 'random')
          // The files also contain the secret types of other apps of the site.
          const others = hasFiles(folder)
            ? [...(await readFiles(folder)).secretTypes].filter(([slug]) => !isOwn(slug))
            : []
          await writeFiles(folder, { ...parts, secretTypes: new Map([...others, ...parts.secretTypes]) })
          const pushed = await one.run('schema', 'push', 'random', '--yes', '--allow-data-loss')
          expect(pushed).toMatchObject({ code: 0, err: '' })
          const other = `pulled-${count++}`
          expect((await one.run('schema', 'pull', 'random', '--dir', other)).err).toBe('')
          const pulled = await readFiles(join(one.folder, other))
          const ownTypes = new Map([...pulled.secretTypes].filter(([slug]) => isOwn(slug)))
          expect(hashesOf({ ...pulled, secretTypes: ownTypes })).toEqual(hashesOf(parts))
          rmSync(join(one.folder, other), { recursive: true })
        }),
        // A failed run is not shrunk, because shrinking would start from an app that is half changed.
        { numRuns: runs(3, 200), endOnFailure: true },
      )
    },
    scaled(runs(120_000, 1_800_000)),
  )
})

describe('data', () => {
  it('load and export work as in npm run load and export, and report errors of rows', async () => {
    ada.write('fruit.csv', 'name,price\nApple,1.5\nPear,2\n')
    const asked = await ada.run('data', 'load', 'fruit.csv', '--app', 'Fruit')
    expect([asked.code, asked.err.includes('add --yes')]).toEqual([1, true])
    expect(await ada.json('data', 'load', 'fruit.csv', '--app', 'Fruit', '--yes')).toEqual({
      messages: ['Loaded 2 rows into 1 table of the app "fruit".'],
    })
    expect(await ada.json('data', 'export', 'fruit', 'out', '--format', 'jsonl')).toEqual({
      path: 'out',
      tables: 1,
      records: 2,
      edges: 0,
    })
    expect((await ada.run('data', 'export', 'nowhere')).err).toContain('There is no app nowhere.')
    const watched = await ada.run('data', 'watch', 'fruit', 'fruit', 'ordering=-price&fields=name', '--once')
    expect([watched.code, JSON.parse(watched.out)]).toEqual([
      0,
      expect.objectContaining({ data: [{ name: 'Pear' }, { name: 'Apple' }], total: 2 }),
    ])
    const none = await ada.run('data', 'watch', 'fruit', 'none')
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('not followed any more: not_found')])
  })
})

describe('secrets', () => {
  it('are read from the standard input or the environment, and are listed without values', async () => {
    await client.request('POST', '/api/secret-types/', { name: 'printer' })
    const value = { host: 'printer.example.com', port: 631 }
    const put = (...args: string[]) =>
      ada.runWith({ input: JSON.stringify(value) }, 'secrets', 'set', 'PRINTER', ...args)
    expect((await put('--stdin')).err).toContain('To create it, give its type with --type.')
    expect(await put('--stdin', '--type', 'printer')).toMatchObject({
      code: 0,
      out: 'The secret PRINTER was created.\n',
    })
    const wrong = await ada.runWith({ input: 'hunter2' }, 'secrets', 'set', 'PRINTER', '--stdin')
    expect(wrong).toEqual({
      code: 2,
      out: '',
      err: 'The value must be a JSON object, or with --field a string.\n',
    })
    const env = { TESSERA_SECRET: 'b.example.com' }
    expect((await ada.runWith({ env }, 'secrets', 'set', 'PRINTER', '--field', 'host')).code).toBe(0)
    expect(await ada.json('secrets', 'get', 'PRINTER')).toEqual({
      key: 'PRINTER',
      value: { ...value, host: 'b.example.com' },
    })
    expect((await ada.run('secrets', 'get', 'PRINTER', '--field', 'host')).out).toBe('b.example.com\n')
    const { code, out } = await ada.run('secrets', 'list')
    expect([code, out.includes('PRINTER'), out.includes('b.example.com')]).toEqual([0, true, false])
    expect((await ada.run('secrets', 'get', 'NOWHERE')).code).toBe(4)
  })
})

describe('functions', () => {
  it('are created, deployed, run and followed; a failed run exits with 1, and can be replayed', async () => {
    await client.request('POST', '/api/apps/', { name: 'calls' })
    await ada.run('schema', 'pull', 'calls')
    expect((await ada.run('functions', 'deploy', 'calls', 'total')).code).toBe(4)
    expect((await ada.run('functions', 'new', 'calls', 'Total!')).code).toBe(2)
    expect((await ada.run('functions', 'new', 'calls', 'total')).code).toBe(0)
    expect((await ada.run('functions', 'new', 'calls', 'total')).code).toBe(5)
    const code =
      'export default ({ n }) => { console.log("n is", n); if (n < 0) throw new Error("too small"); return n * 2 }'
    ada.write('tessera/calls/functions/total.js', code)
    expect(await ada.json('functions', 'deploy', 'calls', 'total')).toMatchObject({ action: 'create' })
    expect(await ada.json('functions', 'deploy', 'calls', 'total')).toMatchObject({ action: 'none' })
    await client.request('PATCH', '/api/apps/calls/functions/total/', { description: 'Of somebody else' })
    ada.write('tessera/calls/functions/total.js', `${code}\n`)
    expect((await ada.run('functions', 'deploy', 'calls', 'total')).code).toBe(5)
    expect((await ada.run('functions', 'deploy', 'calls', 'total', '--force')).code).toBe(0)

    const following = ada.start('functions', 'logs', 'calls', 'total', '-f', '--json')
    const lines = () =>
      following
        .out()
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    const good = await ada.runWith({ input: '{"n": 4}' }, 'functions', 'run', 'calls', 'total', '--stdin')
    expect([good.code, good.out.endsWith('  info: n is 4\n8\n')]).toEqual([0, true])
    const bad = await ada.run('functions', 'run', 'calls', 'total', '--params', '{"n": -1}', '--json')
    const { invocation } = JSON.parse(bad.out)
    expect([bad.code, invocation.status]).toEqual([1, 'FAILURE'])
    await until(
      () => lines().length === 2,
      () => following.out() + following.err(),
    )
    expect(lines().map(({ status }) => status)).toEqual(['SUCCESS', 'FAILURE'])
    expect(await ada.run('functions', 'replay', String(invocation.id))).toMatchObject({ code: 0, err: '' })
    // The replay fails again, and its failure is shown again.
    const logs = await ada.run('functions', 'logs', 'calls', '--limit', '5')
    expect(logs.out).toContain('info: n is 4')
    await following.stop()
  })
})

describe('functions on this machine', () => {
  const place = 'tessera/local/functions'
  const dev = (...args: string[]) => ada.run('functions', 'dev', 'local', 'try', ...args)

  beforeAll(async () => {
    await client.request('POST', '/api/apps/', { name: 'local' })
    await client.request('POST', '/api/apps/local/datatables/create_schema/?materialize=true', {
      resources: [
        {
          name: 'notes',
          schema: {
            primaryKey: 'id',
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'text', type: 'string' },
            ],
          },
        },
      ],
    })
    await client.request('POST', '/api/secret-types/', { name: 'Local', sensitivity_level: 'sensitive' })
    await client.request('POST', '/api/secrets/', {
      secret_type: 'local',
      key: 'LOCAL',
      value: { token: 'sesame-open' },
    })
  })

  it('refuse missing files, two sources of parameters, and an app that does not exist', async () => {
    expect(await dev('--once')).toMatchObject({ code: 4, err: expect.stringContaining('functions new') })
    ada.write(`${place}/try.json`, { secrets: ['LOCAL', 'NONE'], variables: { CURRENCY: 'EUR' } })
    ada.write(`${place}/try.js`, 'export default () => {')
    expect(await dev('--once', '--params', '{}', '--last')).toMatchObject({
      code: 2,
      err: 'Use only one of --params, --event and --last.\n',
    })
    expect(await dev('--table', 'notes')).toMatchObject({ code: 2 })
    expect(await dev('--once', '--last')).toMatchObject({
      code: 4,
      err: expect.stringContaining('No function was run for an event of the app local.'),
    })
    expect(
      (await ada.run('functions', 'dev', 'nowhere', 'try', '--dir', 'tessera/local', '--once')).code,
    ).toBe(4)
  })

  it('refuse HTML in an e-mail without a mail server of the site, as the service does', async () => {
    ada.write(`${place}/letter.json`, {})
    ada.write(
      `${place}/letter.js`,
      `export default (_, { mail }) =>
        mail.send({ to: 'a@example.org', subject: 'x', text: 'y', html: '<p>' }).catch(({ status }) => status)`,
    )
    const { result } = await ada.json<{ result: unknown }>('functions', 'dev', 'local', 'letter', '--once')
    expect(result).toBe(422)
  })

  it('fail as in the service: syntax errors, exceptions, and requests beyond their rights', async () => {
    expect(await dev('--once')).toMatchObject({ code: 1, out: expect.stringContaining('SyntaxError') })
    ada.write(
      `${place}/try.js`,
      `export default async (_, { client, db, secrets, variables }) => {
        const paths = ['/api/apps/', '/api/users/me/', '/api/apps/library/datatables/tools/data/', 'http://127.0.0.1:1/']
        const asked = paths.map(async (path) => (await client.fetch(path)).status)
        const direct = await fetch('http://127.0.0.1:8787/').then(() => 'reached', () => 'no network')
        console.log(secrets.get('LOCAL'))
        let missing
        try { secrets.get('NONE') } catch ({ message }) { missing = message }
        const { total } = await db.local.notes.list()
        return [await Promise.all(asked), direct, secrets.get('LOCAL').token.length, missing, total, variables.CURRENCY]
      }`,
    )
    const { code, out } = await dev('--once', '--json')
    const { status, result, logs } = JSON.parse(out)
    expect([code, status, result, logs.map(({ message }: { message: string }) => message)]).toEqual([
      0,
      'SUCCESS',
      [
        [403, 403, 403, 403],
        'no network',
        11,
        'Neither the app nor the site has the secret "NONE".',
        0,
        'EUR',
      ],
      ['{"token":"***HIDDEN***"}'],
    ])
  })

  it('run again when a file changes, print lines as they come, and apply the conditions of events', async () => {
    ada.write(`${place}/try.json`, { filter_conditions: 'event.data.id > 1' })
    ada.write(`${place}/part.js`, 'export const said = "first"')
    ada.write(
      `${place}/try.ts`,
      `import { said } from './part.js'
      export default async ({ data }, { db, user, event, function: { id } }) => {
        const { text } = await db.local.notes.create({ text: said })
        console.log(text, user.username, event, id)
        if (said === 'second') await new Promise(() => setTimeout(() => 0, 100_000))
        return data.id
      }`,
    )
    rmSync(join(ada.folder, place, 'try.js'))
    ada.write('event.json', { type: 'RECORD_CREATE', data: { id: 1 } })
    const running = ada.start('functions', 'dev', 'local', 'try', '--event', 'event.json')
    const shows = (text: string) =>
      until(
        () => running.out().includes(text),
        () => running.out() + running.err(),
      )
    await shows('#1 try RECORD_CREATE SKIPPED')
    ada.write('event.json', { type: 'RECORD_CREATE', data: { id: 22 } })
    await shows('#2 try RECORD_CREATE SUCCESS')
    expect(running.out()).toContain('  info: first admin RECORD_CREATE 0\n')
    ada.write(`${place}/part.js`, 'export const said = "second"')
    // The function waits, and its line is already printed.
    await shows('info: second admin')
    ada.write(`${place}/part.js`, 'export const said = ')
    await shows('part.js:1:21: Unexpected end of file')
    ada.write(`${place}/part.js`, 'export const said = "last"')
    await shows('#5 try RECORD_CREATE SUCCESS')
    await running.stop()
    expect(running.err()).toContain('event.json has changed.\n')
    const notes = await client.request<{ data: { text: string }[] }>(
      'GET',
      '/api/apps/local/datatables/notes/data/',
    )
    expect(notes.data.map(({ text }) => text)).toEqual(['first', 'second', 'last'])
  })
})

describe('events listen', () => {
  it('refuses an unknown event', async () => {
    const { code, err } = await ada.run('events', 'listen', '--type', 'RECORD_READ')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('There is no event RECORD_READ. Events: PRE_USER'),
    ])
  })

  it('prints the requested events when they come, and passes them to a function on this machine', async () => {
    const { id } = await client.request<{ id: number }>('POST', '/api/apps/local/functions/', {
      name: 'hears',
      code: 'export default () => 1',
    })
    for (const event of ['RECORD_CREATE', 'RECORD_DELETE'])
      await client.request('POST', `/api/cloud/events/${event}/subscribe/`, { function_id: id })
    const listening = ada.start('events', 'listen', '--app', 'local', '--type', 'RECORD_DELETE')
    await until(
      () => listening.err().includes('Waiting for events.'),
      () => listening.err(),
    )
    const notes = '/api/apps/local/datatables/notes/data/'
    await client.request('POST', notes, { id: 70, text: 'heard' })
    await client.request('DELETE', `${notes}70/`)
    await until(
      () => listening.out().includes('\n  {'),
      () => listening.out() + listening.err(),
    )
    await listening.stop()
    expect(listening.out()).toMatch(
      /^\S+ RECORD_DELETE local\.notes 70 runs hears\n {2}\{"id":70,"text":"heard"\}\n$/,
    )
    const { code, out } = await ada.run(
      ...['functions', 'dev', 'local', 'try', '--once', '--json', '--last', '--type', 'RECORD_CREATE'],
    )
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ trigger: 'RECORD_CREATE', status: 'SUCCESS', result: 70 }),
    ])
  })
})

describe('sources of functions', () => {
  const place = 'tessera/bundles/functions'
  const deploy = () => ada.run('functions', 'deploy', 'bundles', 'sum')
  const write = (name: string, content: string) => ada.write(`${place}/${name}`, content)

  it('cause an error with the place or the size if they cannot be bundled', async () => {
    await client.request('POST', '/api/apps/', { name: 'bundles' })
    await ada.run('schema', 'pull', 'bundles')
    ada.write(`${place}/sum.json`, {})
    write('sum.js', "import pad from 'left-pad'\nexport default pad")
    const unknown = await deploy()
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringMatching(/sum\.js cannot be bundled:\n {2}sum\.js:1:17: Could not resolve "left-pad"/),
    ])
    write('sum.js', "import { readFile } from 'node:fs'\nexport default readFile")
    expect((await deploy()).err).toContain(
      'sum.js:1:26: node:fs needs a machine, and functions run in an isolate without one.',
    )
    ada.write('tessera/bundles/lib/large.js', `export default ${JSON.stringify('x'.repeat(300_000))}`)
    write('sum.js', "import text from '../lib/large.js'\nexport default () => text")
    expect((await deploy()).err).toMatch(
      /The bundle of .*sum\.js has 300\d\d\d characters, and a function at most 262144\. The largest parts:\n {2}\.\.\/lib\/large\.js: 300\d\d\d/,
    )
    write('sum.ts', 'export default () => 1')
    expect((await deploy()).err).toContain('functions/sum.js is there as well. Delete one of them')
  })

  it('are bundled with packages and TypeScript, and are unchanged after a pull', async () => {
    rmSync(join(ada.folder, place, 'sum.js'))
    ada.write('package-lock.json', {})
    ada.write('node_modules/adder/package.json', { name: 'adder', type: 'module', main: 'index.js' })
    ada.write('node_modules/adder/index.js', 'export const add = (a, b) => a + b')
    const source =
      "import { Buffer } from 'node:buffer'\nimport { add } from 'adder'\n" +
      'export default ({ a, b }: { a: number; b: number }) => [add(a, b), Buffer.from("ab").length]\n'
    write('sum.ts', source)
    expect((await deploy()).err).toBe('')
    expect(
      await ada.json('functions', 'run', 'bundles', 'sum', '--params', '{"a": 1, "b": 2}'),
    ).toMatchObject({
      data: [3, 2],
    })
    expect((await ada.run('schema', 'diff', 'bundles', '--check')).code).toBe(0)
    expect((await ada.run('schema', 'pull', 'bundles')).code).toBe(0)
    expect(readdirSync(join(ada.folder, place))).toEqual(['sum.json', 'sum.ts'])
    expect(readFileSync(join(ada.folder, place, 'sum.ts'), 'utf8')).toBe(source)
  })

  it('of somebody else are unchanged after a pull, and never include files of this machine', async () => {
    ada.write('keys.json', { key: 'CANARY' })
    const code = "export default () => import('../../../keys.json')\n"
    await client.request('POST', '/api/apps/bundles/functions/', { name: 'theirs', code })
    expect((await ada.run('schema', 'pull', 'bundles')).err).toBe('')
    expect(await ada.run('schema', 'diff', 'bundles', '--check')).toMatchObject({ code: 0, err: '' })
    expect(await ada.json('functions', 'deploy', 'bundles', 'theirs')).toMatchObject({ action: 'none' })
    write('theirs.js', `${code}// Edited here.\n`)
    for (const command of [
      ['schema', 'push', 'bundles', '--yes'],
      ['functions', 'deploy', 'bundles', 'theirs'],
      ['functions', 'dev', 'bundles', 'theirs', '--once'],
    ]) {
      const { code: exit, out, err } = await ada.run(...command)
      expect([command, exit, out]).toEqual([command, 1, ''])
      expect(err).toContain('theirs.js:1:29: ')
      expect(err).toMatch(/keys\.json is not bundled\. It is neither in tessera.bundles nor in a package of /)
    }
    expect(await client.request('GET', '/api/apps/bundles/functions/theirs/')).toMatchObject({ code })
    write('theirs.js', code)
    expect((await ada.run('schema', 'diff', 'bundles', '--check')).code).toBe(0)
    await client.request('DELETE', '/api/apps/bundles/functions/theirs/')
    expect((await ada.run('schema', 'pull', 'bundles')).err).toBe('')
  })

  it('have versions in the service, to which a function can be rolled back', async () => {
    write('sum.ts', 'export default () => 7')
    expect((await deploy()).err).toBe('')
    expect((await ada.run('functions', 'versions', 'bundles', 'none')).code).toBe(4)
    const { versions } = await ada.json<{ versions: { number: number }[] }>(
      'functions',
      'versions',
      'bundles',
      'sum',
    )
    expect(versions).toMatchObject([{ number: 2, changed_by: { username: 'admin' } }, { number: 1 }])
    const { code, out } = await ada.run('functions', 'rollback', 'bundles', 'sum')
    expect([code, out]).toEqual([0, 'The function sum is as in version 1. Its files are not: pull them.\n'])
    expect(
      await ada.json('functions', 'run', 'bundles', 'sum', '--params', '{"a": 1, "b": 2}'),
    ).toMatchObject({
      data: [3, 2],
    })
    expect((await ada.run('functions', 'rollback', 'bundles', 'sum', '--to', '9')).code).toBe(4)
  })

  it('keep the optional settings of functions: rights, schedules, secrets', async () => {
    ada.write(`${place}/nightly.json`, {
      schedule: '0 3 * * *',
      schedule_zone: 'Europe/Berlin',
      secrets: ['A'],
    })
    write('nightly.js', 'export default () => 1')
    expect((await ada.run('functions', 'deploy', 'bundles', 'nightly')).err).toBe('')
    expect(await client.request('GET', '/api/apps/bundles/functions/nightly/')).toMatchObject({
      schedule: '0 3 * * *',
      schedule_zone: 'Europe/Berlin',
      secrets: ['A'],
      as: 'service',
    })
  })
})

describe('sites and people', () => {
  it('sites are created, and people are invited', async () => {
    const create = ['sites', 'create', 'Pier', '--slug', 'pier', '--organization', 'pier-company']
    expect((await ada.run(...create)).code).toBe(4)
    expect(await ada.json(...create, '--create-organization', 'The Company of the Pier')).toMatchObject({
      slug: 'pier',
    })
    expect((await ada.run(...create)).code).not.toBe(0)
    expect(await ada.json('status', '--site', 'pier')).toMatchObject({ site: 'pier', apps: [] })
    const invite = ['users', 'invite', 'bram@example.org', '--organization', 'pier-company']
    for (const right of [
      ['--permission', 'access_site'],
      ['--role', 'clerk'],
    ])
      expect((await ada.run(...invite, ...right)).code).toBe(2)
    const unknown = await ada.run(...invite, '--role', 'clerk', '--site', 'pier')
    expect([unknown.code === 0, unknown.err.includes('The site has no role "clerk".')]).toEqual([false, true])
    expect(await ada.json(...invite, '--permission', 'access_site', '--site', 'pier')).toMatchObject({
      email: 'bram@example.org',
      config: { site: [{ slug: 'pier', permissions: ['access_site'] }] },
    })
  })
})

describe('completion', () => {
  it('contains every command for every shell', async () => {
    const scripts = await Promise.all(['bash', 'zsh', 'fish'].map((shell) => ada.run('completion', shell)))
    for (const { out } of scripts)
      for (const word of ['login', 'functions logs', 'allow-data-loss', 'replay']) expect(out).toContain(word)
  })
})
