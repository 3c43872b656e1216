import { describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../src/data/query/relationships.ts'
import { tablesOf } from '../../support/tables.ts'

/** Tables by the foreign keys they declare, as `column: table` or `column,column: table`, and what else they have. */
function names(tables: Record<string, { keys?: Record<string, string>; fields?: string[] }>): Record<string, string[]> {
  const resources = Object.entries(tables).map(([name, { keys = {}, fields = [] }]) => {
    const columns = new Set([...Object.keys(keys).flatMap((key) => key.split(',')), ...fields])
    return {
      name,
      schema: {
        fields: [{ name: 'id', type: 'integer' }, ...[...columns].map((column) => ({ name: column, type: 'integer' }))],
        primaryKey: 'id',
        foreignKeys: Object.entries(keys).map(([columns, resource]) => ({
          fields: columns.split(','),
          reference: { resource, fields: columns.split(',').map((_, index) => (index === 0 ? 'id' : 'part')) },
        })),
      },
    }
  })
  const graph = relationshipGraph(tablesOf(resources))
  return Object.fromEntries(
    [...graph].map(([table, { all }]) => [
      table.name,
      all.map(({ name, to, target, junction }) => `${name}: ${to} ${target.name}${junction ? ` via ${junction.table.name}` : ''}`),
    ]),
  )
}

describe('the name of a relationship', () => {
  it('is a forward key by the column without _id; a reverse one by the referencing table', () => {
    expect(names({ makers: {}, products: { keys: { maker_id: 'makers' } } })).toEqual({
      makers: ['products: many products'],
      products: ['maker: one makers'],
    })
  })

  it('is through a junction that of the far table', () => {
    expect(names({ posts: {}, tags: {}, tagged: { keys: { post_id: 'posts', tag_id: 'tags' } } })).toEqual({
      posts: ['tagged: many tagged', 'tags: many tags via tagged'],
      tags: ['tagged: many tagged', 'posts: many posts via tagged'],
      tagged: ['post: one posts', 'tag: one tags'],
    })
    expect(names({ posts: {}, tags: {}, tagged: { keys: { post_id: 'posts', tag_id: 'tags', by_id: 'posts' } } }).tags).toEqual([
      'tagged: many tagged',
    ])
  })

  it('of two foreign keys from one table says which', () => {
    expect(names({ people: {}, letters: { keys: { sender_id: 'people', receiver_id: 'people' } } })).toEqual({
      people: [
        'letters_by_sender: many letters',
        'letters_by_receiver: many letters',
        'people_by_letters_receiver: many people via letters',
        'people_by_letters_sender: many people via letters',
      ],
      letters: ['sender: one people', 'receiver: one people'],
    })
  })

  it('is the column where that has no _id', () => {
    expect(names({ employees: { keys: { reports_to: '' } } })).toEqual({ employees: ['reports_to: one employees', 'employees: many employees'] })
  })

  it('is never that of a field, nor of a relationship that comes before it', () => {
    expect(names({ makers: { fields: ['products'] }, products: { keys: { maker_id: 'makers' }, fields: ['maker'] } })).toEqual({
      makers: ['products_by_maker: many products'],
      products: ['maker_id: one makers'],
    })
    expect(names({ users: {}, teams: { keys: { owner_id: 'users' } }, joined: { keys: { user_id: 'users', team_id: 'teams' } } })).toEqual({
      users: ['teams: many teams', 'joined: many joined', 'teams_by_joined: many teams via joined'],
      teams: ['owner: one users', 'joined: many joined', 'users: many users via joined'],
      joined: ['user: one users', 'team: one teams'],
    })
    expect(names({ employee: { keys: { employee_id: '' } } })).toEqual({
      employee: ['employee: one employee', 'employee_by_employee: many employee'],
    })
  })

  it('of a key of several fields has all of them', () => {
    const tables = tablesOf([
      { name: 'lots', schema: { fields: [{ name: 'id', type: 'integer' }, { name: 'part', type: 'integer' }], primaryKey: ['id', 'part'] } },
      {
        name: 'bids',
        schema: {
          fields: [{ name: 'id', type: 'integer' }, { name: 'lot_id', type: 'integer' }, { name: 'lot_part', type: 'integer' }],
          foreignKeys: [{ fields: ['lot_id', 'lot_part'], reference: { resource: 'lots', fields: ['id', 'part'] } }],
        },
      },
    ]) // biome-ignore format: tables as they are read
    const graph = relationshipGraph(tables)
    expect([...graph.values()].map(({ byName }) => [...byName.keys()])).toEqual([['bids'], ['lot_lot_part']])
  })

  it('is written by clients as it is, or as the column', () => {
    const tables = tablesOf([
      { name: 'makers', schema: { fields: [{ name: 'id', type: 'uuid' }] } },
      {
        name: 'products',
        schema: {
          fields: [{ name: 'maker_id', type: 'uuid' }],
          foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
        },
      },
    ])
    const [, products] = [...relationshipGraph(tables).values()]
    expect([...(products?.byName.keys() ?? [])]).toEqual(['maker', 'maker_id'])
    expect(products?.byName.get('maker')).toBe(products?.byName.get('maker_id'))
  })
})
