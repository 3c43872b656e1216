/** The names of relationships. R5, R14. */
import { describe, expect, it } from 'vitest'
import { relationshipGraph, relationshipsOf } from '../../../../src/data/model/relationships.ts'
import { compileTable, type Table, tableRowOf } from '../../../../src/data/model/table.ts'
import { tableOf, tablesOf } from '../../../support/tables.ts'

/**
 * Returns the relationships of tables. Foreign keys are written as `column: table` or `column,column: table`.
 */
function names(
  tables: Record<string, { keys?: Record<string, string>; fields?: string[] }>,
): Record<string, string[]> {
  const resources = Object.entries(tables).map(([name, { keys = {}, fields = [] }]) => {
    const columns = new Set([...Object.keys(keys).flatMap((key) => key.split(',')), ...fields])
    return {
      name,
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          ...[...columns].map((column) => ({ name: column, type: 'integer' })),
        ],
        primaryKey: 'id',
        foreignKeys: Object.entries(keys).map(([columns, resource]) => ({
          fields: columns.split(','),
          reference: {
            resource,
            fields: columns.split(',').map((_, index) => (index === 0 ? 'id' : 'part')),
          },
        })),
      },
    }
  })
  const graph = relationshipGraph(tablesOf(resources))
  return Object.fromEntries(
    [...graph].map(([table, { all }]) => [
      table.name,
      all.map(
        ({ name, to, target, junction }) =>
          `${name}: ${to} ${target.name}${junction ? ` via ${junction.table.name}` : ''}`,
      ),
    ]),
  )
}

