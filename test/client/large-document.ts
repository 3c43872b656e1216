/**
 * A schema document of an app with many tables, each of which references another, as the service writes it.
 */

import type { AppDocument } from '../../client/src/generate.ts'
import {
  describeRelationship,
  relationshipGraph,
  relationshipsOf,
} from '../../src/data/model/relationships.ts'
import { recordSchemas } from '../../src/operation/reference/record-schemas.ts'
import { tablesOf } from '../support/tables.ts'

const types = ['string', 'string', 'number', 'boolean', 'datetime', 'object', 'date', 'integer'] as const

/** Returns the document. Table `t2` references `t1` with `parent_id`, and so on. */
export function largeDocument(tables: number): AppDocument {
  const resources = Array.from({ length: tables }, (_, index) => ({
    name: `t${index + 1}`,
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'f1', type: 'string', constraints: { required: true } },
        ...types.slice(1).map((type, place) => ({ name: `f${place + 2}`, type })),
        { name: 'parent_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'parent_id', reference: { resource: `t${index || tables}`, fields: 'id' } }],
    },
  }))
  const compiled = tablesOf(resources)
  const graph = relationshipGraph(compiled)
  const described = [...compiled.values()].map((table) => ({
    name: table.name,
    isReference: false,
    schemaHash: table.schemaHash,
    schema: table.schema,
    filled: new Set(['id']),
    followed: relationshipsOf(graph, table).all.map((one) => describeRelationship(table, one)),
    relationships: [],
    edges: undefined,
  }))
  const schemas = described.map((table) => recordSchemas(table, described))
  const paths = resources.map(({ name }) => [`/api/apps/large/datatables/${name}/data/`, { post: {} }])
  return {
    paths: Object.fromEntries(paths),
    tags: [],
    components: { schemas: Object.assign({}, ...schemas) },
  }
}
