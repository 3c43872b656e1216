/** `npm run load` and `npm run export`, as a person runs them, with a running service. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { run, runProgram } from '../support/processes.ts'
import { runs } from '../support/runs.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { until } from '../support/until.ts'
import { makeEverything } from './loader/everything.ts'

const root = temporaryFolder('load')
let stack: { address: string }
let client: Client
beforeAll(async () => {
  stack = await sharedStack()
  client = await signIn(stack.address, 'admin@example.com', 'Admin-demo-1')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: string
let app: string
let count = 0
beforeEach(() => {
  app = `app-${++count}`
  folder = join(root, app)
  mkdirSync(folder)
})

const put = (name: string, content: string | object): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

/** Starts a command like dev/run.mjs (which the first test runs), but without a process for dev/run.mjs. */
const start = (command: string, args: string[], site = '') =>
  runProgram(process.execPath, [join('dev', `${command}.ts`), ...args, '--url', `${stack.address}${site}`], {
    INIT_CWD: folder,
  })

/** Runs a command. Returns its exit code and its lines, without the folder names of this machine. */
async function printed(command: string, args: string[], site = ''): Promise<[number | null, string[]]> {
  const process = start(command, args, site)
  const code = await process.exited
  return [code, process.output().replaceAll(`${folder}/`, '').trim().split('\n')]
}
const load = (...args: string[]) => printed('load', [...args, '--app', app])

const records = async (table: string): Promise<Record<string, unknown>[]> =>
  (
    await client.request<{ data: Record<string, unknown>[] }>(
      'GET',
      `/api/apps/${app}/datatables/${table}/data/`,
    )
  ).data
const total = async (table: string): Promise<number> =>
  (await client.request<{ total: number }>('GET', `/api/apps/${app}/datatables/${table}/data/?_count=true`))
    .total

const people = (schema: object = {}) => ({
  resources: [
    {
      name: 'people',
      path: 'people.csv',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'name', constraints: { required: true } },
          { name: 'born', type: 'date', format: '%d.%m.%Y' },
          { name: 'size', type: 'number', constraints: { maximum: 3 } },
        ],
        primaryKey: 'id',
        ...schema,
      },
    },
  ],
})

