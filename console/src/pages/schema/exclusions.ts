/** The ranges and exclusions of a draft. docs/guide/apps-and-tables.md#ranges-and-exclusions. */

/** The names of the beginning and of the end of a range. */
export type Pair = [from: string, to: string]

/** A part of an exclusion. A range has a name, or is its two fields. */
export type Element = { field: string; op?: '=' } | { range: string | Pair; op?: 'overlaps' }

export interface Exclusion {
  name: string
  elements: Element[]
  bounds?: '[)' | '[]'
  where?: Readonly<Record<string, unknown>>
  message?: string
}

/** The part of a schema that has them. */
export interface Excluding {
  ranges?: Readonly<Record<string, Pair>> | undefined
  exclusions?: Exclusion[] | undefined
}

/** Returns the fields that must be equal in records that exclude each other. */
export const equalIn = ({ elements }: Exclusion): string[] =>
  elements.flatMap((element) => ('field' in element ? [element.field] : []))

/** Returns the ranges that must overlap, each by its name, or by its two fields. */
export const rangesIn = ({ elements }: Exclusion): (string | Pair)[] =>
  elements.flatMap((element) => ('range' in element ? [element.range] : []))

/** Returns the elements of an exclusion of these fields and ranges. */
export const elementsOf = (equal: readonly string[], ranges: readonly (string | Pair)[]): Element[] => [
  ...equal.map((field): Element => ({ field, op: '=' })),
  ...ranges.map((range): Element => ({ range, op: 'overlaps' })),
]

/** Returns them with other names of fields. */
export function excludingRenamed(
  { ranges, exclusions }: Excluding,
  one: (name: string) => string,
): Excluding {
  const both = ([from, to]: Pair): Pair => [one(from), one(to)]
  return {
    ranges: ranges && Object.fromEntries(Object.entries(ranges).map(([name, pair]) => [name, both(pair)])),
    exclusions: exclusions?.map((exclusion) => ({
      ...exclusion,
      elements: elementsOf(
        equalIn(exclusion).map(one),
        rangesIn(exclusion).map((range) => (typeof range === 'string' ? range : both(range))),
      ),
    })),
  }
}

/** Returns those of them that do not need a field. */
export function excludingWithout({ ranges, exclusions }: Excluding, field: string): Excluding {
  const kept = Object.entries(ranges ?? {}).filter(([, pair]) => !pair.includes(field))
  const names = new Set(kept.map(([name]) => name))
  const isKept = (range: string | Pair) =>
    typeof range === 'string' ? names.has(range) : !range.includes(field)
  return {
    ranges: ranges && Object.fromEntries(kept),
    exclusions: exclusions?.filter(
      (exclusion) => !equalIn(exclusion).includes(field) && rangesIn(exclusion).every(isKept),
    ),
  }
}
