/** The explanation of access on the wire: what is asked, and the answer. */
import { z } from 'zod'
import { permissions } from '../../permissions.ts'
import { actions } from '../model/access.ts'

const as = z
  .union(
    [
      z.strictObject({ user: z.int().min(1).describe('The id of a person of the site.') }),
      z.strictObject({ group: z.string().min(1).max(100).describe('The name of a group.') }),
      z.strictObject({ anyone: z.literal(true).describe('A request without credentials.') }),
    ],
    { error: 'Must be {"user": <id>}, {"group": <name>} or {"anyone": true}.' },
  )
  .describe('Who asks: `{"user": <id>}`, `{"group": <name>}` or `{"anyone": true}`.')

/** The body of a request for an explanation. */
export const explainInput = z
  .strictObject({
    as,
    action: z.enum(actions).describe('What the caller would do.'),
    record: z
      .union([z.string().max(1000), z.int()])
      .optional()
      .describe('The primary key of a record, as in a path. Omitted: records in general.'),
    data: z
      .record(z.string(), z.json())
      .optional()
      .describe(
        'The fields of the record that is created, or those that are changed. Omitted: the record only ' +
          'gets what rules fill in; for `create`, no condition is tried.',
      ),
    query: z
      .record(z.string(), z.json())
      .optional()
      .describe('Parameters of a list. Those that the caller could not use are named as problems.'),
  })
  .meta({ id: 'AccessQuestion', description: 'Whose access to what is to be explained.' })

/** What is asked. */
export type AccessQuestion = z.output<typeof explainInput>

const filter = z.record(z.string(), z.unknown())

const condition = z
  .object({
    condition: filter.describe('The condition, as the rule has it.'),
    passes: z.boolean().describe('Whether the record meets it.'),
    found: z
      .unknown()
      .optional()
      .describe('What the record has there; of several related records, up to ten values.'),
    compared: z.unknown().optional().describe('The value of the caller that it is compared with.'),
    get conditions() {
      return z.array(condition).optional().describe('The conditions that it joins.')
    },
  })
  .meta({ id: 'AccessCondition', description: 'A condition of a rule, tried on a record.' })

const filled = z
  .object({
    field: z.string().describe('The name of the field.'),
    value: z.unknown().describe('The value that it gets.'),
    passes: z.boolean().describe('Whether `data` has the same value, or none.'),
  })
  .meta({ id: 'FilledField', description: 'A field that a rule fills in.' })

const rule = z
  .object({
    name: z.string().describe('The name of the rule.'),
    who: z.string().describe('Whom it is for.'),
    failed: z
      .enum(['can', 'who', 'fields', 'set', 'where', 'check'])
      .nullable()
      .describe('The first member of the rule that does not fit; null if the rule allows it.'),
    conditions: z.array(condition).describe('The conditions of `where`. Empty if they were not tried.'),
    check: z
      .array(condition)
      .optional()
      .describe('The conditions of `check`, or of `where` without one, tried on the record as it would be.'),
    set: z.array(filled).optional().describe('What the rule fills in.'),
    unwritable: z
      .array(z.string())
      .optional()
      .describe('The members of `data` that the rule does not let write.'),
  })
  .meta({ id: 'ExplainedRule', description: 'What a rule says to a question of access.' })

const standing = z.object({
  signed_in: z.boolean().describe('Whether somebody signed in.'),
  user: z.boolean().describe('Whether the account belongs to the site.'),
  groups: z.array(z.string()).describe('The groups.'),
  permissions: z.array(z.enum(permissions)).describe('The permissions in the site.'),
})

/** The answer. */
export const explanation = z
  .object({
    allowed: z.boolean().describe('Whether the caller may.'),
    reason: z.string().describe('Why, in a sentence.'),
    standing: standing
      .nullable()
      .describe('What rules know of the caller. Null: the caller holds `access_site`, and needs no rule.'),
    fields: z
      .array(z.string())
      .describe('The fields that the caller sees of the record, or of any; that it may give, for a write.'),
    rules: z.array(rule).describe('Each rule of the table, in its order.'),
    problems: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('What the caller would be told about the parameters of `query`, or the members of `data`.'),
  })
  .meta({ id: 'AccessExplanation', description: 'Why a caller may do something, or may not.' })

/** An explanation. */
export type Explanation = z.output<typeof explanation>
