/**
 * The types for compiling keywords to checks. Keywords that depend on each other form a family with one
 * check.
 */

import type { JsonObject } from '../../json-object.ts'
import type { Pattern } from '../../pattern.ts'
import type { Check, Node } from '../node.ts'

/** The functions of the compiler that a family uses. */
export interface Tools {
  /** The schema that contains the keywords. */
  readonly node: Node
  /** Returns the compiled schema of a keyword, for a part of the value. */
  schema(source: unknown): Node
  /**
   * Returns the compiled schema of a keyword, for the value itself. It must not refer back to the schema that
   * contains it.
   */
  inPlace(source: unknown): Node
  /** Returns the target of a reference, for the value itself; undefined if the reference is invalid. */
  target(keyword: string, reference: string): Node | undefined
  /** Returns a compiled pattern. */
  pattern(source: string): Pattern
  /** Adds the length of a list to the cost of each evaluation of the schema. */
  weigh(length: number): void
}

/** Compiles a family of keywords. Returns undefined if the schema has none of them. */
export type Family = (keywords: JsonObject, tools: Tools) => Check | undefined

/** Returns a number; undefined for any other value. */
export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
/** Returns a list; an empty one for any other value. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Returns the strings of a list. */
export const namesIn = (value: unknown): readonly string[] =>
  listIn(value).filter((name) => typeof name === 'string')
/** Returns the members of an object; none for any other value. */
export const entriesIn = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
