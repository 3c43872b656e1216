/** Writes a query of the model as a query string, and its filters as JSON. */
import { spellings } from './json-names.ts'
import type { Annotated, Leaf, Node, Query, Sort } from './query-model.ts'

/**
 * Returns the written name of a leaf. A single underscore before the operator is enough if the name is
 * unambiguous.
 */
export const nameOf = ({ path, field, property, operator }: Leaf, short: boolean): string => {
  if (field === '') return `${path.join('.')}__${operator}`
  const inside = property.length === 0 ? field : spelled(field, property, operator.length)
  const withOperator = short && property.length === 0 ? `${field}_${operator}` : `${inside}__${operator}`
  const isPlain = operator === 'search' || (operator === 'exact' && property.length === 0)
  return [...path, isPlain ? field : withOperator].join('.')
}

/** Returns one of the spellings of a path inside a field, another one for each path. */
function spelled(field: string, names: readonly string[], shift: number): string {
  const all = spellings(field, names, 'text', true).filter((text) => !text.startsWith('"'))
  return all[(names.join('').length + shift) % all.length] as string
}

export function asFilter(node: Node): unknown {
  if ('and' in node) return { and: node.and.map(asFilter) }
  if ('or' in node) return { or: node.or.map(asFilter) }
  if ('not' in node) return { not: asFilter(node.not) }
  if ('node' in node)
    return { [`${node.path.join('.')}__${node.isNone ? 'none' : 'some'}`]: asFilter(node.node) }
  return { [nameOf(node.leaf, false)]: node.leaf.values[0] }
}

const nameOfTerm = ({ path, field, property, descending, nulls }: Sort): string => {
  const inside = property ? spelled(field, property.path, property.type.length) : field
  const name = [...path, inside].join('.')
  return `${descending ? '-' : ''}${name}${property ? `::${property.type}` : ''}${nulls ? `.nulls${nulls}` : ''}`
}

function expressionOf({ scope, path, field, of, distinct, filter, fieldType }: Annotated): string {
  const name = [...scope, ...path, ...(field === undefined ? [] : [field])].join('.')
  if (scope.length === 0)
    return {
      itself: name,
      double: `${name} * 2`,
      'or zero': `coalesce(${name}, 0)`,
      lower: `lower(${name})`,
    }[of] as string
  const more = of === 'string_agg' && fieldType === 'string' ? ", '|'" : ''
  const call = `${of}(${distinct ? 'distinct ' : ''}${name}${more})${filter ? ` filter (where ${name} ${filter})` : ''}`
  return of === 'avg' ? `round(${call}, 3)` : call
}

/** Returns the query string. `seek` is a cursor instead of the page. */
export function asQueryString(query: Query, seek?: { after: string } | { before: string }): string {
  const parameters = new URLSearchParams()
  for (const [index, leaf] of query.filters.entries()) {
    for (const value of leaf.values) parameters.append(nameOf(leaf, index % 2 === 1), String(value))
  }
  if (query.annotations.length > 0)
    parameters.set('_annotate', query.annotations.map((one) => `${expressionOf(one)} as ${one.name}`).join())
  if (query.distinct.length > 0)
    parameters.set('_distinct', query.distinct.map((key) => nameOfTerm({ ...key, descending: false })).join())
  if (query.tree) parameters.set('filters', JSON.stringify(asFilter(query.tree)))
  if (query.sort.length > 0) {
    const isApart = query.limit % 3 === 1
    const names = query.sort.map((term) => nameOfTerm(isApart ? { ...term, descending: false } : term))
    parameters.set(query.offset % 2 && !isApart ? 'ordering' : '_sort', names.join(','))
    if (isApart)
      parameters.set('_order', query.sort.map(({ descending }) => (descending ? 'DESC' : 'Asc')).join(','))
  }
  if (query.populate.length > 0) {
    const questions = query.populate.map(({ name, tree, sort, limit, offset, count }) => [
      name,
      {
        ...(tree ? { filters: asFilter(tree) } : {}),
        ...(sort.length > 0 ? { ordering: sort.map(nameOfTerm).join() } : {}),
        ...(limit === undefined ? {} : { limit }),
        ...(offset === 0 ? {} : { offset }),
        ...(count ? { count } : {}),
      },
    ])
    parameters.set('populate', JSON.stringify(Object.fromEntries(questions)))
  }
  if (query.fields.length > 0) {
    const names = query.fields.map(
      ({ path, field, excluded }) => `${excluded ? '-' : ''}${[...path, field].join('.')}`,
    )
    parameters.set('fields', names.join(','))
  }
  const { offset, limit } = query
  const range = {
    page: { page: offset / limit + 1, page_size: limit },
    limit: { limit, offset },
    _start: { _start: offset, _end: offset + limit },
  }
  const page = seek === undefined ? range[query.way] : { ...seek, page_size: limit }
  for (const [name, value] of Object.entries(page)) parameters.set(name, String(value))
  if (query.total) parameters.set('_total', query.total)
  if (query.language) parameters.set('_language', query.language)
  if (query.deleted !== 'excluded')
    parameters.set(`${query.deleted === 'only' ? 'only' : 'include'}_deleted`, 'true')
  return parameters.toString()
}
