/**
 * The operators that the filter form offers, by type of field. docs/guide/queries.md#filters has all of them.
 */
import type { Field } from '../../session/queries.ts'
import type { Label } from '../../texts/define.ts'

/** How a person enters the value of a filter. */
type Entry = 'value' | 'list' | 'pair' | 'yes or no' | 'text'

/** An operator that can be chosen. */
export interface Operator {
  /** The name in the API. Empty: equality. */
  name: string
  label: Label
  entry: Entry
}

const row = (name: string, en: string, de: string, entry: Entry = 'value'): Operator => ({
  name,
  label: { en, de },
  entry,
})

const equality = [
  row('', 'is', 'ist'),
  row('ne', 'is not', 'ist nicht'),
  row('in', 'is one of', 'ist eines von', 'list'),
  row('null', 'has no value', 'hat keinen Wert', 'yes or no'),
]
const order = [
  row('gt', 'is greater than', 'ist größer als'),
  row('gte', 'is at least', 'ist mindestens'),
  row('lt', 'is less than', 'ist kleiner als'),
  row('lte', 'is at most', 'ist höchstens'),
  row('between', 'is between', 'liegt zwischen', 'pair'),
]
const dates = [
  row('within', 'is within (as 2026-06, today, last_7_days)', 'liegt in (2026-06, today, …)', 'text'),
]
const texts = [
  row('icontains', 'contains', 'enthält', 'text'),
  row('nicontains', 'does not contain', 'enthält nicht', 'text'),
  row('istartswith', 'begins with', 'beginnt mit', 'text'),
  row('iendswith', 'ends with', 'endet mit', 'text'),
  row('imatches', 'matches the pattern', 'passt zum Muster', 'text'),
]
const json = [
  row('has_key', 'has the member', 'hat das Element', 'text'),
  row('null', 'has no value', 'hat keinen Wert', 'yes or no'),
]
const truth = [row('', 'is', 'ist', 'yes or no'), row('null', 'has no value', 'hat keinen Wert', 'yes or no')]

const byType: Readonly<Record<string, readonly Operator[]>> = {
  string: [...texts, ...equality],
  integer: [...equality, ...order],
  number: [...equality, ...order],
  year: [...equality, ...order],
  date: [...order, ...dates, ...equality],
  datetime: [...order, ...dates, ...equality],
  time: [...order, ...equality],
  boolean: truth,
  object: json,
  array: json,
  geopoint: json,
  geojson: json,
  any: json,
  list: json,
}

export const operatorsOf = ({ type }: Field): readonly Operator[] => byType[type] ?? equality

/** Returns the name of a filter, for example `price__gt`. */
export const filterName = (field: string, operator: string): string =>
  operator === '' ? field : `${field}__${operator}`

/** Splits the name of a filter; undefined if its operator is not in this list. */
export function readFilter(
  name: string,
  fields: readonly Field[],
): { field: Field; operator: Operator } | undefined {
  for (const field of fields)
    for (const operator of operatorsOf(field))
      if (filterName(field.name, operator.name) === name) return { field, operator }
  return undefined
}
