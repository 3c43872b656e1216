/** Reads the operations of a PATCH. RFC 7644 §3.5.2. */
import * as z from 'zod'
import { invalidValue, noTarget } from '../errors.ts'
import { parsePath } from '../filter/parse.ts'
import type { TargetPath } from '../filter/syntax.ts'
import { urn } from '../messages.ts'
import { anyCase, isOfExtension } from '../names.ts'

const operation = anyCase(
  z.strictObject({
    // Microsoft Entra capitalizes the names of operations.
    op: z
      .preprocess(
        (value) => (typeof value === 'string' ? value.toLowerCase() : value),
        z.enum(['add', 'replace', 'remove']),
      )
      .describe('The operation. Case does not matter.'),
    path: z
      .string()
      .optional()
      .describe(
        'The attribute to change, for example `emails[type eq "work"].value`. Omitted: the ' +
          'attributes in `value`.',
      ),
    value: z.unknown().optional().describe('The new value. Without a path: an object with attributes.'),
  }),
)

/** The body that changes a resource. */
export const patchBody = anyCase(
  z.strictObject({
    schemas: z
      .unknown()
      .optional()
      .meta({ readOnly: true, description: `The names of the schemas: \`${urn.patch}\`.` }),
    Operations: z.array(operation).min(1).max(100).describe('The changes, in order.'),
  }),
)
export type PatchBody = z.output<typeof patchBody>

/** A change of what one path names. */
export interface Change {
  op: 'add' | 'replace' | 'remove'
  path: TargetPath
  /** The path as it was written. */
  written: string
  value: unknown
  /** Whether the path was a member of an object. Read-only attributes are ignored there. */
  isMember: boolean
}

/** Returns the changes of operations, without those of extensions. Throws 400 for an invalid path. */
export const changesOf = ({ Operations }: PatchBody): Change[] => Operations.flatMap(changesOfOne)

function changesOfOne({ op, path, value }: PatchBody['Operations'][number]): Change[] {
  if (path !== undefined) {
    if (op !== 'remove' && value === undefined) throw invalidValue(`${path}: The operation has no value.`)
    return isOfExtension(path) ? [] : [{ op, path: parsePath(path), written: path, value, isMember: false }]
  }
  if (op === 'remove') throw noTarget()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidValue('value: An operation without a path needs an object with attributes.')
  return Object.entries(value).flatMap(([written, member]) =>
    isOfExtension(written)
      ? []
      : [{ op, path: parsePath(written), written, value: member as unknown, isMember: true }],
  )
}
