/** Keywords for strings. */

import type { Pattern } from '../../pattern.ts'
import { formats } from '../formats.ts'
import { type Check, type Run, refuse } from '../run.ts'
import { counted } from '../words.ts'
import { type Family, numberIn } from './family.ts'

/** To go through so many characters is a step. */
const charactersPerStep = 200
/** To check the format of a character takes so much of a step, where the format says nothing else. */
const formatStepsPerCharacter = 0.05
/** So many steps of a pattern are one here. */
const matchingPerStep = 15

/** Whether a pattern matches anywhere in a text. What it takes is counted before it is done. */
export function matches(pattern: Pattern, text: string, run: Run): boolean {
  run.spend(1 + pattern.stepsFor(text) / matchingPerStep)
  return pattern.matches(text)
}

/** In characters as Unicode counts them. */
export const length: Family = ({ minLength, maxLength }) => {
  const least = numberIn(minLength) ?? 0
  const most = numberIn(maxLength) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooShort = `Ensure this field has at least ${counted(least, 'character')}.`
  const tooLong = `Ensure this field has no more than ${counted(most, 'character')}.`
  return (value, spot) => {
    if (typeof value !== 'string') return true
    spot.run.spend(value.length / charactersPerStep)
    const characters = codePointsIn(value)
    if (characters < least) return refuse(spot, tooShort)
    return characters <= most || refuse(spot, tooLong)
  }
}

function codePointsIn(text: string): number {
  let pairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) pairs++
  }
  return text.length - pairs
}

export const pattern: Family = ({ pattern: source }, tools) => {
  if (typeof source !== 'string') return undefined
  const compiled = tools.pattern(source)
  const message = `Must match the pattern ${source}`
  return (value, spot) => typeof value !== 'string' || matches(compiled, value, spot.run) || refuse(spot, message)
}

export const format: Family = ({ format: name }, { node }) => {
  const known = typeof name === 'string' && node.draft.checksFormats ? formats.get(name) : undefined
  if (!known) return undefined
  const message = `Must be in the format ${name} (for example ${known.example}).`
  const check: Check = (value, spot) => {
    if (typeof value !== 'string') return true
    spot.run.spend(1 + value.length * (known.stepsPerCharacter ?? formatStepsPerCharacter))
    return known.test(value) || refuse(spot, message)
  }
  return check
}
