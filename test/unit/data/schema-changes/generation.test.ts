/** The generation of the objects in the schemas of sites, and their text. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../../../src/data/catalog/load-catalog.ts'
import { relationshipGraph } from '../../../../src/data/model/relationships.ts'
import { remakeObjects } from '../../../../src/data/schema-changes/remake-objects.ts'
import { generation } from '../../../../src/kernel/db/generation.ts'
import { renderText } from '../../../../src/kernel/db/sql.ts'
import { tablesOf } from '../../../support/tables.ts'

const rules = [
  { name: 'shown', who: 'anyone', can: ['read', 'history'], where: { is_public: true } },
  {
    name: 'own',
    who: 'signed-in',
    can: ['read', 'create', 'update', 'delete', 'edges'],
    where: { owner_id: { $: 'user.id' } },
    set: { owner_id: { $: 'user.id' } },
    fields: { read: ['id', 'name', 'notes'], write: ['id', 'name', 'maker_id'] },
  },
  { name: 'by name', who: 'group:editors', can: ['read', 'update'], where: { 'maker.name': 'Ostra' } },
]
const fields = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'string', constraints: { unique: true } },
  { name: 'notes', type: 'string' },
  { name: 'owner_id', type: 'integer' },
  { name: 'is_public', type: 'boolean' },
  { name: 'is_deleted', type: 'boolean' },
]
const key = { fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }
const graph = { enabled: true, types: [{ name: 'to', constraints: { max_outgoing: 1 } }] }
const resources = [
  {
    name: 'makers',
    schema: {
      fields,
      primaryKey: 'id',
      search_fields: ['name'],
      history: true,
      access: { rules: rules.slice(0, 1) },
    },
  },
  {
    name: 'products',
    schema: {
      fields: [...fields, { name: 'maker_id', type: 'integer' }],
      primaryKey: 'id',
      foreignKeys: [key],
      history: true,
      graph,
      hierarchy: true,
      access: { rules },
    },
  },
]

/** Returns the statements for an app with everything that the service generates. */
function textOf(providerType: string): string {
  const tables = tablesOf(resources, 7, { providerType })
  const relationships = relationshipGraph(tables)
  const app = { id: 3, name: 'Shop', slug: 'shop', rules: [] }
  const catalog = { siteId: 7, catalogVersion: 1, app, tables, relationships } as Partial<Catalog> as Catalog
  const { dropped, triggers, statistics, created } = remakeObjects(catalog)
  return [...dropped, ...triggers, ...statistics, ...created].map(renderText).join(';\n')
}

describe('the generation of generated objects', () => {
  it('is raised when their text changes: if this fails, raise it, and write the new hash here', () => {
    const text = ['flat_table', 'jsonb'].map(textOf).join(';\n')
    for (const part of ['view', 'function', 'or replace trigger', 'statistics'])
      expect(text).toContain(`create ${part}`)
    expect(text).toContain('keep_versions')
    expect([generation, createHash('sha256').update(text).digest('hex').slice(0, 16)]).toEqual([
      3,
      '241239d3dbe973e0',
    ])
  })
})
