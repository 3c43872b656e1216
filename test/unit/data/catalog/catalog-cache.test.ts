/** The catalogs that an isolate keeps. */
import { describe, expect, it } from 'vitest'
import { forgetCatalog, keepCatalog, keptCatalog } from '../../../../src/data/catalog/catalog-cache.ts'
import type { CatalogSource } from '../../../../src/data/catalog/load-catalog.ts'
import type { CatalogRow } from '../../../../src/data/catalog/store.ts'

const tableNames = ['customers', 'products', 'orders', 'lines', 'notes']

/** Returns the source of an app with five tables of eight fields. */
function sourceOf(siteId: number): CatalogSource {
  const fields = ['id', 'code', 'title', 'city', 'amount', 'stock', 'is_active', 'created_at']
  const row: CatalogRow = {
    app: { id: 1, name: `App ${siteId}`, slug: 'shop' },
    datasources: [{ id: 1, name: 'Main', slug: 'main', provider_type: 'internal' }],
    tables: tableNames.map((name, index) => ({
      id: index + 1,
      name,
      json_schema: {
        fields: fields.map((field) => ({ name: field, type: field === 'id' ? 'integer' : 'string' })),
        primaryKey: ['id'],
        foreignKeys: [],
        indexes: [],
      },
      schema_hash: 'a'.repeat(64),
      physical_table_name: `shop_${name}`,
      is_materialized: true,
      datasource: { slug: 'main', providerType: 'internal' },
      source: null,
    })),
    away: [],
    dependents: [],
    events: [],
  }
  return { site: { siteId, catalogVersion: 1 }, json: JSON.stringify(row) }
}

const keyOf = (site: number) => `site-${site} shop`
const siteCount = 1_500

describe('the catalogs of an isolate', () => {
  it('are none for an app that was not asked for', () => {
    expect(keptCatalog('unknown')).toBeUndefined()
  })

  it('say that an app does not exist', () => {
    keepCatalog('missing', { site: { siteId: 1, catalogVersion: 3 }, json: null })
    expect(keptCatalog('missing')).toEqual({ siteId: 1, catalogVersion: 3, app: null })
  })

  it('are kept of more than a thousand apps; those used last are not compiled again', () => {
    const first = keepCatalog(keyOf(1), sourceOf(1))
    for (let site = 2; site <= siteCount; site++) keepCatalog(keyOf(site), sourceOf(site))
    const last = keptCatalog(keyOf(siteCount))
    expect(keptCatalog(keyOf(siteCount))).toBe(last)
    const again = keptCatalog(keyOf(1))
    expect(again).not.toBe(first)
    expect(again).toMatchObject({ siteId: 1, catalogVersion: 1, app: { name: 'App 1' } })
    expect(again?.app && [...again.tables.keys()]).toEqual(tableNames)
    expect(keptCatalog(keyOf(1))).toBe(again)
  })

  it('are replaced by newer ones', () => {
    keepCatalog(keyOf(1), { ...sourceOf(1), site: { siteId: 1, catalogVersion: 2 } })
    expect(keptCatalog(keyOf(1))).toMatchObject({ siteId: 1, catalogVersion: 2 })
  })

  it('are forgotten with their sources', () => {
    forgetCatalog(keyOf(1))
    expect(keptCatalog(keyOf(1))).toBeUndefined()
  })
})
