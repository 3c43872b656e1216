/** Describes the filters of a field by its type, for the API reference of an app. R2, W3. */
import { type FieldType, fieldTypes } from '../../model/field-types.ts'
import { equality, operators, operatorsOn, positiveOf } from '../operators.ts'
import { listParameters } from './parse.ts'

/** A query parameter that filters by a field. */
export interface FieldFilter {
  /** The name of the query parameter. */
  parameter: string
  operator: string
  /** Says what is true of the field of the records that the filter finds: `equals this value`. */
  meaning: string
  takes: 'one' | 'pair' | 'list' | 'flag'
  /** Whether values are texts, even if the field has another type. */
  isText: boolean
}

/** The text that follows the field in a sentence, by operator. */
const meanings: Readonly<Record<string, string>> = {
  exact: 'equals this value',
  ne: 'does not equal this value',
  gt: 'is greater than this value',
  gte: 'is greater than or equal to this value',
  lt: 'is less than this value',
  lte: 'is less than or equal to this value',
  between: 'is in this range, both ends included',
  nbetween: 'is outside this range',
  in: 'is one of these values',
  nin: 'is not one of these values',
  ina: 'is one of these values, ignoring case',
  nina: 'is not one of these values, ignoring case',
  contains: 'contains this value',
  ncontains: 'does not contain this value',
  icontains: 'contains this value, ignoring case',
  nicontains: 'does not contain this value, ignoring case',
  startswith: 'begins with this value',
  nstartswith: 'does not begin with this value',
  istartswith: 'begins with this value, ignoring case',
  nistartswith: 'does not begin with this value, ignoring case',
  endswith: 'ends with this value',
  nendswith: 'does not end with this value',
  iendswith: 'ends with this value, ignoring case',
  niendswith: 'does not end with this value, ignoring case',
  matches: 'matches this regular expression',
  imatches: 'matches this regular expression, ignoring case',
  within: 'is in this range: `today`, `last_7_days`, `2026-W07`, `2026-05@Europe/Berlin`',
  null: 'has no value (`false`: has a value)',
  nnull: 'has a value (`false`: has no value)',
  contained_by: 'is contained in this JSON',
  overlaps: 'has one of these elements',
  has_key: 'has this key',
  has_any_keys: 'has one of these keys',
  has_all_keys: 'has all of these keys',
}

/** Tells whether an operator means the same as the one without its final `s`: `ins` is `in`. */
const isSynonym = (name: string): boolean => name.endsWith('s') && operators.has(name.slice(0, -1))

/**
 * Returns a filter for each operator of the field's type, without synonyms. Throws if an operator has no
 * meaning here.
 */
export function filtersOf({ name, type: typeName }: { name: string; type: string }): FieldFilter[] {
  const type = fieldTypes.get(typeName)
  if (!type) return []
  return operatorsOn(type)
    .filter((operator) => !isSynonym(operator))
    .map((operator) => filterOf(name, type, operator))
}

function filterOf(name: string, type: FieldType, operator: string): FieldFilter {
  const meaning = meanings[operator]
  if (!meaning) throw new Error(`the operator "${operator}" has no meaning in filters.ts`)
  const positive = positiveOf(operator)
  // If a field has the name of another parameter, its filters need the name with an operator.
  const isPlain = operator === equality && !listParameters.has(name)
  return {
    parameter: isPlain ? name : `${name}__${operator}`,
    operator,
    meaning,
    takes: positive.takes,
    isText:
      !type.comparable ||
      (positive.takes !== 'flag' && positive.forms.some((form) => form.on(type) && form.as)),
  }
}
