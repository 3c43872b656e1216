/** What goes into a function, and what is seen of it. E2. */
import { z } from 'zod'
import { id, timestamp } from '../http/openapi/bodies.ts'
import { jsonObject } from '../lib/json-object.ts'
import { invocation } from './invocations/schema.ts'

/** `app`: JavaScript in an isolate of its own. `system`: a function of the service's. */
const executionModes = ['app', 'system'] as const
const systemFunctions = ['log', 'noop', 'fail'] as const

const codeLengthMax = 262_144
const hostsMax = 20
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
  .regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'A host is a name, as api.example.com.')
const allowedHosts = z
  .array(host)
  .max(hostsMax)
  .transform((hosts) => [...new Set(hosts)])
const systemFunction = z.enum(['', ...systemFunctions])
const timeoutSeconds = z.int().min(1).max(timeoutSecondsMax)
const filterConditions = z.string().max(2000)

/** Of a new function, and of PUT. What a mode has not, is left out or empty. */
export const functionInput = z.strictObject({
  name,
  description: description.default(''),
  execution_mode: executionMode.default('app'),
  code: code.default('').meta({ description: '`export default async function (params, context) { … }`; what it returns is the result.' }),
  allowed_hosts: allowedHosts.default([]).meta({ description: 'The hosts that the code may reach over https; without any it has no network.' }),
  system_function: systemFunction.default(''),
  timeout_seconds: timeoutSeconds.default(timeoutSecondsDefault),
  is_active: z.boolean().default(true),
  filter_conditions: filterConditions.default(''),
})
export type FunctionInput = z.infer<typeof functionInput>

/** The slug stays: it stands in addresses. So does the mode. */
export const functionChange = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  execution_mode: executionMode.optional(),
  code: code.optional(),
  allowed_hosts: allowedHosts.optional(),
  system_function: systemFunction.optional(),
  timeout_seconds: timeoutSeconds.optional(),
  is_active: z.boolean().optional(),
  filter_conditions: filterConditions.optional(),
})
export type FunctionChange = z.infer<typeof functionChange>

/** E2 */
export const functionRecord = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    app_name: z.string(),
    app_slug: z.string(),
    execution_mode: executionMode,
    code: z.string(),
    allowed_hosts: z.array(z.string()),
    system_function: systemFunction,
    timeout_seconds: z.int(),
    is_active: z.boolean(),
    filter_conditions: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Function' })
export type FunctionRecord = z.infer<typeof functionRecord>

export const executionInput = z.strictObject({
  params: jsonObject.default({}).meta({ type: 'object', additionalProperties: true }),
  async: z.boolean().default(false).meta({ description: 'Queue it, and answer at once.' }),
})
export type ExecutionInput = z.infer<typeof executionInput>

/** E2: of a run that fails the invocation says so. */
export const execution = z
  .object({ data: z.unknown().meta({ description: 'What the function returned; null when it failed.' }), invocation })
  .meta({ id: 'Execution' })
export type Execution = z.infer<typeof execution>

export const queued = z.object({ invocation, queued: z.literal(true) }).meta({ id: 'QueuedExecution' })
export type Queued = z.infer<typeof queued>
