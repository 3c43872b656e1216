/** The allowed values of a function's members. E2. */
import * as z from 'zod'
import { isZone } from '../../kernel/lib/time-zone.ts'
import { forwardingHeader } from '../../kernel/outgoing/fetch.ts'
import { secretKey } from '../../secrets/entries/schema.ts'
import { codeLengthMax } from './code-length.ts'
import { conditionsLengthMax, conditionsProblem } from './filter.ts'
import { scheduleProblem } from './schedule.ts'

const executionModes = ['app', 'proxy', 'system'] as const
const systemFunctions = ['log', 'noop', 'fail'] as const
const actors = ['service', 'caller'] as const
const orderings = ['none', 'record'] as const

const hostsMax = 20
const headersMax = 20
/** Spec: Limits, function run timeout. */
export const timeoutSecondsDefault = 300
const timeoutSecondsMax = 600

export const name = z.string().trim().min(1).max(100)
export const description = z.string().max(2000)
/** The modes in which functions run. */
export const executionMode = z.enum(executionModes)
/** The module of a function that the service runs. */
export const code = z.string().max(codeLengthMax)
const host = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'A host is a domain name, for example api.example.com.')
/** The hosts to which a function may send requests. */
export const allowedHosts = z
  .array(host)
  .max(hostsMax)
  .transform((hosts) => [...new Set(hosts)])
/** The address that a `proxy` function calls. */
export const webhookUrl = z.string().max(2000)

/** Headers that the service sets itself: for the signature and for the transport. */
const reservedHeader =
  /^(webhook-.*|host|content-.*|connection|transfer-encoding|upgrade|expect|te|trailer)$/i
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'A value consists of printable ASCII characters.')
/** The message for the name of a header; undefined if it is valid. */
function headerNameProblem(name: string): string | undefined {
  if (reservedHeader.test(name)) return 'This header is set by the service.'
  if (forwardingHeader.test(name)) return 'This header names the client of a proxy, and cannot be set.'
  return headerName.test(name) ? undefined : 'This is not a valid header name.'
}

/** Texts by name, at most `most` of them. `nameProblem` returns the message for a name that is not valid. */
const namedTexts = (
  value: z.ZodString,
  most: number,
  plural: string,
  nameProblem: (name: string) => string | undefined,
) =>
  z.preprocess(
    (all, refinement) => {
      // Zod would leave this member out.
      if (typeof all === 'object' && all !== null && Object.hasOwn(all, '__proto__'))
        refinement.addIssue({ code: 'custom', path: ['__proto__'], message: 'This name is not allowed.' })
      return all
    },
    z
      .record(z.string(), value)
      .refine((all) => Object.keys(all).length <= most, `There can be at most ${most} ${plural}.`)
      .superRefine((all, refinement) => {
        for (const name of Object.keys(all)) {
          const message = nameProblem(name)
          if (message !== undefined) refinement.addIssue({ code: 'custom', path: [name], message })
        }
      }),
  )

/** The headers that a `proxy` function sends. */
export const headers = namedTexts(headerValue, headersMax, 'headers', headerNameProblem)
/** The built-in functions of `system` mode. */
export const systemFunction = z.enum(['', ...systemFunctions])
/** How long a run may take, in seconds. */
export const timeoutSeconds = z.int().min(1).max(timeoutSecondsMax)
/** The condition for events to run a function. */
export const filterConditions = z
  .string()
  .max(conditionsLengthMax)
  .superRefine((text, refinement) => {
    const problem = conditionsProblem(text)
    if (problem) refinement.addIssue({ code: 'custom', message: problem })
  })
  .meta({
    description:
      'A CEL expression over `event`, `user` and `time`. The function runs for an event if it is true.',
  })

/** The account whose rights a run has. */
export const as = z.enum(actors)
/** The orderings of a function's events. */
export const ordering = z.enum(orderings)
const secretsMax = 20
/** The keys of the secrets that a function gets. No key occurs twice. */
export const secrets = z
  .array(secretKey)
  .max(secretsMax)
  .transform((keys) => [...new Set(keys)])

const variablesMax = 50
const variableLengthMax = 2000
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
/** The variables of a function: texts by name. */
export const variables = namedTexts(z.string().max(variableLengthMax), variablesMax, 'variables', (name) =>
  variableName.test(name)
    ? undefined
    : 'A name consists of up to 64 letters, digits and _, and does not begin with a digit.',
)

/** The schedule of a function in the format of cron; empty: none. */
export const schedule = z
  .string()
  .max(200)
  .superRefine((text, refinement) => {
    const problem = text === '' ? undefined : scheduleProblem(text)
    if (problem) refinement.addIssue({ code: 'custom', message: problem })
  })
/** The time zone of a schedule. */
export const scheduleZone = z
  .string()
  .refine(isZone, 'A zone is one of the IANA database, for example Europe/Berlin, or UTC.')
