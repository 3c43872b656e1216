/** What an operand may hold, as far as conditions can tell values apart. For data/query/exclusion.ts. */
import { parseConstant } from '../model/constraints.ts'
import { type FieldType, fieldTypes } from '../model/field-types.ts'
import { baseOf } from '../model/types.ts'
import type { Operand, Predicate } from './predicate.ts'

export type Comparing = Predicate & { kind: 'compare' }

/**
 * A place among the sorted constants that an operand is compared with: `2 * i + 1` is the constant `i`, and
 * `2 * i` is any value before it and after the one before. Null: there is no value.
 */
export type Place = number | null

/** What an operand may hold. */
export interface Held {
  /** The keys of the constants, sorted. */
  constants: readonly Key[]
  /** The places that it may have. */
  places: readonly Place[]
}

type Key = string | number | bigint

/** The types whose keys are in the order in which Postgres sorts their values. */
const ordered: ReadonlySet<string> = new Set(['integer', 'number', 'date', 'time', 'datetime'])
/** Those whose equal values have equal keys. */
const keyed: ReadonlySet<string> = new Set([...ordered, 'boolean', 'string', 'uuid'])

/** The most constants. Beyond them, conditions on an operand count as independent of each other. */
const constantsMax = 100

const typeNameOf = ({ field, property }: Operand): string => property?.as ?? baseOf(field.schema)

/** Returns the key of a value; undefined if it has none. */
function keyOf(name: string, value: unknown): Key | undefined {
  if (name === 'boolean') return Number(/^(?:true|1)$/i.test(String(value)))
  const type = fieldTypes.get(name) as FieldType
  return type.key(parseConstant(type, value) as never)
}

/** Returns the texts that a comparison by values binds; undefined if it compares in another way. */
function textsOf({ means, operand, values }: Comparing): readonly string[] | undefined {
  const name = typeNameOf(operand)
  const isPossible = means === 'equal' || means === 'among' ? keyed : ordered
  if (!isPossible.has(name) || !(means in tests)) return undefined
  const texts = values.flatMap(({ value }) => value)
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** Tells for each meaning whether a value at a place passes. `all`: the places of the constants. */
const tests: Partial<Record<Comparing['means'], (place: number, all: readonly number[]) => boolean>> = {
  equal: (place, [one]) => place === one,
  among: (place, all) => all.includes(place),
  greater: (place, [one = 0]) => place > one,
  atLeast: (place, [one = 0]) => place >= one,
  less: (place, [one = 0]) => place < one,
  atMost: (place, [one = 0]) => place <= one,
  between: (place, [first = 0, last = 0]) => place >= first && place <= last,
}

/** Returns what an operand may hold that these comparisons are about. */
export function heldBy(operand: Operand, comparisons: readonly Comparing[]): Held {
  const name = typeNameOf(operand)
  const keysOf = (values: readonly unknown[]) => values.flatMap((value) => keyOf(name, value) ?? [])
  const { field, property } = operand
  const declared = property ? undefined : field.schema.constraints?.enum
  const domain = keyed.has(name) && declared ? keysOf(declared) : undefined
  const only = name === 'boolean' ? [0, 1] : domain
  const written = comparisons.flatMap((one) => keysOf(textsOf(one) ?? []))
  const keys = [...new Set([...(only ?? []), ...written])]
  const constants = keys.length > constantsMax ? [] : keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
  const all = Array.from({ length: 2 * constants.length + 1 }, (_, place) => place)
  const places = only && constants.length > 0 ? only.map((key) => 2 * constants.indexOf(key) + 1) : all
  return { constants, places: field.required && !property ? places : [null, ...places] }
}

/** The place of true among those of a boolean. */
export const placeOfTrue: Place = 3

/** The places of the constants of comparisons, which are the same for all cases that are tried. */
const knownPlaces = new WeakMap<Held, Map<Comparing, readonly number[] | undefined>>()

function placesOf(comparing: Comparing, held: Held): readonly number[] | undefined {
  const known = knownPlaces.get(held) ?? new Map<Comparing, readonly number[] | undefined>()
  knownPlaces.set(held, known)
  if (!known.has(comparing)) {
    const texts = held.constants.length > 0 ? textsOf(comparing) : undefined
    const name = typeNameOf(comparing.operand)
    known.set(
      comparing,
      texts?.map((text) => placeOf(keyOf(name, text), held.constants)),
    )
  }
  return known.get(comparing)
}

/** Tells whether a value at a place passes; undefined if the place does not tell. */
export function passesAt(comparing: Comparing, place: number, held: Held): boolean | undefined {
  const { operand, means, values } = comparing
  if (comparing.admitsAll) return true
  // No text comes before the empty one.
  if (means === 'less' && typeNameOf(operand) === 'string' && values[0]?.value === '') return false
  const places = placesOf(comparing, held)
  return places && tests[means]?.(place, places)
}

const placeOf = (key: Key | undefined, constants: readonly Key[]): number =>
  2 * constants.indexOf(key as Key) + 1
