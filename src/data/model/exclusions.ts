/** Exclusions: records of a table that may not exist together, such as overlapping bookings of a room. D19. */
import type { ExclusionSchema, RangePair, Ranges } from './exclusion-form.ts'
import { isRangeEnd, pairOf, pairsOf, rangeTypes } from './ranges.ts'
import type { FieldSchema } from './schema-form.ts'
import { typeOf } from './types.ts'

/** The parts of a schema that concern ranges. */
interface Parts {
  /** The names of fields that cannot be read. */
  unreadable: ReadonlySet<string>
  ranges?: Ranges | undefined
  exclusions?: readonly (ExclusionSchema | undefined)[] | undefined
}

/** Returns the fields that an exclusion compares: those that are equal, and the ends of its ranges. */
export function comparedBy(
  schema: Pick<Parts, 'ranges'>,
  { elements }: ExclusionSchema,
): { equal: string[]; ranges: RangePair[] } {
  return {
    equal: elements.flatMap((element) => ('field' in element ? [element.field] : [])),
    ranges: pairsOf(schema, { elements }),
  }
}

/** Returns the names of the fields that an exclusion compares. */
export function fieldsOfExclusion(schema: Pick<Parts, 'ranges'>, exclusion: ExclusionSchema): string[] {
  const { equal, ranges } = comparedBy(schema, exclusion)
  return [...new Set([...equal, ...ranges.flat()])]
}

/** The schema being checked, and the problems found so far. */
interface Check {
  schema: Parts
  fields: ReadonlyMap<string, FieldSchema>
  problems: string[]
  /** The bounds of each range, by its fields. */
  bounds: Map<string, string>
}

/** Returns the problems of the ranges and exclusions of a schema, each with its place before it. */
export function exclusionProblems(schema: Parts, fields: ReadonlyMap<string, FieldSchema>): string[] {
  const check: Check = { schema, fields, problems: [], bounds: new Map() }
  const { ranges = {}, exclusions = [] } = schema
  for (const [name, pair] of Object.entries(ranges)) {
    if (fields.has(name)) check.problems.push(`ranges.${name}: there is a field of this name`)
    checkPair(check, `ranges.${name}`, pair)
  }
  const names = exclusions.map((exclusion) => exclusion?.name)
  for (const [position, exclusion] of exclusions.entries()) {
    if (!exclusion) continue
    const place = `exclusions[${position}]`
    if (names.indexOf(exclusion.name) !== position)
      check.problems.push(`${place}: there are two exclusions named "${exclusion.name}"`)
    for (const [at, element] of exclusion.elements.entries())
      checkElement(check, `${place}.elements[${at}]`, element)
    checkWhole(check, place, exclusion)
  }
  return check.problems
}

/** Adds a problem if there is no such field. Returns the field, if it can be read. */
function fieldAt({ schema, fields, problems }: Check, place: string, name: string): FieldSchema | undefined {
  const field = fields.get(name)
  if (!field && !schema.unreadable.has(name)) problems.push(`${place}: there is no field "${name}"`)
  return field
}

function checkPair(check: Check, place: string, pair: RangePair): void {
  const { problems } = check
  const [from, to] = pair.map((name) => fieldAt(check, place, name))
  if (pair[0] === pair[1]) problems.push(`${place}: "${pair[0]}" is listed twice`)
  for (const field of [from, to]) {
    if (field && !isRangeEnd(field))
      problems.push(
        `${place}: "${field.name}" is of type ${field.type}; ranges are of ${rangeTypes.join(', ')}`,
      )
  }
  if (from && to && typeOf(from) !== typeOf(to))
    problems.push(`${place}: "${from.name}" is of type ${from.type}, but "${to.name}" of ${to.type}`)
}

function checkElement(check: Check, place: string, element: ExclusionSchema['elements'][number]): void {
  if ('field' in element) {
    const field = fieldAt(check, place, element.field)
    if (field && !typeOf(field).comparable)
      check.problems.push(`${place}: "${field.name}" is of type ${field.type}, which cannot be compared`)
  } else if (!pairOf(check.schema, element.range))
    check.problems.push(`${place}: there is no range "${String(element.range)}" in "ranges"`)
  else if (typeof element.range !== 'string') checkPair(check, place, element.range)
}

function checkWhole({ schema, problems, bounds }: Check, place: string, exclusion: ExclusionSchema): void {
  const { equal, ranges } = comparedBy(schema, exclusion)
  const all = [...equal, ...ranges.map(String)]
  const twice = all.find((one, at) => all.indexOf(one) !== at)
  if (twice !== undefined) problems.push(`${place}.elements: "${twice}" is listed twice`)
  if (exclusion.elements.every((element) => 'field' in element))
    problems.push(`${place}: an exclusion has a range; without one it is a unique key: see uniqueKeys`)
  for (const pair of ranges.map(String)) {
    const other = bounds.get(pair) ?? exclusion.bounds
    if (other !== exclusion.bounds)
      problems.push(`${place}.bounds: another exclusion has the range ${pair} with "${other}"`)
    bounds.set(pair, other)
  }
}
