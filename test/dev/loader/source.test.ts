/** Opens sources of rows: descriptors, folders, zip files and single files. Refuses others with advice. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { checkTables } from '../../../dev/loader/check.ts'
import { makeTables } from '../../../dev/loader/make-tables.ts'
import { openSource } from '../../../dev/loader/source.ts'
import { temporaryFolder } from '../../../dev/temporary-folder.ts'

const root = temporaryFolder('source')
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: string
let count = 0
beforeEach(() => {
  folder = join(root, String(++count))
  mkdirSync(folder)
})

const put = (name: string, content: string | Uint8Array | object): string => {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(
    file,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  )
  return file
}

async function zip(files: Record<string, string>, options: object = {}): Promise<Uint8Array> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options })
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text))
  return new Uint8Array(await (await writer.close()).arrayBuffer())
}

/** Opens a path and reads all its rows. Returns the number of rows by table, or the error message. */
async function read(path: string, choice: object = {}): Promise<unknown> {
  try {
    const { files, data } = await openSource(path, {
      only: undefined,
      encoding: undefined,
      sheet: undefined,
      table: undefined,
      ...choice,
    })
    const { tables } = await makeTables(files, data, data.resources, () => undefined)
    const { rows, fatal, faults } = await checkTables(files, tables, () => undefined)
    return fatal.length + faults.count > 0
      ? [...fatal, ...faults.text().split('\n')]
      : Object.fromEntries(rows)
  } catch (error) {
    return (error as Error).message
  }
}

const resource = (more: object) => ({ resources: [{ name: 'people', ...more }] })
const fields = { fields: [{ name: 'id', type: 'integer' }, { name: 'name' }] }

