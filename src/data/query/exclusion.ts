/** Finds filters that exclude no record, which no write accepts. R20. */
import { type Comparing, type Held, heldBy, type Place, passesAt, placeOfTrue } from './held-values.ts'
import { holdsForMissingRecord, type Operand, type Predicate } from './predicate.ts'

/** Returns the fields whose conditions are met by everything that the field can hold. */
export function fieldsWithoutCondition(predicate: Predicate): readonly string[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(fieldsWithoutCondition)
    case 'not':
      return fieldsWithoutCondition(predicate.of)
    case 'related':
      return fieldsWithoutCondition(predicate.where)
    case 'compare':
      return predicate.admitsAll ? [predicate.operand.field.name] : []
    default:
      return []
  }
}

/** Something that is not known of a record: its name, and what it may be. */
interface Unknown {
  name: string
  cases: readonly (Place | boolean)[]
}

/** What is taken to be known of a record. */
type Known = ReadonlyMap<string, Place | boolean>

/** A predicate on a record, or on one that it references. */
interface Asked {
  /** What the operands may hold, by their names. */
  held: ReadonlyMap<string, Held>
  /** The relationships that lead from the record to the operands, as the beginning of their names. */
  within: string
  /** Tells whether no record passes a predicate. */
  isImpossible(predicate: Predicate): boolean
}

/** The most cases that are tried. A filter that needs more counts as one that excludes something. */
const casesMax = 2_000

/**
 * Tells whether every record passes a predicate, as far as its form shows. It tries all that a record may
 * hold, as far as the conditions tell it apart: `status is not a, or status is not b` excludes nothing.
 * `budget`: what is left of the cases of the whole filter.
 */
export function passesAll(predicate: Predicate, budget = { cases: casesMax }): boolean {
  const impossible = new Map<Predicate, boolean>()
  const isImpossible = (of: Predicate): boolean => {
    const is = impossible.get(of) ?? passesAll({ kind: 'not', of }, budget)
    impossible.set(of, is)
    return is
  }
  const asked = { held: heldIn(predicate), within: '', isImpossible }
  const passes = (known: Known): boolean => {
    if (budget.cases <= 0) return false
    budget.cases--
    const truth = truthOf(predicate, known, asked)
    if (typeof truth === 'boolean') return truth
    return truth.cases.every((one) => passes(new Map(known).set(truth.name, one)))
  }
  return passes(new Map())
}

/** Returns whether a record passes, or the first thing that must be known to tell. */
function truthOf(predicate: Predicate, known: Known, asked: Asked): boolean | Unknown {
  const isKnown = (name: string): boolean | Unknown => {
    const is = known.get(name)
    return typeof is === 'boolean' ? is : { name, cases: [false, true] }
  }
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const ending = predicate.kind === 'or'
      const truths = predicate.of.map((member) => truthOf(member, known, asked))
      if (truths.includes(ending)) return ending
      return truths.find((truth) => typeof truth !== 'boolean') ?? !ending
    }
    case 'not':
      return negated(truthOf(predicate.of, known, asked))
    case 'hasValue': {
      const name = nameOf(predicate.operand, asked)
      const held = asked.held.get(name) as Held
      if (!held.places.includes(null)) return predicate.is
      const place = known.get(name)
      return place === undefined ? { name, cases: held.places } : (place !== null) === predicate.is
    }
    case 'compare': {
      const name = nameOf(predicate.operand, asked)
      const held = asked.held.get(name) as Held
      const place = known.get(name) as Place | undefined
      if (place === undefined) return { name, cases: held.places }
      if (place === null) return false
      return passesAt(predicate, place, held) ?? isKnown(asked.within + written(predicate))
    }
    case 'isTrue': {
      const name = nameOf(predicate, asked)
      const place = known.get(name)
      if (place === undefined) return { name, cases: (asked.held.get(name) as Held).places }
      return (place === placeOfTrue) === predicate.is
    }
    case 'overlaps':
    case 'search':
      return isKnown(asked.within + written(predicate))
    case 'related': {
      const { relationship, where } = predicate
      if (relationship.to === 'many') {
        if (asked.isImpossible(where)) return false
        return isKnown(asked.within + written(predicate))
      }
      const within = pathTo(predicate, asked)
      const { pairs, target } = relationship
      const isFound = target.softDelete === undefined && pairs.every(({ near }) => near.required)
      const exists = isFound || isKnown(`${within} exists`)
      if (exists === false) return holdsForMissingRecord(predicate)
      return exists === true ? truthOf(where, known, { ...asked, within }) : exists
    }
  }
}

const negated = (truth: boolean | Unknown): boolean | Unknown => (typeof truth === 'boolean' ? !truth : truth)

const pathTo = (
  { relationship }: Predicate & { kind: 'related' },
  { within }: Pick<Asked, 'within'>,
): string => `${within}${relationship.name}.`

const nameOf = ({ field, property }: Operand, { within }: Pick<Asked, 'within'>): string =>
  `${within}${field.name}${property ? JSON.stringify(property) : ''}`

/** Returns what the operands of a predicate may hold, apart from those of relationships to many. */
function heldIn(predicate: Predicate): ReadonlyMap<string, Held> {
  const found = new Map<string, { operand: Operand; comparisons: readonly Comparing[] }>()
  const note = (operand: Operand, within: string, comparing?: Comparing): void => {
    const name = nameOf(operand, { within })
    const { comparisons } = found.get(name) ?? { comparisons: [] }
    found.set(name, { operand, comparisons: comparing ? [...comparisons, comparing] : comparisons })
  }
  const collect = (one: Predicate, within: string): void => {
    switch (one.kind) {
      case 'and':
      case 'or':
        for (const member of one.of) collect(member, within)
        break
      case 'not':
        collect(one.of, within)
        break
      case 'related':
        if (one.relationship.to === 'one') collect(one.where, pathTo(one, { within }))
        break
      case 'compare':
        note(one.operand, within, one)
        break
      case 'hasValue':
        note(one.operand, within)
        break
      case 'isTrue':
        note(one, within)
        break
      case 'overlaps':
      case 'search':
    }
  }
  collect(predicate, '')
  return new Map([...found].map(([name, { operand, comparisons }]) => [name, heldBy(operand, comparisons)]))
}

/** Returns a text that predicates share if they are written alike. */
function written(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return `${predicate.kind}(${predicate.of.map(written)})`
    case 'not':
      return `not(${written(predicate.of)})`
    case 'compare': {
      const { means, operand, values } = predicate
      return `${nameOf(operand, { within: '' })} ${means} ${JSON.stringify(values.map(({ value }) => value))}`
    }
    case 'hasValue':
      return `${nameOf(predicate.operand, { within: '' })} has ${predicate.is}`
    case 'isTrue':
      return `${predicate.field.name} is ${predicate.is}`
    case 'overlaps':
      return `${predicate.from.name},${predicate.to.name} overlaps ${JSON.stringify(predicate.ends)}`
    case 'related':
      return `${predicate.relationship.name}(${written(predicate.where)})`
    case 'search':
      return `search ${JSON.stringify([predicate.query, predicate.language])}`
  }
}
