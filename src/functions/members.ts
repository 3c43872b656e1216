/** What the members of a function may be. E2. */
import { z } from 'zod'
import { isZone } from '../lib/time-zone.ts'
import { secretKey } from '../secrets/entries/schema.ts'
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
export const executionMode = z.enum(executionModes)
export const code = z.string().max(codeLengthMax)
const host = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'A host is a domain name, for example api.example.com.')
export const allowedHosts = z
  .array(host)
  .max(hostsMax)
  .transform((hosts) => [...new Set(hosts)])
export const webhookUrl = z.string().max(2000)

/** Headers that the service sets: those of the signature and of the transport. */
const reservedHeader =
  /^(webhook-.*|host|content-.*|connection|transfer-encoding|upgrade|expect|te|trailer)$/i
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'A value consists of printable ASCII characters.')
export const headers = z
  .record(z.string(), headerValue)
  .refine((all) => Object.keys(all).length <= headersMax, `There can be at most ${headersMax} headers.`)
  .superRefine((all, refinement) => {
    for (const name of Object.keys(all)) {
      const message = reservedHeader.test(name)
        ? 'This header is set by the service.'
        : 'This is not a valid header name.'
      if (reservedHeader.test(name) || !headerName.test(name))
        refinement.addIssue({ code: 'custom', path: [name], message })
    }
  })
export const systemFunction = z.enum(['', ...systemFunctions])
export const timeoutSeconds = z.int().min(1).max(timeoutSecondsMax)
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

export const as = z.enum(actors)
export const ordering = z.enum(orderings)
const secretsMax = 20
export const secrets = z
  .array(secretKey)
  .max(secretsMax)
  .transform((keys) => [...new Set(keys)])

export const schedule = z
  .string()
  .max(200)
  .superRefine((text, refinement) => {
    const problem = text === '' ? undefined : scheduleProblem(text)
    if (problem) refinement.addIssue({ code: 'custom', message: problem })
  })
export const scheduleZone = z
  .string()
  .refine(isZone, 'A zone is one of the IANA database, for example Europe/Berlin, or UTC.')
