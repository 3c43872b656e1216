/** Turns filters and orders into SQL. Names become attributes here, and every value is bound. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { type Attribute, type AttributePath, attributeNamed, resolve } from '../attributes.ts'
import { invalidFilter, invalidPath } from '../errors.ts'
import type { Comparison, Filter } from './syntax.ts'

type Compared = Extract<Filter, { kind: 'compare' }>

/**
 * Returns the condition of a filter. It is never null. Throws 400 for an unknown attribute, and for a value
 * or an operator that does not suit the attribute's type.
 */
export function renderFilter(filter: Filter, attributes: readonly Attribute[]): Sql {
  switch (filter.kind) {
    case 'and':
      return sql`(${renderFilter(filter.left, attributes)} and ${renderFilter(filter.right, attributes)})`
    case 'or':
      return sql`(${renderFilter(filter.left, attributes)} or ${renderFilter(filter.right, attributes)})`
    case 'not':
      return sql`(not ${renderFilter(filter.filter, attributes)})`
    case 'holds':
      return renderHolds(filter.attribute, filter.filter, attributes)
    default:
      return renderTerm(filter, attributes)
  }
}

function renderHolds(name: string, filter: Filter, attributes: readonly Attribute[]): Sql {
  const { attribute } = found({ attribute: name, part: undefined }, attributes)
  if (!attribute.holds || !attribute.parts)
    throw invalidFilter(`The attribute ${quoteValue(attribute.name)} has no list of values to look in.`)
  return attribute.holds(renderFilter(filter, attribute.parts))
}

/** Renders a comparison, or the test for a value. */
function renderTerm(
  filter: Exclude<Filter, { filter: Filter } | { left: Filter }>,
  all: readonly Attribute[],
): Sql {
  const { attribute, part = defaultPart(attribute) } = found(filter.path, all)
  const tested = part ?? attribute
  if (filter.kind === 'present' && !filter.path.part && attribute.parts)
    return attribute.holds?.(sql`true`) ?? anyOf(attribute.parts.map((one) => sql`${sqlOf(one)} is not null`))
  const condition = (present: Sql) => (attribute.holds ? attribute.holds(present) : present)
  if (filter.kind === 'present') return condition(sql`(${sqlOf(tested)} is not null)`)
  // With several values, `ne` and `eq null` require that none of them is equal.
  if (filter.operator === 'ne') return sql`(not ${renderTerm({ ...filter, operator: 'eq' }, all)})`
  if (filter.value === null) {
    if (filter.operator !== 'eq') throw invalidFilter('null can be compared by eq and ne only.')
    return sql`(not ${renderTerm({ kind: 'present', path: filter.path }, all)})`
  }
  return condition(sql`coalesce(${compare(tested, filter)}, false)`)
}

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.reduce((left, right) => sql`(${left} or ${right})`, sql`false`)

/** Returns the part that a comparison with a whole attribute uses: its `value`. */
const defaultPart = ({ parts = [], holds }: Attribute): Attribute | undefined =>
  holds ? attributeNamed(parts, 'value') : undefined

function compare(attribute: Attribute, { operator, value }: Compared): Sql {
  const column = sqlOf(attribute)
  if (attribute.type === 'boolean') return sql`${column} = ${booleanOf(attribute, operator, value)}`
  if (typeof value !== 'string')
    throw invalidFilter(`Compare ${quoteValue(attribute.name)} with a text in double quotes.`)
  if (attribute.type === 'dateTime') return compareTimes(attribute, operator, value)
  const [left, right] = attribute.isCaseExact
    ? [column, sql`${value}::text`]
    : [sql`lower(${column})`, sql`lower(${value}::text)`]
  return texts[operator](left, right)
}

/** The comparison of texts. They are sorted by code point. */
const texts: Readonly<Record<Comparison, (left: Sql, right: Sql) => Sql>> = {
  eq: (left, right) => sql`${left} = ${right}`,
  ne: (left, right) => sql`${left} <> ${right}`,
  co: (left, right) => sql`strpos(${left}, ${right}) > 0`,
  sw: (left, right) => sql`starts_with(${left}, ${right})`,
  ew: (left, right) => sql`right(${left}, length(${right})) = ${right}`,
  gt: (left, right) => sql`${left} collate "C" > ${right}`,
  ge: (left, right) => sql`${left} collate "C" >= ${right}`,
  lt: (left, right) => sql`${left} collate "C" < ${right}`,
  le: (left, right) => sql`${left} collate "C" <= ${right}`,
}

function booleanOf({ name }: Attribute, operator: Comparison, value: Compared['value']): boolean {
  // Microsoft Entra writes booleans as texts.
  const text = String(value).toLowerCase()
  if (operator !== 'eq' || (text !== 'true' && text !== 'false'))
    throw invalidFilter(`Compare ${quoteValue(name)} with true or false, by eq or ne.`)
  return text === 'true'
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/

function compareTimes(attribute: Attribute, operator: Comparison, value: string): Sql {
  if (!dateTime.test(value) || !(Date.parse(value) > 0))
    throw invalidFilter(
      `Compare ${quoteValue(attribute.name)} with a date and time such as "2027-01-31T18:30:00Z".`,
    )
  if (operator === 'co' || operator === 'sw' || operator === 'ew')
    throw invalidFilter(`Compare ${quoteValue(attribute.name)} by eq, ne, gt, ge, lt or le.`)
  const [left, right] = [sqlOf(attribute), sql`${value}::timestamptz`]
  return times[operator](left, right)
}

const times = {
  eq: (left: Sql, right: Sql) => sql`${left} = ${right}`,
  ne: (left: Sql, right: Sql) => sql`${left} <> ${right}`,
  gt: (left: Sql, right: Sql) => sql`${left} > ${right}`,
  ge: (left: Sql, right: Sql) => sql`${left} >= ${right}`,
  lt: (left: Sql, right: Sql) => sql`${left} < ${right}`,
  le: (left: Sql, right: Sql) => sql`${left} <= ${right}`,
} as const

function found(path: AttributePath, attributes: readonly Attribute[]) {
  const resolved = resolve(attributes, path)
  if (typeof resolved === 'string') throw invalidFilter(resolved)
  return resolved
}

function sqlOf(attribute: Attribute): Sql {
  const { name, parts = [], sql: column } = attribute
  if (column) return column
  throw invalidFilter(`${quoteValue(name)} has parts. Use one: ${parts.map((part) => part.name).join(', ')}.`)
}

/** Returns the terms after `order by`. Resources without a value come last. Throws 400 for an unknown path. */
export function renderOrder(
  path: AttributePath,
  isDescending: boolean,
  attributes: readonly Attribute[],
): Sql {
  const resolved = resolve(attributes, path)
  if (typeof resolved === 'string') throw invalidPath(resolved)
  const { attribute, part = defaultPart(attribute) } = resolved
  const { sql: column, type, isCaseExact } = part ?? attribute
  if (!column || (attribute.holds && attribute.name !== 'emails'))
    throw invalidPath(`Sorting by ${quoteValue(attribute.name)} is not possible.`)
  const compared = type === 'string' && !isCaseExact ? sql`lower(${column}) collate "C"` : column
  return isDescending ? sql`${compared} desc nulls last` : sql`${compared} nulls last`
}
