/** What goes into a function, and what is seen of it. E2. */
import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp } from '../http/openapi/bodies.ts'
import { activeFilter } from '../http/params.ts'
import { returnable } from '../http/returnable.ts'
import { jsonObject } from '../lib/json-object.ts'
import { slugPattern, slugRule } from '../lib/slug.ts'
import { conditionsLengthMax, conditionsProblem } from './filter.ts'
import { invocation } from './invocations/schema.ts'
import { list } from './store.ts'

/** `app`: JavaScript in an isolate of its own. `proxy`: a signed call of a server. `system`: a function of the service's. */
const executionModes = ['app', 'proxy', 'system'] as const
const systemFunctions = ['log', 'noop', 'fail'] as const

const codeLengthMax = 262_144
const hostsMax = 20
const headersMax = 20
/** Spec: Limits, function run timeout. */
const timeoutSecondsDefault = 300
const timeoutSecondsMax = 600

const name = z.string().trim().min(1).max(100)
const description = z.string().max(2000)
const executionMode = z.enum(executionModes)
const code = z.string().max(codeLengthMax)
const host = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'A host is a name, as api.example.com.')
const allowedHosts = z
  .array(host)
  .max(hostsMax)
  .transform((hosts) => [...new Set(hosts)])
const webhookUrl = z.string().max(2000)

/** Those that say what the call is, and how it is sent, are not the client's. */
const reservedHeader = /^(webhook-.*|host|content-.*|connection|transfer-encoding|upgrade|expect|te|trailer)$/i
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'A value has printable ASCII characters.')
const headers = z
  .record(z.string(), headerValue)
  .refine((all) => Object.keys(all).length <= headersMax, `At most ${headersMax} headers are sent.`)
  .superRefine((all, refinement) => {
    for (const name of Object.keys(all)) {
      const message = reservedHeader.test(name) ? 'This header is set by the service.' : 'This is no name of a header.'
      if (reservedHeader.test(name) || !headerName.test(name)) refinement.addIssue({ code: 'custom', path: [name], message })
    }
  })
const systemFunction = z.enum(['', ...systemFunctions])
const timeoutSeconds = z.int().min(1).max(timeoutSecondsMax)
const filterConditions = z
  .string()
  .max(conditionsLengthMax)
  .superRefine((text, refinement) => {
    const problem = conditionsProblem(text)
    if (problem) refinement.addIssue({ code: 'custom', message: problem })
  })
  .meta({ description: 'CEL over `event`, `user` and `time`: the function runs for an event where they hold.' })

export const functionsQuery = listQuery(list, activeFilter)
export type FunctionsQuery = z.infer<typeof functionsQuery>

/** E2. */
export const functionRecord = z
  .object({
    id: id.describe('The id of the function.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, made from the name, which stands in paths.'),
    description: z.string().describe('A description for people.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    execution_mode: executionMode.describe(
      '`app`: JavaScript that runs here. `proxy`: a signed call of a server. `system`: a function of the service.',
    ),
    code: z.string().describe('The JavaScript of an `app` function: `export default async function (params, context) { … }`.'),
    allowed_hosts: z.array(z.string()).describe('The hosts that the code may reach over https.'),
    webhook_url: z.string().describe('The address that a `proxy` function calls.'),
    headers: z.record(z.string(), z.string()).describe('Headers that a `proxy` function sends. Values are shown as ***HIDDEN***.'),
    system_function: systemFunction.describe('Which function of the service a `system` function is.'),
    timeout_seconds: z.int().describe('How many seconds a run may take.'),
    is_active: z.boolean().describe('Whether it can run.'),
    filter_conditions: z.string().describe('The CEL expression that has to hold for the function to run for an event; empty: it always runs.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'Function', description: 'A function.' })
export type FunctionRecord = z.infer<typeof functionRecord>

/** What of a function needs `manage_site` to be seen: it may hold credentials. */
export const managedFields = ['code', 'webhook_url', 'headers'] as const

const managed = 'Left out for callers without `manage_site`.'
/** What is read of a function. */
export const shownFunction = functionRecord
  .extend({
    code: z.string().optional().meta({ description: managed }),
    webhook_url: z.string().optional().meta({ description: managed }),
    headers: z.record(z.string(), z.string()).optional().meta({ description: managed }),
  })
  .meta({ id: 'ShownFunction', description: 'A function, as the caller may see it.' })
export type ShownFunction = z.infer<typeof shownFunction>

/** Of a new function. */
export const newFunction = functionRecord
  .extend({
    signing_secret: z.string().optional().meta({ description: 'Of a `proxy` function: what its calls are signed with. It is shown this once.' }),
  })
  .meta({ id: 'NewFunction', description: 'A function as it was created.' })
export type NewFunction = z.infer<typeof newFunction>

/** What a mode has not, is left out or empty. */
const whole = {
  name,
  description: description.default(''),
  execution_mode: executionMode.default('app'),
  code: code.default('').meta({ description: '`export default async function (params, context) { … }`; what it returns is the result.' }),
  allowed_hosts: allowedHosts.default([]).meta({ description: 'The hosts that the code may reach over https; without any it has no network.' }),
  webhook_url: webhookUrl
    .default('')
    .meta({ description: 'Of a public host, over https, at port 443, 80, 8080 or 8443. What it answers is the result.' }),
  headers: headers
    .default({})
    .meta({ description: 'Sent with each call. Their values are shown as ***HIDDEN***, which keeps them when it is sent.' }),
  system_function: systemFunction.default(''),
  timeout_seconds: timeoutSeconds.default(timeoutSecondsDefault),
  is_active: z.boolean().default(true),
  filter_conditions: filterConditions.default(''),
}

/** What PUT takes. */
export const functionInput = returnable(whole, newFunction)
export type FunctionInput = z.infer<typeof functionInput>

/** D16 */
export const newFunctionInput = returnable(
  { ...whole, slug: z.string().regex(slugPattern, slugRule).optional().meta({ description: 'Omitted: what the name gives.' }) },
  newFunction,
)
export type NewFunctionInput = z.infer<typeof newFunctionInput>

/** The slug stays: it stands in addresses. So does the mode. */
export const functionChange = returnable(
  {
    name: name.optional(),
    description: description.optional(),
    execution_mode: executionMode.optional(),
    code: code.optional(),
    allowed_hosts: allowedHosts.optional(),
    webhook_url: webhookUrl.optional(),
    headers: headers.optional(),
    system_function: systemFunction.optional(),
    timeout_seconds: timeoutSeconds.optional(),
    is_active: z.boolean().optional(),
    filter_conditions: filterConditions.optional(),
  },
  functionRecord,
)
export type FunctionChange = z.infer<typeof functionChange>

export const executionInput = z.strictObject({
  params: jsonObject.default({}).meta({ type: 'object', additionalProperties: true, description: 'What the function is given.' }),
  async: z.boolean().default(false).meta({ description: 'Queue it, and answer at once.' }),
})
export type ExecutionInput = z.infer<typeof executionInput>

/** E2: of a run that fails the invocation says so. */
export const execution = z
  .object({
    data: z.unknown().meta({ description: 'What the function returned; null when it failed.' }),
    invocation: invocation.describe('The run.'),
  })
  .meta({ id: 'Execution', description: 'A run that has ended.' })
export type Execution = z.infer<typeof execution>

export const queued = z
  .object({ invocation: invocation.describe('The run.'), queued: z.literal(true).describe('The run is in the queue.') })
  .meta({ id: 'QueuedExecution', description: 'A run that is in the queue.' })
export type Queued = z.infer<typeof queued>
