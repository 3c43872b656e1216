/** The checks of the keywords for strings. */

import type { Pattern } from '../../pattern.ts'
import { addProblem } from '../evaluation.ts'
import { formats } from '../formats.ts'
import { countOf } from '../message-parts.ts'
import type { Check, Evaluation } from '../node.ts'
import { type Family, numberIn } from './family.ts'

/** The number of characters that are scanned in one step. */
const charactersPerStep = 200
/** The steps that checking a format takes for each character, unless the format has its own number. */
const formatStepsPerCharacter = 0.05
/** The number of steps of a pattern that count as one step here. */
const matchingPerStep = 15

/** Tells whether a pattern matches anywhere in a text. The work is counted before it is done. */
export function matches(pattern: Pattern, text: string, run: Evaluation): boolean {
  run.spend(1 + pattern.stepsFor(text) / matchingPerStep)
  return pattern.matches(text)
}

/** `minLength` and `maxLength`, in Unicode code points */
export const length: Family = ({ minLength, maxLength }) => {
  const least = numberIn(minLength) ?? 0
  const most = numberIn(maxLength) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooShort = `Ensure this field has at least ${countOf(least, 'character')}.`
  const tooLong = `Ensure this field has no more than ${countOf(most, 'character')}.`
  return (value, spot) => {
    if (typeof value !== 'string') return true
    spot.run.spend(value.length / charactersPerStep)
    const characters = codePointsIn(value)
    if (characters < least) return addProblem(spot, tooShort)
    return characters <= most || addProblem(spot, tooLong)
  }
}

function codePointsIn(text: string): number {
  let pairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
      pairs++
  }
  return text.length - pairs
}

/** `pattern` */
export const pattern: Family = ({ pattern: source }, tools) => {
  if (typeof source !== 'string') return undefined
  const compiled = tools.pattern(source)
  const message = `Must match the pattern ${source}`
  return (value, spot) =>
    typeof value !== 'string' || matches(compiled, value, spot.run) || addProblem(spot, message)
}

/** `format` */
export const format: Family = ({ format: name }, { node }) => {
  const known = typeof name === 'string' && node.draft.checksFormats ? formats.get(name) : undefined
  if (!known) return undefined
  const message = `Must be in the format ${name} (for example ${known.example}).`
  const check: Check = (value, spot) => {
    if (typeof value !== 'string') return true
    spot.run.spend(1 + value.length * (known.stepsPerCharacter ?? formatStepsPerCharacter))
    return known.test(value) || addProblem(spot, message)
  }
  return check
}
