/** The plan of a push to a site that does not have the app yet: the service is not asked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compare } from '../../../cli/src/schema/compare.ts'
import { readFiles } from '../../../cli/src/schema/files.ts'
import { planChanges } from '../../../cli/src/schema/plan.ts'
import { createClient, memoryStore, type UnknownApps } from '../../../client/src/index.ts'

const root = mkdtempSync(join(tmpdir(), 'plan-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

/** Returns the parts of an app with these files, and the problems of its plan. */
async function planOf(files: Readonly<Record<string, unknown>>) {
  const folder = join(root, String(count++))
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
  }
  const parts = await readFiles(folder)
  const client = createClient<UnknownApps>({ url: 'http://127.0.0.1:1', auth: { store: memoryStore() } })
  const comparison = compare(parts, undefined, {})
  const plan = await planChanges({
    client,
    app: 'new',
    files: parts,
    service: undefined,
    site: 'new',
    comparison,
  })
  return {
    parts,
    problems: plan.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [[name, problem.split('\n')]],
    ),
  }
}

const id = { name: 'id', type: 'integer' }
const schema = { primaryKey: 'id', fields: [id] }
const main = { name: 'Main', provider_type: 'flat_table', provider_config: {}, description: '' }

describe('the plan of a new app', () => {
  it('refuses schemas, references and datasources that cannot be, each on a line', async () => {
    const to = (resource: string) => [{ fields: 'other', reference: { resource, fields: 'id' } }]
    const other = { name: 'other', type: 'integer' }
    const { problems } = await planOf({
      'app.json': { name: 'New' },
      'tables/colours.json': {
        schema: { fields: [id, { name: 'x', type: 'colour' }, { name: 'id', type: 'string' }] },
      },
      'tables/lost.json': { schema: { ...schema, fields: [id, other], foreignKeys: to('gone') } },
      'tables/papers.json': { datasource: 'documents', schema },
      'tables/good.json': { schema: { ...schema, fields: [id, other], foreignKeys: to('papers') } },
      'tables/self.json': { schema: { ...schema, fields: [id, other], foreignKeys: to('') } },
    })
    expect(problems).toEqual([
      ['colours', [expect.stringMatching(/^fields\[1\]/), expect.stringMatching(/^fields: there are two/)]],
      ['lost', ['It references gone, which has no file in tables.']],
      ['papers', ['The datasource "documents" is not in "datasources" of app.json.']],
    ])
  })

  it('refuses an app without a name, and datasources that cannot be', async () => {
    const { problems } = await planOf({
      'app.json': { datasources: { 'a b': {}, papers: { provider_type: 'paper' }, main } },
      'tables/good.json': { schema },
    })
    expect(problems).toEqual([
      [
        '',
        [
          'name: This field is required.',
          expect.stringMatching(/^datasources\.a b: A slug has /),
          'datasources.papers.provider_type: Must be one of: flat_table, jsonb, mongodb.',
        ],
      ],
    ])
  })

  it('has the datasource main for tables that name no other, unless app.json names datasources', async () => {
    const { parts, problems } = await planOf({ 'app.json': { name: 'New' }, 'tables/a.json': { schema } })
    expect([parts.app.datasources, problems]).toEqual([{ main }, []])
    const empty = await planOf({ 'app.json': { name: 'New' } })
    expect(empty.parts.app.datasources).toEqual({})
    const named = await planOf({
      'app.json': { name: 'New', datasources: { own: {} } },
      'tables/a.json': { schema },
      'tables/b.json': { datasource: 'own', schema },
    })
    expect(named.problems).toEqual([['a', ['The datasource "main" is not in "datasources" of app.json.']]])
  })
})