describe('npm run load refuses', () => {
  it('an unreachable service, an unknown user, or a misspelled option', async () => {
    put('people.csv', 'id\n1\n')
    const nobody = run(['load', 'people.csv', '--app', app, '--url', 'http://127.0.0.1:9'], {
      INIT_CWD: folder,
    })
    expect([await nobody.exited, nobody.output().trim()]).toEqual([
      1,
      'Nothing answers at http://127.0.0.1:9. Does Tessera run there?',
    ])
    expect((await load('people.csv', '--user', 'nobody', '--password', 'x')).join()).toContain(
      'POST /api/auth/jwt/token/ answered 401',
    )
    expect((await load('people.csv', '--relpace')).join()).toContain("Unknown option '--relpace'")
  })

  it('a file with all its errors at once, by line and column, before it writes anything', async () => {
    put('datapackage.json', people())
    put('people.csv', 'id,name,born,size\n1,,31.12.1999,1.5\n2,Bram,1999-12-31,9\nx,Elif,,\n4,Jun\n')
    expect(await load('.')).toEqual([
      1,
      [
        'people.csv, line 2, column 2 (name): The value is missing, but required.',
        'people.csv, line 3, column 3 (born): "1999-12-31" is not a date of the format %d.%m.%Y.',
        'people.csv, line 3, column 4 (size): "9": Ensure this value is less than or equal to 3.',
        'people.csv, line 4, column 1 (id): "x" is not a whole number.',
        'people.csv, line 5: The row has 2 values, but there are 4 columns.',
        'Nothing was written. To skip such rows, add --continue',
      ],
    ])
    expect(await client.find(`/api/apps/${app}/`)).toBeUndefined()
  })

  it('undeclared fields until they are confirmed', async () => {
    put('people.csv', 'Full Name,Size\nAda,1.50\n')
    const shown = [
      'The field "Full Name" of "people" is named full_name.',
      'The fields of people, as its rows say:',
      '  full_name  string  (Full Name)',
      '  Size       number',
    ]
    expect(await load('people.csv')).toEqual([
      1,
      [
        ...shown,
        '',
        'Create the tables with these fields? Nobody can answer here: add --yes to go on. Nothing was ' +
          'written.',
      ],
    ])
    expect(await load('people.csv', '--dry-run')).toEqual([
      0,
      [...shown, `1 row would be loaded into 1 table of the app "${app}". Nothing was written.`],
    ])
    expect(await client.find(`/api/apps/${app}/`)).toBeUndefined()
    expect(await load('people.csv', '--yes')).toEqual([
      0,
      [...shown, 'people                   1/1', `Loaded 1 row into 1 table of the app "${app}".`],
    ])
    expect(await records('people')).toEqual([{ id: 1, full_name: 'Ada', Size: 1.5 }])
    const { json_schema } = await client.request<{ json_schema: { fields: object[] } }>(
      'GET',
      `/api/apps/${app}/datatables/people/`,
    )
    expect(json_schema.fields[1]).toEqual({ name: 'full_name', type: 'string', title: 'Full Name' })
  })

  it('existing tables, unless rows are to be added or replaced', async () => {
    put('datapackage.json', people())
    put('people.csv', 'id,name,born,size\n1,Ada,,\n')
    await load('.')
    expect(await load('.')).toEqual([
      1,
      [
        `The app ${app} already has people. Add --append to add the rows to them, ` +
          'or --replace to delete these tables with their records first.',
      ],
    ])
    put('people.csv', 'id,name,born,size\n2,Bram,,\n')
    expect((await load('.', '--append'))[0]).toBe(0)
    expect(await total('people')).toBe(2)
    expect((await load('.', '--replace')).join()).toContain('Nobody can answer here: add --yes to go on.')
    expect(await total('people')).toBe(2)
    expect((await load('.', '--replace', '--yes'))[0]).toBe(0)
    expect(await records('people')).toMatchObject([{ id: 2, name: 'Bram' }])
    put('people.csv', 'id,name,town\n3,Elif,Oslo\n')
    expect(await load('people.csv', '--append')).toEqual([
      1,
      [
        'The table people of the app has no field town. Its fields are id, name, born, size. ' +
          'Add the field to the table first, or use --replace.',
      ],
    ])
  })

  it('required foreign keys that form a circle', async () => {
    const table = (name: string, other: string) => ({
      name,
      data: [{ id: 1, other: 1 }],
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'other', type: 'integer', constraints: { required: true } },
        ],
        primaryKey: 'id',
        foreignKeys: [{ fields: 'other', reference: { resource: other, fields: 'id' } }],
      },
    })
    put('datapackage.json', { resources: [table('a', 'b'), table('b', 'a')] })
    expect(await load('.')).toEqual([
      1,
      [
        'The foreign keys of a, b lead in a circle, and each of them is required, so no record can be ' +
          'first. ' +
          'Make one of them optional.',
      ],
    ])
  })
})

