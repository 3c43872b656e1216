/** The report of access rules on the wire. */
import { z } from 'zod'
import { actions } from '../model/access.ts'

const permit = z
  .object({
    datatable: z.string().describe('The name of the datatable.'),
    who: z.string().describe('The kind of caller, as rules name it.'),
    can: z.enum(actions).describe('What it may do.'),
    records: z.enum(['all', 'some']).describe('Whether a rule lets do it with every record.'),
    fields: z
      .array(z.string())
      .describe('The fields that at least one of the rules shows or lets give. A deletion has none.'),
    rules: z.array(z.string()).describe('The names of the rules.'),
  })
  .meta({ id: 'AccessPermit', description: 'What one kind of caller may do with a datatable.' })

const advice = z
  .object({
    datatable: z.string().describe('The name of the datatable.'),
    rule: z.string().describe('The name of the rule.'),
    message: z.string().describe('What is worth a second look.'),
  })
  .meta({ id: 'AccessAdvice', description: 'Advice about an access rule.' })

/** The advice beside other members of an answer. */
export const advised = {
  advice: z.array(advice).describe('What the rules allow that may not be meant, and what they cost.'),
}

/** The answer of the report. */
export const accessReport = z
  .object({
    permits: z.array(permit).describe('One entry for each datatable, kind of caller and action.'),
    ...advised,
  })
  .meta({ id: 'AccessReport', description: 'What callers without `access_site` may do in an app.' })