describe('the loader refuses', () => {
  it.each([
    [{ path: '../../etc/passwd' }, '"../../etc/passwd" leads out of the folder of the package.'],
    [{ path: ['people.csv', '/etc/passwd'] }, '"/etc/passwd" is an absolute path.'],
    [{ path: 'https://example.com/people.csv' }, 'is on another server, and nothing is fetched. Download it'],
    [
      { path: 'people.csv', schema: 'https://example.com/s.json' },
      'schema: "https://example.com/s.json" is on another server',
    ],
    [{ path: 'people.csv', schema: '../schema.json' }, 'schema: "../schema.json" leads out of the folder'],
    [{ path: 'link.csv' }, '"link.csv" is a link that leads out of the folder of the package.'],
    [
      { path: 'nobody.csv' },
      'There is no file "nobody.csv" in the package. Put it there, or correct the path.',
    ],
    [{ path: 'people.xls' }, '"people.xls" is an old Excel file. Save it as .xlsx or .csv.'],
    [{ path: 'people.ods' }, '"people.ods" is an OpenDocument spreadsheet. Save it as .xlsx or .csv.'],
    [{ path: 'people.txt' }, '"people.txt" is plain text, which is not a table of rows.'],
    [{ path: 'people.csv', dialect: { delimiter: 5 } }, 'dialect.delimiter is 5; it has to be a text'],
    [
      { path: 'people.csv', schema: { fields: [{ name: 'id', type: 'int' }] } },
      'field "id": there is no type "int". Types: ',
    ],
    [
      { path: 'people.csv', schema: { fields: [{ name: 'born', type: 'date', format: 'dd.mm.yyyy' }] } },
      'field "born": the format "dd.mm.yyyy" is not a pattern. Write it with the directives of strptime',
    ],
    [
      { path: 'people.csv', schema: { fields: [{ name: 'born', type: 'date', format: '%Y' }] } },
      'field "born": the format "%Y" has no day, so it is not a date. Declare the type "year".',
    ],
    [
      {
        path: 'people.csv',
        schema: { ...fields, foreignKeys: [{ fields: 'x', reference: { resource: '', fields: 'id' } }] },
      },
      'foreignKeys[0] (x → people): "people" has no field "x".',
    ],
    [
      {
        path: 'people.csv',
        schema: { ...fields, foreignKeys: [{ fields: 'id', reference: { resource: 'a', fields: 'id' } }] },
      },
      'foreignKeys[0] (id → a): the package has no resource "a".',
    ],
    [{}, 'resource "people": It needs the path of a file, or its rows as data.'],
  ])('a package with the resource %j', async (more, message) => {
    put('people.csv', 'id,name\n1,Ada\n')
    for (const name of ['people.xls', 'people.ods', 'people.txt']) put(name, 'x')
    put('../outside.csv', 'id,name\n1,Ada\n')
    symlinkSync(join(folder, '..', 'outside.csv'), join(folder, 'link.csv'))
    expect(await read(put('datapackage.json', resource(more)))).toContain(message)
  })

  it.each([
    ['datapackage.json', '{"resources": [}', 'datapackage.json: This is not JSON: '],
    [
      'datapackage.yaml',
      'resources:\n  - name: [\n',
      'datapackage.yaml, line 3, column 1: This is not YAML: ',
    ],
    ['datapackage.json', '{"resources": []}', 'datapackage.json has no resources.'],
  ])('the descriptor %s with %j', async (name, text, message) => {
    expect(await read(put(name, text))).toContain(message)
  })

  it('YAML whose aliases expand without limit', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 10; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      )
    expect(await read(put('datapackage.yaml', `${lines.join('\n')}\nresources: *a9\n`))).toContain(
      'datapackage.yaml cannot be read: Excessive alias count',
    )
  })

  it('all invalid resources at once, and names the valid ones', async () => {
    put('people.csv', 'id,name\n1,Ada\n')
    const all = [
      { name: 'people', path: 'people.csv' },
      { name: 'a', path: '../a.csv' },
      { name: 'b', path: 'b.ods' },
    ]
    put('b.ods', 'x')
    const file = put('datapackage.json', { resources: all })
    expect(await read(file)).toMatch(
      /^resource "a": .*\nresource "b": .*\nTo load the others alone: --only people$/,
    )
    expect(await read(file, { only: ['people'] })).toEqual({ people: 1 })
  })

  it('a file that inflates to far more than its size: in a zip file, as gzip, as an Excel file', async () => {
    const zeros = `${'0'.repeat(1024 * 1024)}\n`.repeat(66)
    const message = 'inflates to more than 200 times its size, as files do that are made to fill a disk.'
    put('bomb.zip', await zip({ 'people.csv': `id\n${zeros}` }))
    put('people.csv.gz', gzipSync(`id\n${zeros}`))
    put('people.xlsx', await zip({ 'xl/workbook.xml': zeros }))
    expect(await read(join(folder, 'bomb.zip'))).toContain(`"people.csv" in bomb.zip ${message}`)
    expect(await read(join(folder, 'people.csv.gz'))).toContain(`people.csv.gz ${message}`)
    expect(await read(join(folder, 'people.xlsx'))).toContain(message)
  })

  it('a zip file that is broken, is encrypted, or has two packages', async () => {
    put('broken.zip', 'PK but no more')
    put('secret.zip', await zip({ 'people.csv': 'id\n1\n' }, { password: 'x' }))
    const descriptor = JSON.stringify(resource({ path: 'people.csv' }))
    put('two.zip', await zip({ 'a/datapackage.json': descriptor, 'b/datapackage.json': descriptor }))
    expect(await read(join(folder, 'broken.zip'))).toContain('broken.zip cannot be read as a zip file: ')
    expect(await read(join(folder, 'secret.zip'))).toContain('"people.csv" in secret.zip is encrypted.')
    expect(await read(join(folder, 'two.zip'))).toBe(
      'There is a package in a and one in b. Load one at a time.',
    )
  })

  it.each<[path: string, choice: string | object, message: string]>([
    ['people.cvs', '', ' Is it "people.csv"?'],
    ['poeple.csv', '', ' Is it "people.csv"?'],
    ['people.csv.gz', '', ' Is it "people.csv"?'],
    ['dat', '', ' Is it "data"?'],
    ['datapackage.json', resource({ path: 'data/harbour.csv' }), ' Is it "data/harbours.csv"?'],
    ['datapackage.json', resource({ path: 'PEOPLE.tsv' }), ' Is it "people.csv"?'],
  ])(
    'a file that does not exist, and offers the one with a near name: %s %j',
    async (name, content, hint) => {
      put('people.csv', 'id,name\n1,Ada\n')
      put('data/harbours.csv', 'id\n1\n')
      const path = content === '' ? join(folder, name) : put(name, content)
      expect(await read(path)).toMatch(new RegExp(`There is no file .*${hint.replace('?', '\\?')}$`))
    },
  )

  it('a file that does not exist in a zip file, in the same way', async () => {
    const descriptor = JSON.stringify(resource({ path: 'peple.csv' }))
    const bytes = await zip({ 'a/datapackage.json': descriptor, 'a/people.csv': 'id\n1\n' })
    expect(await read(put('people.zip', bytes))).toContain('correct the path. Is it "people.csv"?')
  })

  it.each([
    ['people.csv', {}, 'id;name\n1;Ada\n', ';', ','],
    ['people.csv', { dialect: { delimiter: '|' } }, 'id,name\n1,Ada\n', ',', '|'],
    ['people.tsv', {}, 'id,name\n1,Ada\n', ',', '\t'],
    ['people.csv', { dialect: { header: false } }, '1\tAda\n', '\t', ','],
  ])('the wrong delimiter, and names the other one: %s %j', async (path, more, text, right, wrong) => {
    put(path, text)
    const said = (sign: string) => (sign === '\t' ? 'a tab' : JSON.stringify(sign))
    expect(
      String(await read(put('datapackage.json', resource({ path, schema: fields, ...more })))),
    ).toContain(
      ` If its values are separated by ${said(right)}, not by ${said(wrong)}, set "delimiter": ` +
        `${JSON.stringify(right)} in the dialect.`,
    )
  })

  it('errors by their causes, with the lines of the first ones', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `${index % 2 === 0 ? 'x' : index},Ada`)
    put('people.csv', `id,name\n${rows.join('\n')}\n7\ny,Bo,1\nz,Cy\n`)
    expect(await read(put('datapackage.json', resource({ path: 'people.csv', schema: fields })))).toEqual([
      'people.csv, lines 2, 4, 6, 8, 10 and 496 more, column 1 (id): "x" is not a whole number.',
      'people.csv, line 1002: The row has 1 value, but there are 2 columns.',
      'people.csv, line 1003: The row has 3 values, but there are 2 columns.',
    ])
  })

  it('a URL, a path that does not exist, and a folder without rows', async () => {
    expect(await read('https://example.com/datapackage.json')).toContain(
      'is on another server, and nothing is fetched',
    )
    expect(await read(join(folder, 'none.csv'))).toContain('There is no file or folder ')
    expect(await read(folder)).toContain('has neither a datapackage.json nor files with rows.')
  })
})

