/** Writes the query of a grid as an address of the API and as code for the client. */
import type { Source } from './records.ts'
import { recordsPath } from './records.ts'
import { optionsOf, type Selection } from './state.ts'

const isIdentifier = /^[A-Za-z_$][\w$]*$/

const member = (name: string): string => (isIdentifier.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)

/** Returns the address of the records, with its host. */
export function addressOfRecords(source: Source, selection: Selection): string {
  const { filters, search, ordering, deleted } = selection
  const query = new URLSearchParams()
  const simple = Object.entries(filters).filter(([, value]) => !isComplex(value))
  const others = Object.fromEntries(Object.entries(filters).filter(([, value]) => isComplex(value)))
  for (const [name, value] of simple) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  if (Object.keys(others).length > 0) query.set('filters', JSON.stringify(others))
  if (search) query.set('search', search)
  if (ordering.length > 0) query.set('ordering', ordering.join(','))
  if (deleted) query.set('include_deleted', 'true')
  const text = query.toString()
  const path = `/sites/${encodeURIComponent(source.site)}${recordsPath(source)}`
  return `${window.location.origin}${path}${text ? `?${text}` : ''}`
}

/**
 * Returns whether a value needs the parameter `filters`: an object, or a value in which a comma is not a
 * separator.
 */
const isComplex = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((one) => typeof one === 'object' || String(one).includes(','))
    : typeof value === 'object' || String(value).includes(',')

/** Returns a program that makes the same request with the client. */
export function codeOfRecords({ site, app, table }: Source, selection: Selection): string {
  const options = JSON.stringify(optionsOf(selection), null, 2).replaceAll(
    /^(\s*)"([A-Za-z_]\w*)":/gm,
    '$1$2:',
  )
  return [
    "import { createClient } from 'tessera-client'",
    '',
    `const db = createClient({ url: ${JSON.stringify(window.location.origin)}, site: ${JSON.stringify(site)}, auth })`,
    `const page = await db.app(${JSON.stringify(app)})${member(table)}.list(${options === '{}' ? '' : options})`,
  ].join('\n')
}
