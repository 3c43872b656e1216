/** The lists of the published document, outside records: found by what they answer, so that new ones are among them. */
import { type DocumentedOperation, operations, responseOf, schemaOf } from './contract.ts'

/** Where an answer may have the items of a list. */
const places = ['results', 'items', 'data', 'data.events', 'data.subscribers']

/** Of an answer. Throws where there are none. */
export function itemsOf(body: unknown): unknown[] {
  const found = [body, ...places.map((place) => memberAt(body, place))].find(Array.isArray)
  if (!found) throw new Error(`no list: ${JSON.stringify(body)}`)
  return found
}

const memberAt = (value: unknown, place: string): unknown =>
  place
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      value,
    )

/** Whether the document says that an operation answers items. */
export function isList(operation: DocumentedOperation): boolean {
  const schema = responseOf(operation, 200)?.content?.['application/json']?.schema
  if (operation.method !== 'GET' || !schema) return false
  const answers = [schema, ...((schema.anyOf ?? []) as (typeof schema)[])].map(schemaOf)
  const inProperties = (place: string) => `properties.${place.replaceAll('.', '.properties.')}`
  return answers.some((answer) =>
    [answer, ...places.map((place) => memberAt(answer, inProperties(place)))].some(
      (at) => memberAt(at, 'type') === 'array',
    ),
  )
}

/** Records have a query language of their own. */
export const lists = operations.filter((operation) => isList(operation) && !operation.path.includes('/data/'))
