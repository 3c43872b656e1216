/** The types of a compiled schema and of its evaluation on a value. */
import type { JsonObject } from '../json-object.ts'
import type { Draft } from './drafts.ts'

/** A part of the document with its own URI: the whole document, and each schema with an `$id`. */
export interface Resource {
  readonly uri: string
  /** The schema of the resource. */
  root?: Node
  /** Schemas by their anchors. */
  readonly anchors: Map<string, Node>
  /** Schemas by their dynamic anchors, the targets of `$dynamicRef`. */
  readonly dynamicAnchors: Map<string, Node>
}

/** A schema of the document, at its root or nested. */
export interface Node {
  /** The JSON value that it was read from. */
  readonly source: JsonObject | boolean
  /** The keywords that its draft defines and that take effect. */
  readonly keywords: JsonObject
  /** Its position in the document, as a JSON Pointer. */
  readonly path: string
  readonly depth: number
  readonly draft: Draft
  readonly resource: Resource
  /** The checks that a value must pass. Set by compile.ts. */
  checks: Check[]
  /** The steps of an evaluation, without those that depend on the size of the value. */
  cost: number
  /** Whether its checks need to know which members and elements were evaluated. */
  needsMarks: boolean
}

/**
 * The position of a part of the value, as a linked list from the inside out. Undefined for the value itself.
 */
export interface Path {
  readonly outer: Path | undefined
  readonly name: string | number
}

/** A violation of the schema. */
export interface Problem {
  readonly path: Path | undefined
  readonly message: string
}

/**
 * The members and elements of a value that its schema has evaluated, for `unevaluatedProperties` and
 * `unevaluatedItems`.
 */
export interface Marks {
  readonly names: Set<string>
  readonly items: Set<number>
}

/** The resources whose schemas are being evaluated, from the inside out. `$dynamicRef` searches them. */
export interface Scope {
  readonly resource: Node['resource']
  readonly outer: Scope | undefined
}

/** The state of one evaluation. */
export interface Evaluation {
  /** Counts work. Throws TooMuchWork if the evaluation takes too much. */
  spend(steps: number): void
  /** Returns the names of an object's members. */
  namesIn(value: object): readonly string[]
  /** Returns a key that is the same for equal JSON values, and differs for others. */
  keyOf(value: unknown): unknown
  scope: Scope | undefined
  /** The number of nested evaluations. */
  depth: number
}

/** A part of the value that is being evaluated, and its results. */
export interface Spot {
  readonly run: Evaluation
  readonly path: Path | undefined
  /**
   * Collects the problems. Undefined if only the result counts: the evaluation then ends at the first
   * problem.
   */
  readonly problems: Problem[] | undefined
  /** Collects the evaluated members. Undefined if no keyword needs them. */
  readonly marks: Marks | undefined
}

/** Checks a value. Returns whether it is valid, and adds problems to the spot if it is not. */
export type Check = (value: unknown, spot: Spot) => boolean
