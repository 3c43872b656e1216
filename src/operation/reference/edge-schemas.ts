/** The component schemas of edges. */
import type { JsonSchema } from '../../kernel/http/openapi/types.ts'
import { type DescribedTable, types } from './record-schemas.ts'

/**
 * Returns the component schemas of a table's edges, in answers and for creating them. Empty if the table has
 * no edges.
 */
export function edgeSchemas({ name, edges }: DescribedTable): Record<string, JsonSchema> {
  if (!edges) return {}
  const end = { ...types.get(edges.key.type) }
  const input = {
    from_id: end,
    to_id: end,
    type: { type: 'string', enum: [...edges.types] },
    metadata: { type: 'object' },
  }
  const required = ['from_id', 'to_id', 'type']
  const output = {
    id: { type: 'string', format: 'uuid' },
    ...input,
    created_at: { type: 'string', format: 'date-time' },
  }
  return {
    [`${name}.Edge`]: { type: 'object', properties: output, required: Object.keys(output) },
    [`${name}.NewEdge`]: { type: 'object', properties: input, required },
  }
}