describe('npm run load', () => {
  it('loads tables in the order of foreign keys, with every digit, and reports what it ignores', async () => {
    put('datapackage.json', {
      name: app,
      resources: [
        {
          name: 'Tour-Stops',
          path: 'stops.csv',
          dialect: { delimiter: ';' },
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'City Name', type: 'string', constraints: { required: true, minimum: 1 } },
              { name: 'ferry', type: 'integer' },
              { name: 'sold_out', type: 'boolean', trueValues: ['yes'], falseValues: ['no'] },
              { name: 'fee', type: 'number', groupChar: ',', unit: 'EUR' },
            ],
            primaryKey: 'id',
            foreignKeys: [
              { fields: 'ferry', reference: { resource: 'ferries', fields: 'id' } },
              { fields: 'City Name', reference: { resource: 'ferries', fields: 'name' } },
            ],
            missingValues: ['', '-'],
          },
        },
        {
          name: 'ferries',
          path: 'ferries.json',
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'name', type: 'string' },
              { name: 'tons', type: 'number' },
            ],
            primaryKey: ['id'],
          },
        },
      ],
    })
    const ferries = Array.from(
      { length: 2100 },
      (_, index) => `{"id": ${index + 1}, "tons": 0.10000000000000000555}`,
    )
    put('ferries.json', `[${ferries.join(',\n')}]`)
    put(
      'stops.csv',
      'id;City Name;ferry;sold_out;fee\n1;Ålesund;2;yes;1,250.50\n2;"Bergen; old harbour";-;no;-\n',
    )
    expect(await printed('load', ['datapackage.json'])).toEqual([
      0,
      [
        'The table of "Tour-Stops" is named tour_stops.',
        'The field "City Name" of "Tour-Stops" is named city_name.',
        'Left out of "Tour-Stops": field "City Name": constraints.minimum, because it does not apply to ' +
          'the type string.',
        'Left out of "Tour-Stops": field "fee": unit.',
        'Left out of "Tour-Stops": foreignKeys[1] (City Name → ferries), because name of "ferries" need ' +
          'not be unique. ' +
          'To keep it, make them the primaryKey there, or give the field the constraint "unique".',
        'ferries                  2,100/2,100',
        'tour_stops               2/2',
        `Loaded 2,102 rows into 2 tables of the app "${app}".`,
      ],
    ])
    expect(await records('tour_stops')).toEqual([
      { id: 1, city_name: 'Ålesund', ferry: 2, sold_out: true, fee: 1250.5 },
      { id: 2, city_name: 'Bergen; old harbour', ferry: null, sold_out: false, fee: null },
    ])
    const text = await client.read(`/api/apps/${app}/datatables/ferries/data/2100/`)
    expect(text).toContain('"tons":0.10000000000000000555')
  })

  it('keeps the order of the rows of a file without a key, with and without a schema', async () => {
    const names = Array.from({ length: 2_100 }, (_, index) => `n${(index * 7_919) % 2_100}`)
    put('plain.csv', `name,size\n${names.map((name) => `${name},"1,5"\n`).join('')}`)
    put('described.csv', `name\n${names.join('\n')}\n`)
    put('datapackage.json', {
      resources: [{ name: 'described', path: 'described.csv', schema: { fields: [{ name: 'name' }] } }],
    })
    expect((await load('plain.csv', '--yes'))[0]).toBe(0)
    expect((await load('datapackage.json', '--yes'))[0]).toBe(0)
    for (const table of ['plain', 'described']) {
      const path = `/api/apps/${app}/datatables/${table}/data/?page_size=1000`
      const pages = await Promise.all(
        [1, 2, 3].map((page) =>
          client.request<{ data: { id: number; name: string }[] }>('GET', `${path}&page=${page}`),
        ),
      )
      const stored = pages.flatMap(({ data }) => data)
      expect(stored.map(({ name }) => name)).toEqual(names)
      expect(stored.map(({ id }) => id)).toEqual(names.map((_, index) => index + 1))
    }
  })

  it('reads the texts of a file in the form that the whole column tells, and as the fields of the table', async () => {
    const text = 'code;size;day;open\n1;1.250,5;31.12.1999;ja\n2;0,25;01.02.2000;nein\n'
    put('forms.csv', text)
    const lines = [
      'The fields of forms, as its rows say:',
      '  code  integer',
      '  size  number, read with the decimal sign "," and "." between thousands',
      '  day   date, read with the format %d.%m.%Y',
      '  open  boolean, read with ja for true and nein for false',
    ]
    expect((await load('forms.csv', '--yes'))[1].slice(0, 5)).toEqual(lines)
    expect((await load('forms.csv', '--append'))[1].slice(0, 5)).toEqual(lines)
    expect(await records('forms')).toMatchObject([
      { id: 1, code: 1, size: 1250.5, day: '1999-12-31', open: true },
      { id: 2, code: 2, size: 0.25, day: '2000-02-01', open: false },
      { id: 3, code: 1 },
      { id: 4, code: 2 },
    ])
    put('forms.csv', 'code;size;day;open\n1;1,250;01/02/2000;ja\n')
    expect((await load('forms.csv', '--append'))[1].slice(-2)).toEqual([
      'The column "size": "1,250" may be 1250 with "," between thousands, or 1.250 with the decimal sign ' +
        '",". Say which with --decimal or --dates, or with a schema.',
      'The column "day": "01/02/2000" may be 2000-02-01 with the format %d/%m/%Y, or 2000-01-02 with the ' +
        'format %m/%d/%Y. Say which with --decimal or --dates, or with a schema.',
    ])
    const more = ['--append', '--decimal', '.', '--dates', '%m/%d/%Y']
    expect((await load('forms.csv', ...more))[0]).toBe(0)
    expect((await records('forms')).at(-1)).toMatchObject({ size: 1250, day: '2000-01-02', open: true })
  })

  it('skips invalid rows with --continue, and writes them to a file', async () => {
    put('datapackage.json', people())
    put('people.csv', 'id,name,born,size\n1,Ada,31.12.1999,\n2,Bram,never,1\n1,Elif,,\n4,Jun,,\n')
    expect(await load('.', '--continue')).toEqual([
      0,
      [
        'people                   2/2',
        `Loaded 2 rows into 1 table of the app "${app}".`,
        '2 rows with faults are in bad-rows.jsonl.',
      ],
    ])
    const bad = readFileSync(join(folder, 'bad-rows.jsonl'), 'utf8').trim().split('\n')
    expect(bad.map((line) => JSON.parse(line))).toEqual([
      {
        table: 'people',
        file: 'people.csv',
        line: 3,
        faults: ['people.csv, line 3, column 3 (born): "never" is not a date of the format %d.%m.%Y.'],
        row: { id: '2', name: 'Bram', born: 'never', size: '1' },
      },
      {
        table: 'people',
        file: 'people.csv',
        line: 4,
        faults: ['people.csv, line 4, column 1 (id): The same id as line 2.'],
        row: { id: '1', name: 'Elif', born: '', size: '' },
      },
    ])
    expect((await records('people')).map(({ id }) => id)).toEqual([1, 4])
    expect((await load('.', '--continue', '--replace', '--yes')).join()).toContain(
      'bad-rows.jsonl exists. Move it away, or name another file with --bad-rows.',
    )
  })

  it('stops at rows that the service refuses, names them all, and resumes with --resume', async () => {
    put('datapackage.json', people())
    const rows = Array.from({ length: 2500 }, (_, index) => `${index + 1},Person,,`)
    const write = (lines: string[]) => put('people.csv', `id,name,born,size\n${lines.join('\n')}\n`)
    write(rows.with(1500, '7,Person,,').with(2200, '8,Person,,'))
    expect(await load('.')).toEqual([
      1,
      [
        'people.csv, lines 1502 and 2202, column 1 (id): A record with this id already exists.',
        'The service refused rows of people (409). 1,000 records of people before them are stored. ' +
          'Correct the file and add --resume to continue, or add --continue to skip invalid rows.',
      ],
    ])
    expect(await load('.')).toEqual([
      1,
      [
        'An earlier load of this package into this app was interrupted. ' +
          'Add --resume to continue it, or --replace to start again.',
      ],
    ])
    write(rows)
    expect(await load('.', '--resume')).toEqual([
      0,
      ['people                   2,500/2,500', `Loaded 2,500 rows into 1 table of the app "${app}".`],
    ])
    expect(await total('people')).toBe(2500)
  })

  it('resumes after it was killed, without a duplicate or missing row', async () => {
    put('datapackage.json', {
      resources: [
        { name: 'people', path: 'people.csv', schema: { fields: [{ name: 'n', type: 'integer' }] } },
      ],
    })
    put('people.csv', `n\n${Array.from({ length: 20_000 }, (_, index) => index).join('\n')}\n`)
    const killed = start('load', ['.', '--app', app])
    await until(
      async () => (await total('people')) > 0,
      () => killed.output(),
    )
    process.kill(-(killed.process.pid as number), 'SIGKILL')
    await killed.exited
    expect(await total('people')).toBeLessThan(20_000)
    expect(await load('.', '--resume')).toEqual([0, expect.any(Array)])
    const { aggregates } = await client.request<{ aggregates: object }>(
      'GET',
      `/api/apps/${app}/datatables/people/data/?_aggregate=count(*),count(distinct%20n)`,
    )
    expect(aggregates).toEqual({ count: 20_000, count_distinct_n: 20_000 })
  })
})

