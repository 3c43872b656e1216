/** The report of access rules in the API. */
import * as z from 'zod'
import { withReadOnly } from '../../kernel/http/with-read-only.ts'
import { actions, appRules } from '../model/access.ts'

const permit = z
  .object({
    datatable: z.string().describe('The name of the datatable.'),
    who: z.string().describe('The kind of caller, as in `who` of a rule.'),
    can: z.enum(actions).describe('The action that is allowed.'),
    records: z.enum(['all', 'some']).describe('Whether a rule allows the action for every record.'),
    fields: z
      .array(z.string())
      .describe('The fields that at least one of the rules allows to read or to send. Deletions have none.'),
    rules: z.array(z.string()).describe('The names of the rules.'),
  })
  .meta({ id: 'AccessPermit', description: 'One action that one kind of caller may perform on a datatable.' })

const advice = z
  .object({
    datatable: z.string().describe('The name of the datatable.'),
    rule: z.string().describe('The name of the rule.'),
    message: z.string().describe('The advice.'),
  })
  .meta({ id: 'AccessAdvice', description: 'Advice about an access rule.' })

/** The advice, in addition to other members of an answer. */
export const advised = {
  advice: z.array(advice).describe('What the rules allow that may not be meant, and what they cost.'),
}

/** The answer of the report. */
export const accessReport = z
  .object({
    rules: appRules,
    permits: z.array(permit).describe('One entry for each datatable, kind of caller and action.'),
    ...advised,
  })
  .meta({
    id: 'AccessReport',
    description: 'The access rules of an app, and what those of all its datatables allow.',
  })

/** The body that replaces the rules of an app. */
export const appAccessInput = withReadOnly({ rules: appRules }, accessReport)
