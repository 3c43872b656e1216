/** Sets the messages of zod for all schemas. Import it for its side effect. */
import * as z from 'zod'
import { unknownMemberMessage } from './unknown-member.ts'

/** The largest number of fields or parameters that one answer names. */
export const problemsMax = 100

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

type Issue = z.core.$ZodRawIssue

function message(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This field is required.'
      if (issue.input === null) return 'This field may not be null.'
      return `Must be ${nouns[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      if (issue.input === undefined) return 'This field is required.'
      return `Must be one of: ${issue.values.map(String).join(', ')}.`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'This field may not be blank.'
      if (issue.origin === 'string') return `Ensure this field has at least ${issue.minimum} characters.`
      if (issue.origin === 'array') return `Ensure this field has at least ${issue.minimum} elements.`
      return `Ensure this value is greater than or equal to ${issue.minimum}.`
    case 'too_big':
      if (issue.origin === 'string') return `Ensure this field has no more than ${issue.maximum} characters.`
      if (issue.origin === 'array') return `Ensure this field has no more than ${issue.maximum} elements.`
      return `Ensure this value is less than or equal to ${issue.maximum}.`
    case 'unrecognized_keys': {
      const known = writableMembers(issue.inst)
      // Writes one line for each member that an answer can name. http/validate.ts splits the lines.
      return issue.keys
        .slice(0, problemsMax)
        .map((name) => unknownMemberMessage(name, known))
        .join('\n')
    }
    default:
      return undefined
  }
}

/** Returns the members of an object except read-only members, because requests ignore these. */
const writableMembers = (type: Issue['inst']): string[] =>
  type instanceof z.ZodObject
    ? Object.keys(type.shape).filter((name) => z.globalRegistry.get(type.shape[name])?.readOnly !== true)
    : []

z.config({ customError: (issue) => message(issue) })
