/** What the checks of keywords are made with. Keywords that need each other's values are one family, with one check. */
import type { JsonObject } from '../../json-object.ts'
import type { Pattern } from '../../pattern.ts'
import type { Node } from '../document.ts'
import type { Check } from '../run.ts'

export interface Tools {
  /** The schema that the keywords are of. */
  readonly node: Node
  /** The compiled schema that stands in a keyword, for a part of the value. */
  schema(source: unknown): Node
  /** The same for the value itself. Such schemas may not lead back to the one they are in. */
  inPlace(source: unknown): Node
  /** The schema that a reference leads to, for the value itself; undefined when the reference is refused. */
  target(keyword: string, reference: string): Node | undefined
  pattern(source: string): Pattern
  /** Adds to what an evaluation of the schema costs: the length of a list that is gone through each time. */
  weigh(length: number): void
}

/** Undefined when the schema has none of the keywords. */
export type Family = (keywords: JsonObject, tools: Tools) => Check | undefined

export const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const namesIn = (value: unknown): readonly string[] => listIn(value).filter((name) => typeof name === 'string')
export const entriesIn = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
