/** The access rules of an app, which apply to several of its tables. X2. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { presetRule } from '../../../src/data/model/access-presets.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addTables, createShop, grant, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let reader: User
let editor: User

const key = { name: 'id', type: 'integer' }
const schema = { fields: [key, { name: 'title', type: 'string' }], primaryKey: 'id' }
const access = () => `${shop.api}/apps/shop/access/`
const put = (rules: unknown, { query = '', headers = {}, by = shop.owner } = {}) =>
  app.request('PUT', `${access()}${query}`, { token: by.token, headers, body: { rules } })
const get = () => app.request('GET', access(), { token: shop.owner.token })
const ids = async (table: string, user: User) => {
  const { status, body } = await app.request('GET', shop.data(table), { token: user.token })
  return status === 200 ? body.data.map(({ id }: { id: number }) => id) : status
}
const write = async (table: string, user: User, id: number) =>
  (await app.request('POST', shop.data(table), { token: user.token, body: { id, title: 'new' } })).status
const role = (name: string) => ({ name, title: '', description: '', groups: [] })
const sitePath = (path: string) => `/api/cloud/sites/${shop.slug}/${path}`

const readers = { name: 'readers', who: 'role:reader', can: ['read'], tables: '*' }
const editors = { name: 'editors', who: 'role:editor', can: ['read', 'create', 'update'], tables: '*' }

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'atelier', {
    resources: [
      { name: 'notes', schema },
      {
        name: 'rooms',
        schema: { ...schema, graph: { enabled: true, types: [{ name: 'joins', inverse: 'joined_by' }] } },
      },
    ],
  })
  for (const table of ['notes', 'rooms'])
    await app.request('POST', shop.data(table), { token: shop.owner.token, body: [{ id: 1, title: table }] })
  await app.request('PUT', sitePath('roles/'), {
    token: shop.owner.token,
    body: [role('reader'), role('editor'), role('guide')],
  })
  for (const name of ['reader', 'editor'] as const) {
    const user = await app.user(name)
    await app.request('PUT', sitePath(`permissions/${user.id}/`), {
      token: shop.owner.token,
      body: { permissions: [], roles: [name] },
    })
    if (name === 'reader') reader = user
    else editor = user
  }
})
beforeEach(async () => {
  expect((await put([])).status).toBe(200)
})

describe('rules of an app are refused', () => {
  it('without manage_site: 401 and 403', async () => {
    expect((await app.request('PUT', access(), { body: { rules: [] } })).status).toBe(401)
    await grant(app, shop, reader, ['access_site', 'manage_site_users'])
    expect((await put([readers], { by: reader })).status).toBe(403)
    await grant(app, shop, reader, [])
  })

  it.each<[string, object, string]>([
    ['name a table that is missing', { ...readers, tables: ['notes', 'nots'] }, 'readers: there is no table'],
    ['name no table', { ...readers, tables: [] }, 'rules.0.tables'],
    ['say nothing of tables', { name: 'readers', who: 'user', can: ['read'] }, 'rules.0.tables'],
    [
      'name a field that a table lacks',
      { ...readers, fields: ['id', 'price'] },
      'the rule \\"readers\\" of the app.fields: there is no field \\"price\\" in \\"notes\\"',
    ],
    [
      'compare a field that a table lacks',
      { ...readers, where: { price: 1 } },
      'the rule \\"readers\\" of the app.where: ',
    ],
  ])('if they %s: 400, and nothing changes', async (_what, rule, problem) => {
    const { status, body } = await put([rule])
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(problem)])
    expect((await get()).body.rules).toEqual([])
    expect(await ids('notes', reader)).toBe(403)
  })

  it('if two have one name: 400', async () => {
    expect(await put([readers, readers])).toMatchObject({
      status: 400,
      body: { rules: ['there are two rules named "readers"'] },
    })
  })

  it('if the client has seen other rules: 412', async () => {
    const seen = (await get()).headers.get('etag') ?? ''
    expect((await put([readers], { headers: { 'if-match': seen } })).status).toBe(200)
    expect(await put([editors], { headers: { 'if-match': seen } })).toMatchObject({
      status: 412,
      body: { error: 'Precondition failed', code: 'changed_meanwhile' },
    })
    expect((await get()).body.rules).toEqual([readers])
  })
})

describe('rules of an app', () => {
  it('let a reader and an editor into all tables by a line each, and are reported', async () => {
    expect([await ids('notes', reader), await ids('rooms', editor)]).toEqual([403, 403])
    const { status, body, headers } = await put([readers, editors])
    expect([status, body.rules, headers.get('etag')]).toEqual([
      200,
      [readers, editors],
      (await get()).headers.get('etag'),
    ])
    const fields = ['id', 'title']
    const permit = (datatable: string, who: string, can: string, rule: string) => ({
      ...{ datatable, who, can, records: 'all', rules: [rule], fields },
    })
    const ofNotes = body.permits.filter(({ datatable }: { datatable: string }) => datatable === 'notes')
    expect(ofNotes).toEqual([
      permit('notes', 'role:reader', 'read', 'readers'),
      permit('notes', 'role:editor', 'read', 'editors'),
      { ...permit('notes', 'role:editor', 'create', 'editors'), fields: ['title'] },
      { ...permit('notes', 'role:editor', 'update', 'editors'), fields: ['title'] },
    ])
    for (const table of ['notes', 'rooms']) {
      expect([await ids(table, reader), await ids(table, editor)]).toEqual([[1], [1]])
      expect(await write(table, reader, 7)).toBe(403)
    }
    const made = await app.request('POST', shop.data('notes'), {
      token: editor.token,
      body: { title: 'by the editor' },
    })
    expect([made.status, made.body.data.title]).toEqual([201, 'by the editor'])
    await app.request('DELETE', `${shop.data('notes')}${made.body.data.id}/`, { token: shop.owner.token })
  })

  it('can be written back as they were read, and name only some tables', async () => {
    const { body } = await put([{ ...readers, tables: ['rooms'] }])
    const again = await app.request('PUT', access(), { token: shop.owner.token, body })
    expect([again.status, again.body]).toEqual([200, body])
    expect([await ids('notes', reader), await ids('rooms', reader)]).toEqual([403, [1]])
  })

  it('change nothing in a dry run', async () => {
    const { status, body } = await put([readers], { query: '?dry_run=true' })
    expect([status, body.rules]).toEqual([200, [readers]])
    expect([(await get()).body.rules, await ids('notes', reader)]).toEqual([[], 403])
  })

  it('leave out actions that a table does not have', async () => {
    const { body } = await put([{ ...editors, can: ['read', 'edges', 'history'] }])
    expect(body.permits.map(({ datatable, can }: Record<string, string>) => `${datatable} ${can}`)).toEqual([
      'notes read',
      'rooms read',
      'rooms edges',
    ])
  })

  it('apply with the rules of each table, which can follow', async () => {
    await put([{ ...readers, where: { id: 1 } }])
    const path = `${shop.api}/apps/shop/datatables/notes/access/`
    const own = { rules: [{ name: 'own', who: 'role:reader', can: ['read'], where: { title: 'mine' } }] }
    await app.request('PUT', path, { token: shop.owner.token, body: own })
    await app.request('POST', shop.data('notes'), {
      token: shop.owner.token,
      body: [
        { id: 50, title: 'mine' },
        { id: 51, title: 'yours' },
      ],
    })
    expect(await ids('notes', reader)).toEqual([1, 50])
    const explained = await app.request('POST', `${path}explain/`, {
      token: shop.owner.token,
      body: { as: { user: reader.id }, action: 'read', record: 51 },
    })
    expect(explained.body.rules.map(({ name, failed }: Record<string, string>) => [name, failed])).toEqual([
      ['own', 'where'],
      ['readers', 'where'],
    ])
    await app.request('PUT', path, { token: shop.owner.token, body: { rules: [] } })
    expect(await ids('notes', reader)).toEqual([1])
  })

  it('apply to tables that are made later; one that they do not fit is 400', async () => {
    await put([{ ...readers, where: { title__null: false } }])
    await addTables(app, shop, [{ name: 'later', schema }])
    await app.request('POST', shop.data('later'), { token: shop.owner.token, body: [{ id: 1, title: 'a' }] })
    expect(await ids('later', reader)).toEqual([1])
    const answer = await app.request(
      'POST',
      `${shop.api}/apps/shop/datatables/create_schema/?materialize=true`,
      {
        token: shop.owner.token,
        body: { resources: [{ name: 'odd', schema: { fields: [key], primaryKey: 'id' } }] },
      },
    )
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      400,
      expect.stringContaining('the rule \\"readers\\" of the app.where'),
    ])
  })

  it('hold the fields that they name: a new name is 400 that says how to go on, and so it goes on', async () => {
    await addTables(app, shop, [{ name: 'letters', schema }])
    const own = (title: string) => ({
      name: 'own',
      who: 'role:reader',
      can: ['read'],
      fields: ['id', title],
      where: { [`${title}__null`]: false },
    })
    const ofApp = { ...own('title'), name: 'readers', tables: ['notes', 'letters'] }
    expect((await put([ofApp])).status).toBe(200)
    await app.request('POST', shop.data('letters'), {
      token: shop.owner.token,
      body: [{ id: 1, title: 'a' }, { id: 2 }],
    })
    const path = `${shop.api}/apps/shop/datatables/letters/`
    const change = (json_schema: object) =>
      app.request('PATCH', path, { token: shop.owner.token, body: { json_schema } })
    const heading = { name: 'heading', 'x-rename-from': 'title', type: 'string' }
    const renamed = { ...schema, fields: [key, heading] }
    const wayOut =
      'The schema of a table cannot change a rule of its app. Give the table the same rule in its "access", take ' +
      'it out of the "tables" of the rule of the app, and then send this schema, with a rule of the table that ' +
      'fits it.'
    expect(await change(renamed)).toMatchObject({
      status: 400,
      body: {
        json_schema: ['the rule "readers" of the app.fields: there is no field "title" in "letters"', wayOut],
      },
    })
    // Also where only a filter names it, and never for a rule of the table itself.
    expect((await put([{ ...ofApp, fields: undefined }])).status).toBe(200)
    expect((await change(renamed)).body.json_schema.at(-1)).toBe(wayOut)
    expect((await put([ofApp])).status).toBe(200)
    expect((await change({ ...schema, access: { rules: [own('title')] } })).status).toBe(200)
    expect((await put([{ ...ofApp, tables: ['notes'] }])).status).toBe(200)
    const unfit = await change({ ...renamed, access: { rules: [own('title')] } })
    expect([unfit.status, JSON.stringify(unfit.body)]).toEqual([
      400,
      expect.not.stringContaining('of its app'),
    ])
    expect((await change({ ...renamed, access: { rules: [own('heading')] } })).status).toBe(200)
    expect(await ids('letters', reader)).toEqual([1])
  })

  it('hold the tables that they name: 409 that names the rules, also in a dry run', async () => {
    await addTables(app, shop, [{ name: 'named', schema }])
    await put([{ ...readers, tables: ['notes', 'named'] }, editors])
    const remove = (query: string) =>
      app.request('DELETE', `${shop.api}/apps/shop/datatables/named/?${query}`, { token: shop.owner.token })
    for (const query of ['', 'purge=true', 'cascade=true', 'dry_run=true']) {
      const { status, body } = await remove(query)
      expect([query, status, body]).toEqual([
        query,
        409,
        {
          error: 'Datatable is named by access rules',
          detail:
            '"named" cannot be deleted while rules of the app name it: "readers". ' +
            'Take it out of their "tables" first.',
          code: 'still_referenced',
        },
      ])
    }
    await put([{ ...readers, tables: ['notes'] }, editors])
    expect((await remove('')).status).toBe(204)
    expect((await put([{ ...readers, tables: ['notes'] }])).status).toBe(200)
    // A table that gets the name of a deleted one has only the rules that it is given.
    await addTables(app, shop, [{ name: 'named', schema }])
    expect(await ids('named', reader)).toBe(403)
    expect((await remove('purge=true')).status).toBe(204)
  })

  it('hold a role: 409 that names the rule if it is removed', async () => {
    await put([{ ...readers, who: 'role:guide' }])
    const roles = (body: object[]) =>
      app.request('PUT', sitePath('roles/'), { token: shop.owner.token, body })
    expect(await roles([role('reader'), role('editor')])).toMatchObject({
      status: 409,
      body: { detail: 'A role that is used is not removed: "guide" is used by the rule "readers" of shop.' },
    })
    await put([])
    expect((await roles([role('reader'), role('editor'), role('guide')])).status).toBe(200)
  })
})

describe('a preset', () => {
  it('is a rule with a name of its own, which gives no permission', async () => {
    const rule = presetRule('reader', 'role:reader', '*', [])
    expect(rule).toEqual({ name: 'reader role reader', who: 'role:reader', can: ['read'], tables: '*' })
    const second = presetRule('editor', 'role:editor', ['notes'], [{ name: 'editor role editor' }])
    expect(second).toMatchObject({
      name: 'editor role editor 2',
      can: ['read', 'create', 'update', 'delete'],
    })
    expect((await put([rule, second])).status).toBe(200)
    const { body } = await app.request('GET', sitePath(`permissions/${reader.id}/`), {
      token: shop.owner.token,
    })
    expect(body).toEqual({ permissions: [], roles: ['reader'] })
    expect(await ids('rooms', reader)).toEqual([1])
  })
})