describe('the loader accepts', () => {
  it('a package in a folder of a zip file, with its schema and dialect in YAML files', async () => {
    const bytes = await zip({
      'ferries-main/datapackage.yml':
        'resources: [{name: people, path: data/people.csv, schema: schema.yaml, dialect: d.json}]',
      'ferries-main/schema.yaml': 'fields: [{name: id, type: integer}, {name: name}]',
      'ferries-main/d.json': '{"delimiter": ";"}',
      'ferries-main/data/people.csv': 'id;name\n1;Ada\n2;Bram\n',
      '__MACOSX/ferries-main/._datapackage.yml': 'x',
    })
    expect(await read(put('ferries.zip', bytes))).toEqual({ people: 2 })
  })

  it('a resource of several files, compressed or not, each of which may repeat the header', async () => {
    put('one.csv', 'id,name\n1,Ada\n')
    put('two.csv.gz', gzipSync('id,name\n2,Bram\n'))
    put('three.csv.zip', await zip({ 'three.csv': '3,Elif\n4,Farid\n' }))
    const path = ['one.csv', 'two.csv.gz', 'three.csv.zip']
    expect(await read(put('datapackage.json', resource({ path, schema: fields })))).toEqual({ people: 4 })
  })

  it('rows in the descriptor, as JSON and as text', async () => {
    const descriptor = {
      resources: [
        { name: 'a', data: [{ id: 1 }, { id: 2 }] },
        { name: 'b', data: [['id'], [1]] },
        { name: 'c', data: 'id,name\n1,Ada\n', format: 'csv' },
      ],
    }
    expect(await read(put('datapackage.json', descriptor))).toEqual({ a: 2, b: 1, c: 1 })
  })

  it.each([
    ['people.csv', 'id;name, first\n1;Ada, Maria Augusta\n2;Bo, Bram\n'],
    ['people.csv', 'id,size, in m,of|a,b,c|d\n1|2|3\n'],
    ['people.tsv', 'id,name\n1,Ada\n2,Bo\n'],
    ['people.csv.gz', 'id;name\n1;Ada\n2;Bo\n'],
  ])('the delimiter that every line has, of a file without a descriptor: %s %j', async (name, text) => {
    const content = name.endsWith('.gz') ? gzipSync(text) : text
    const rows = name === 'people.csv' && text.includes('|') ? 1 : 2
    expect(await read(put(name, content))).toEqual({ people: rows })
  })

  it('the files of a folder without a descriptor, each as one table', async () => {
    put('people.csv', 'id;name\n1;Ada\n')
    put('ferries.jsonl', '{"id": 1}\n{"id": 2}\n')
    put('notes.txt', 'x')
    expect(await read(folder)).toEqual({ people: 1, ferries: 2 })
  })
})
