/** Tables that reference each other are deleted and restored together. D10, D17. */
import { beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { addTables, createShop, ownerOf, type Shop } from '../../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const to = (field: string, resource: string) => ({ fields: field, reference: { resource, fields: 'id' } })
const integer = (name: string) => ({ name, type: 'integer' })

/** Teams have a captain, players a team, and scores a player. Grounds reference nothing. */
const resources = [
  {
    name: 'teams',
    schema: { fields: [id, integer('captain_id')], foreignKeys: [to('captain_id', 'players')] },
  },
  { name: 'players', schema: { fields: [id, integer('team_id')], foreignKeys: [to('team_id', 'teams')] } },
  {
    name: 'scores',
    schema: { fields: [id, integer('player_id')], foreignKeys: [to('player_id', 'players')] },
  },
  { name: 'grounds', schema: { fields: [id] } },
]

let number = 0
beforeEach(async () => {
  app ??= await startApp()
  shop = await createShop(app, `league-${number++}`, { resources })
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
  await owner.post('teams/data/', { id: 1 })
  await owner.post('players/data/', { id: 7, team_id: 1 })
  await owner.patch('teams/data/1/', { captain_id: 7 })
  await owner.post('scores/data/', { id: 3, player_id: 7 })
})

const names = async (query = '') =>
  (await owner.get(query)).body.map((one: { name: string }) => one.name).toSorted()
const physical = async () =>
  (
    await app.sql<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
      shop.schema,
    ])
  )
    .map(({ name }) => name)
    .filter((name) => /^(shop_|_deleted_\d)/.test(name))

describe('deleting a datatable that others reference', () => {
  it('deletion returns 409 without cascade, and with cascade if another app references a table', async () => {
    expect(await owner.delete('teams/')).toMatchObject({ status: 409, body: { referenced_by: ['players'] } })
    await app.request('POST', `${shop.api}/apps/`, { token: shop.owner.token, body: { name: 'press' } })
    await app.request('POST', `${shop.api}/apps/press/datatables/import-reference/`, {
      token: shop.owner.token,
      body: { source_app_slug: 'shop', source_table_name: 'scores' },
    })
    for (const query of ['', '&dry_run=true', '&purge=true']) {
      expect(await owner.delete(`teams/?cascade=true${query}`)).toMatchObject({
        status: 409,
        body: { referenced_by: ['press/scores'] },
      })
    }
    expect(await names()).toEqual(['grounds', 'players', 'scores', 'teams'])
  })

  it('a dry run lists the tables to delete, and deletes nothing', async () => {
    const { status, body } = await owner.delete('teams/?cascade=true&dry_run=true')
    expect(
      (
        await ownerOf(app, shop, '/apps/shop/datasources/main/datatables/').delete(
          'teams/?cascade=true&dry_run=true',
        )
      ).body,
    ).toEqual(body)
    expect([status, body.datatables]).toEqual([200, ['scores', 'players', 'teams']])
    expect(body.changes.map((one: { description: string }) => one.description)).toEqual([
      'Put table scores aside',
      'Put table players aside',
      'Put table teams aside',
    ])
    expect((await owner.delete('grounds/?dry_run=true')).body).toMatchObject({
      datatables: ['grounds'],
      changes: [{ operation: 'drop_table' }],
    })
    expect(await owner.delete('teams/?dry_run=true')).toMatchObject({ status: 409 })
    expect(await names()).toEqual(['grounds', 'players', 'scores', 'teams'])
  })

  it('deletion with cascade moves all tables into the trash', async () => {
    expect((await owner.delete('teams/?cascade=true')).status).toBe(204)
    expect([await names(), await names('?deleted=true')]).toEqual([
      ['grounds'],
      ['players', 'scores', 'teams'],
    ])
  })

  it('deletion with cascade and purge drops all tables', async () => {
    expect((await owner.delete('players/?cascade=true&purge=true')).status).toBe(204)
    expect([await names(), await names('?deleted=true'), await physical()]).toEqual([
      ['grounds'],
      [],
      ['shop_grounds'],
    ])
  })

  it('restoring a table also restores the tables that it references, with records and keys', async () => {
    await owner.delete('teams/?cascade=true')
    expect(await owner.post('players/restore/', {})).toMatchObject({ status: 200, body: { name: 'players' } })
    expect([await names(), await names('?deleted=true')]).toEqual([
      ['grounds', 'players', 'teams'],
      ['scores'],
    ])
    expect((await owner.get('teams/data/?populate=captain')).body.data).toEqual([
      { id: 1, captain_id: 7, captain: { id: 7, team_id: 1 } },
    ])
    expect(await owner.patch('teams/data/1/', { captain_id: 8 })).toMatchObject({
      status: 400,
      body: { error: 'Foreign key violation', code: 'reference_missing' },
    })
    expect(await owner.delete('teams/data/1/')).toMatchObject({ status: 403 })
    expect(await owner.post('scores/restore/', {})).toMatchObject({ status: 200 })
    expect(await owner.delete('players/data/7/')).toMatchObject({ status: 403 })
  })

  it('restoration returns 409 for a taken name; with another name, foreign keys follow it', async () => {
    await owner.delete('teams/?cascade=true')
    await addTables(app, shop, [{ name: 'players', schema: { fields: [id] } }])
    expect(await owner.post('players/restore/', {})).toMatchObject({ status: 409 })
    expect(await owner.post('players/restore/', { name: 'squad' })).toMatchObject({
      status: 200,
      body: { name: 'squad' },
    })
    expect((await owner.get('teams/')).body.json_schema.foreignKeys[0].reference.resource).toBe('squad')
    expect(await owner.patch('teams/data/1/', { captain_id: 8 })).toMatchObject({ status: 400 })
  })

  it('rolling back a deletion with cascade restores the tables; a dry run returns the steps', async () => {
    await owner.delete('teams/?cascade=true')
    const [last] = (await owner.get('teams/operation-history/')).body.data
    const plan = await owner.post('teams/rollback/?dry_run=true', { revision_id: last.id })
    expect([
      plan.status,
      plan.body.warnings,
      plan.body.changes.map((one: { description: string }) => one.description),
    ]).toEqual([
      200,
      [],
      [
        'Restore table teams',
        'Restore table players',
        'Restore the foreign key captain_id of teams',
        'Restore the foreign key team_id of players',
      ],
    ])
    expect(await names()).toEqual(['grounds'])
    expect((await owner.post('teams/rollback/', { revision_id: last.id })).status).toBe(200)
    expect(await names()).toEqual(['grounds', 'players', 'teams'])
  })
})
