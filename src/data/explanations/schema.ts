/** The request and the response of an explanation. */
import * as z from 'zod'
import { permissions } from '../../kernel/permissions.ts'
import { actions } from '../model/access.ts'

const as = z
  .union(
    [
      z.strictObject({ user: z.int().min(1).describe('The id of a person of the site.') }),
      z.strictObject({ group: z.string().min(1).max(100).describe('The name of a group.') }),
      z.strictObject({ role: z.string().min(1).max(63).describe('The name of a role of the site.') }),
      z.strictObject({ anyone: z.literal(true).describe('A request without credentials.') }),
    ],
    { error: 'Must be {"user": <id>}, {"group": <name>}, {"role": <name>} or {"anyone": true}.' },
  )
  .describe('The caller: `{"user": <id>}`, `{"group": <name>}`, `{"role": <name>}` or `{"anyone": true}`.')

/** The body of a request for an explanation. */
export const explainInput = z
  .strictObject({
    as,
    action: z.enum(actions).describe('The action that the caller would perform.'),
    record: z
      .union([z.string().max(1000), z.int()])
      .optional()
      .describe(
        'The primary key of a record, as in a path. Omitted: only says which rules apply to the ' + 'caller.',
      ),
    data: z
      .record(z.string(), z.json())
      .optional()
      .describe(
        'The fields of the record to create, or the fields to change. Omitted: the record only ' +
          'gets the values that rules set; for `create`, no condition is tested.',
      ),
    query: z
      .record(z.string(), z.json())
      .optional()
      .describe('The parameters of a list. Those that the caller cannot use are listed in `problems`.'),
  })
  .meta({ id: 'AccessQuestion', description: 'The access to explain.' })

/** The request. */
export type AccessQuestion = z.output<typeof explainInput>

const filter = z.record(z.string(), z.unknown())

const condition = z
  .object({
    condition: filter.describe('The condition, as written in the rule.'),
    passes: z.boolean().describe('Whether the record meets it.'),
    found: z
      .unknown()
      .optional()
      .describe('The value of the record. For several related records, up to ten values.'),
    compared: z.unknown().optional().describe("The caller's value that it is compared with."),
    get conditions() {
      return z.array(condition).optional().describe('The conditions that it combines.')
    },
  })
  .meta({ id: 'AccessCondition', description: 'A condition of a rule, tested on a record.' })

const filled = z
  .object({
    field: z.string().describe('The name of the field.'),
    value: z.unknown().describe('The value that the rule sets.'),
    passes: z.boolean().describe('Whether `data` has the same value, or omits the field.'),
  })
  .meta({ id: 'FilledField', description: 'A field that a rule sets.' })

const rule = z
  .object({
    name: z.string().describe('The name of the rule.'),
    who: z.string().describe('The callers to whom it applies.'),
    failed: z
      .enum(['can', 'who', 'fields', 'set', 'where', 'check'])
      .nullable()
      .describe('The first member of the rule that does not allow the action; null if the rule allows it.'),
    conditions: z.array(condition).describe('The conditions of `where`. Empty if they were not tested.'),
    check: z
      .array(condition)
      .optional()
      .describe(
        'The conditions of `check`, or else of `where`, tested on the record as it would be after ' +
          'the write.',
      ),
    set: z.array(filled).optional().describe('The fields that the rule sets.'),
    unwritable: z
      .array(z.string())
      .optional()
      .describe('The members of `data` that the rule does not allow.'),
  })
  .meta({ id: 'ExplainedRule', description: 'The result of one rule.' })

const standing = z.object({
  signed_in: z.boolean().describe('Whether the caller is signed in.'),
  user: z.boolean().describe('Whether the account belongs to the site.'),
  groups: z.array(z.string()).describe("The caller's groups."),
  permissions: z.array(z.enum(permissions)).describe("The caller's permissions in the site."),
  roles: z.array(z.string()).describe("The caller's roles in the site."),
})

/** The answer. */
export const explanation = z
  .object({
    allowed: z.boolean().describe('Whether the caller may perform the action.'),
    reason: z.string().describe('The reason, as a sentence.'),
    standing: standing
      .nullable()
      .describe(
        'The properties of the caller that rules use. Null: the caller has `access_site`, and needs ' +
          'no rule.',
      ),
    fields: z
      .array(z.string())
      .describe('The fields of the record that the caller may read, or for a write, may send.'),
    rules: z.array(rule).describe('Each rule of the table, in its order.'),
    problems: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('The error messages that the caller would get about `query` or `data`.'),
  })
  .meta({
    id: 'AccessExplanation',
    description: 'The reasons why a caller may or may not perform an ' + 'action.',
  })

export type Explanation = z.output<typeof explanation>