describe('the names of relationships', () => {
  it('come from the column without _id for a forward key, and from the referencing table for a reverse key', () => {
    expect(names({ makers: {}, products: { keys: { maker_id: 'makers' } } })).toEqual({
      makers: ['products: many products'],
      products: ['maker: one makers'],
    })
  })

  it('come from the far table for a relationship through a junction table', () => {
    expect(names({ posts: {}, tags: {}, tagged: { keys: { post_id: 'posts', tag_id: 'tags' } } })).toEqual({
      posts: ['tagged: many tagged', 'tags: many tags via tagged'],
      tags: ['tagged: many tagged', 'posts: many posts via tagged'],
      tagged: ['post: one posts', 'tag: one tags'],
    })
    expect(
      names({ posts: {}, tags: {}, tagged: { keys: { post_id: 'posts', tag_id: 'tags', by_id: 'posts' } } })
        .tags,
    ).toEqual(['tagged: many tagged'])
  })

  it('contain the column if a table has two foreign keys to the same table', () => {
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

  it('equal the column if it does not end with _id', () => {
    expect(names({ employees: { keys: { reports_to: '' } } })).toEqual({
      employees: ['reports_to: one employees', 'employees: many employees'],
    })
  })

  it('never equal the name of a field or of an earlier relationship', () => {
    expect(
      names({
        makers: { fields: ['products'] },
        products: { keys: { maker_id: 'makers' }, fields: ['maker'] },
      }),
    ).toEqual({
      makers: ['products_by_maker: many products'],
      products: ['maker_id: one makers'],
    })
    expect(
      names({
        users: {},
        teams: { keys: { owner_id: 'users' } },
        joined: { keys: { user_id: 'users', team_id: 'teams' } },
      }),
    ).toEqual({
      users: ['teams: many teams', 'joined: many joined', 'teams_by_joined: many teams via joined'],
      teams: ['owner: one users', 'joined: many joined', 'users: many users via joined'],
      joined: ['user: one users', 'team: one teams'],
    })
    expect(names({ employee: { keys: { employee_id: '' } } })).toEqual({
      employee: ['employee: one employee', 'employee_by_employee: many employee'],
    })
  })

  it('contain all fields of a foreign key with several fields', () => {
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
    expect([...graph.values()].map(({ byName }) => [...byName.keys()])).toEqual([
      ['bids', 'bids_by_lot_lot_part'],
      ['lot_lot_part', 'lot_id_lot_part'],
    ])
  })

  it('can be replaced by the column', () => {
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

  const key = (column: string, resource: string) => ({
    fields: column,
    reference: { resource, fields: 'id' },
  })
  const table = (
    name: string,
    keys: readonly [column: string, resource: string][],
    since: Record<string, number> = {},
  ) => {
    const columns = ['id', ...keys.map(([column]) => column)].map((column) => ({
      name: column,
      type: 'integer',
    }))
    const schema = {
      fields: columns,
      primaryKey: 'id',
      foreignKeys: keys.map(([column, resource]) => key(column, resource)),
    }
    return compileTable(7, { ...tableRowOf(tableOf(name, schema)), keys_since: since })
  }
  /**
   * Returns the shown names of relationships, and for each accepted name the column or table that it leads
   * to.
   */
  function namesOf(of: string, ...tables: Table[]) {
    const graph = relationshipGraph(new Map(tables.map((one) => [one.name, one])))
    const { byName, all } = relationshipsOf(graph, tables.find(({ name }) => name === of) as Table)
    const leads = [...byName].map(([name, { pairs, target, junction }]) => {
      const [far] = pairs
      return [name, junction ? `${junction.table.name} to ${target.name}` : `${target.name}.${far?.far.name}`]
    })
    return { shown: all.map(({ name }) => name), leads: Object.fromEntries(leads) }
  }

  it('stay the same for the first foreign key when later ones are added, anywhere in the schema', () => {
    const [people, before] = [
      table('people', []),
      table('letters', [['sender_id', 'people']], { sender_id: 5 }),
    ]
    expect(namesOf('people', people, before)).toEqual({
      shown: ['letters'],
      leads: { letters: 'letters.sender_id', letters_by_sender: 'letters.sender_id' },
    })
    for (const keys of [
      ['receiver_id', 'sender_id'],
      ['sender_id', 'receiver_id'],
    ]) {
      // biome-ignore format: one line
      const after = table(
        'letters',
        keys.map((column) => [column, 'people']),
        { sender_id: 5, receiver_id: 6 },
      )
      expect(namesOf('people', people, after)).toMatchObject({
        shown: expect.arrayContaining(['letters', 'letters_by_receiver']),
        leads: {
          letters: 'letters.sender_id',
          letters_by_sender: 'letters.sender_id',
          letters_by_receiver: 'letters.receiver_id',
        },
      })
    }
  })

  it('stay the same for the first junction table when another one, or a table of that name, is added', () => {
    const [posts, tags] = [table('posts', []), table('tags', [])]
    const tagged = table('tagged', [['post_id', 'posts'], ['tag_id', 'tags']], { post_id: 5, tag_id: 5 }) // biome-ignore format: one line
    const before = namesOf('posts', posts, tags, tagged)
    expect(before).toMatchObject({ shown: ['tagged', 'tags'], leads: { tags: 'tagged to tags' } })
    // This table is older and comes first in the list.
    const notes = table('notes', [['post_id', 'posts'], ['tag_id', 'tags']], { post_id: 7, tag_id: 3 }) // biome-ignore format: one line
    expect(namesOf('posts', posts, tags, notes, tagged)).toMatchObject({
      shown: ['tagged', 'notes', 'tags', 'tags_by_notes'],
      leads: { ...before.leads, tags_by_notes: 'notes to tags' },
    })
    const referring = table('tags', [['post_id', 'posts']], { post_id: 8 })
    expect(namesOf('posts', posts, referring, tagged)).toMatchObject({
      shown: ['tagged', 'tags_by_post', 'tags'],
      leads: { ...before.leads, tags_by_post: 'tags.post_id' },
    })
  })

  it('are long for relationships that are created together; the short name means the first', () => {
    const letters = table('letters', [['sender_id', 'people'], ['receiver_id', 'people']]) // biome-ignore format: one line
    expect(namesOf('people', table('people', []), letters)).toMatchObject({
      shown: [
        'letters_by_sender',
        'letters_by_receiver',
        'people_by_letters_receiver',
        'people_by_letters_sender',
      ],
      leads: { letters: 'letters.sender_id' },
    })
  })
})
