/** The filters of SCIM as data. RFC 7644 §3.4.2.2. */
import type { AttributePath } from '../attributes.ts'

/** The operators that compare an attribute with a value. */
export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]

/** A filter as it was written. It does not depend on a resource. */
export type Filter =
  | { kind: 'and' | 'or'; left: Filter; right: Filter }
  | { kind: 'not'; filter: Filter }
  | { kind: 'compare'; path: AttributePath; operator: Comparison; value: string | number | boolean | null }
  | { kind: 'present'; path: AttributePath }
  /**
   * At least one value of the attribute meets the filter. The paths of the filter are parts of the attribute.
   */
  | { kind: 'holds'; attribute: string; filter: Filter }

/** The target of a change: an attribute, those of its values that match a filter, or a part of them. */
export interface TargetPath extends AttributePath {
  filter: Filter | undefined
}