describe('npm run export', () => {
  it('refuses an unknown app, an unknown format, and a path that exists', async () => {
    put('taken.zip', 'x')
    expect((await printed('export', ['--app', 'nowhere'])).join()).toContain(
      'There is no app nowhere. The apps are ',
    )
    expect(await printed('export', ['--app', 'library', '--format', 'xml'])).toEqual([
      1,
      ['--format xml is not known. Formats: csv, jsonl.'],
    ])
    expect(await printed('export', ['--app', 'library', 'taken.zip'])).toEqual([
      1,
      ['taken.zip exists. Add --replace to write over it, or name another one.'],
    ])
    mkdirSync(join(folder, 'mine'))
    put('mine/letters.txt', 'x')
    expect(await printed('export', ['--app', 'library', 'mine', '--replace'])).toEqual([
      1,
      ['mine has other files, for example letters.txt. Name another folder.'],
    ])
    expect(readdirSync(folder).sort()).toEqual(['mine', 'taken.zip'])
  })

  it.each(['csv', 'jsonl'].slice(runs(1, 0)))(
    'writes %s files that load back to an equal app, byte for byte',
    async (format) => {
      const [one, two] = [`one-${format}`, `two-${format}`]
      const sites = '/api/cloud/organizations/harbour-street/sites/'
      for (const slug of [one, two]) await client.request('POST', sites, { name: slug, slug })
      await makeEverything(client, `/sites/${one}/api/`)
      const args = ['--app', 'Every thing', '--format', format]
      expect((await printed('export', [...args, 'first'], `/sites/${one}`))[1].at(-1)).toBe(
        'Exported 1,210 records and 2 edges of 6 tables of the app "every-thing" to first.',
      )
      expect((await printed('load', ['first'], `/sites/${two}`)).join()).toContain(
        'The app has tables of other apps, which have to be loaded first:',
      )
      await printed('export', ['--app', 'places', 'places.zip'], `/sites/${one}`)
      expect((await printed('load', ['places.zip'], `/sites/${two}`))[0]).toBe(0)
      expect(await printed('load', ['first'], `/sites/${two}`)).toEqual([
        0,
        expect.arrayContaining(['Loaded 1,210 rows into 6 tables of the app "every-thing".']),
      ])
      // Tables that reference each other are replaced together.
      expect((await printed('load', ['first', '--replace', '--yes'], `/sites/${two}`))[0]).toBe(0)
      await printed('export', [...args, 'second'], `/sites/${two}`)
      const files = readdirSync(join(folder, 'first'), { recursive: true, encoding: 'utf8' }).sort()
      expect(readdirSync(join(folder, 'second'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(files)
      for (const name of files.filter((file) => file.includes('.')))
        expect(readFileSync(join(folder, 'second', name), 'utf8')).toBe(
          readFileSync(join(folder, 'first', name), 'utf8'),
        )
    },
  )

  it('writes the same zip file each time, and leaves no file behind if it fails', async () => {
    await printed('export', ['--app', 'library', 'one.zip'])
    await printed('export', ['--app', 'library', 'two.zip'])
    expect(readFileSync(join(folder, 'one.zip')).equals(readFileSync(join(folder, 'two.zip')))).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['one.zip', 'two.zip'])
    expect((await printed('export', ['--app', 'library', 'two.zip', '--replace']))[0]).toBe(0)
    expect(readFileSync(join(folder, 'one.zip')).equals(readFileSync(join(folder, 'two.zip')))).toBe(true)
  })
})
