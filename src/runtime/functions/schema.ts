/** Functions in the API: input, responses and executions. E2. */
import * as z from 'zod'
import { identity } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../kernel/http/openapi/bodies.ts'
import { activeFilter } from '../../kernel/http/params.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { jsonObject } from '../../kernel/lib/json-object.ts'
import { slugPattern, slugRule } from '../../kernel/lib/slug-rule.ts'
import { invocation } from './invocations/schema.ts'
import {
  allowedHosts,
  as,
  code,
  description,
  executionMode,
  filterConditions,
  headers,
  name,
  ordering,
  schedule,
  scheduleZone,
  secrets,
  systemFunction,
  timeoutSeconds,
  timeoutSecondsDefault,
  variables,
  webhookUrl,
} from './members.ts'

/** How clients can sort and search the list of functions. */
export const listForm = {
  orderings: ['name', 'slug', 'execution_mode', 'created_at', 'updated_at'],
  ordering: 'name',
  searched: 'the name or the slug',
} as const satisfies ListForm

/** The query parameters of the list of functions. */
export const functionsQuery = listQuery(listForm, activeFilter)
/** The parsed query parameters. */
export type FunctionsQuery = z.infer<typeof functionsQuery>

/** A function with all fields. E2. */
export const functionRecord = z
  .object({
    id: id.describe('The id of the function.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug in paths. It is made from the name unless it is sent.'),
    description: z.string().describe('A description.'),
    app_name: z.string().describe('The name of its app.'),
    app_slug: z.string().describe('The slug of its app.'),
    execution_mode: executionMode.describe(
      '`app`: JavaScript that the service runs. `proxy`: a signed call of a server. ' +
        '`system`: a built-in function.',
    ),
    code: z
      .string()
      .describe(
        'The JavaScript of a function in `app` mode: ' +
          '`export default async function (params, context) { … }`.',
      ),
    allowed_hosts: z.array(z.string()).describe('The hosts that the code can call over https.'),
    webhook_url: z.string().describe('The URL that a function in `proxy` mode calls.'),
    headers: z
      .record(z.string(), z.string())
      .describe('The headers that a function in `proxy` mode sends. Values are shown as ***HIDDEN***.'),
    system_function: systemFunction.describe('The built-in function that a function in `system` mode calls.'),
    timeout_seconds: z.int().describe('How many seconds an attempt can take.'),
    is_active: z.boolean().describe('Whether the function can run.'),
    filter_conditions: z
      .string()
      .describe(
        'The CEL expression that must be true for the function to run for an event. If it is empty, ' +
          'the function always runs.',
      ),
    as: as.describe(
      "The rights of `context.client` in the app's records and edges. `service`: everything. " +
        '`caller`: the current rights of the account that caused the run.',
    ),
    schedule: z.string().describe('The schedule, with five fields as in cron. Empty: none.'),
    schedule_zone: z.string().describe('The time zone of the schedule.'),
    ordering: ordering.describe(
      'The order of its runs for events. `none`: as they arrive. `record`: those of one ' +
        'record (or account) run in the order of the changes, one at a time.',
    ),
    secrets: z
      .array(z.string())
      .describe('The keys of the secrets that the code can read, of the app or else of the site.'),
    variables: z.record(z.string(), z.string()).describe('The texts that the code gets, by name.'),
    created_at: timestamp.describe('When the function was created.'),
    updated_at: timestamp.describe('When the function was last changed.'),
  })
  .meta({ id: 'Function', description: 'A function.' })
/** A function with all fields. */
export type FunctionRecord = z.infer<typeof functionRecord>

/** The fields that only callers with `manage_site` see: they may contain credentials. */
export const managedFields = ['code', 'webhook_url', 'headers', 'variables'] as const

const managed = 'Omitted for callers without `manage_site`.'

/** A function as the caller may see it. */
export const shownFunction = functionRecord
  .extend({
    code: z.string().optional().meta({ description: managed }),
    webhook_url: z.string().optional().meta({ description: managed }),
    headers: z.record(z.string(), z.string()).optional().meta({ description: managed }),
    variables: z.record(z.string(), z.string()).optional().meta({ description: managed }),
  })
  .meta({ id: 'ShownFunction', description: 'A function as the caller may see it.' })
/** A function as the caller may see it. */
export type ShownFunction = z.infer<typeof shownFunction>

/** A new function. It is the only response with the signing secret. */
export const newFunction = functionRecord
  .extend({
    signing_secret: z
      .string()
      .optional()
      .meta({ description: 'The secret that signs the calls of a `proxy` function. It is shown only once.' }),
  })
  .meta({ id: 'NewFunction', description: 'A new function.' })
export type NewFunction = z.infer<typeof newFunction>

/** The fields of a whole function. Fields of other modes are omitted or empty. */
const wholeFunction = {
  name,
  description: description.default(''),
  execution_mode: executionMode.default('app'),
  code: code.default('').meta({
    description: '`export default async function (params, context) { … }`. The return value is the result.',
  }),
  allowed_hosts: allowedHosts
    .default([])
    .meta({ description: 'The hosts that the code can call over https. Without any it has no network.' }),
  webhook_url: webhookUrl.default('').meta({
    description:
      'An https URL of a public host, with the port 443, 80, 8080 or 8443. The response body is the result.',
  }),
  headers: headers.default({}).meta({
    description:
      'Headers to send with each call. Values are shown as ***HIDDEN***; sending that back keeps them.',
  }),
  system_function: systemFunction.default(''),
  timeout_seconds: timeoutSeconds.default(timeoutSecondsDefault),
  is_active: z.boolean().default(true),
  filter_conditions: filterConditions.default(''),
  as: as.default('service'),
  schedule: schedule.default('').meta({
    description:
      'Five fields: minute, hour, day of the month, month, day of the week. `*/5 * * * *` means every five ' +
      'minutes.',
  }),
  schedule_zone: scheduleZone.default('UTC'),
  ordering: ordering.default('none').meta({
    description:
      '`record`: the events of one record run in the order of its changes, one at a time. A run that ' +
      'fails is retried before the next one begins.',
  }),
  secrets: secrets.default([]).meta({
    description:
      'The keys of the secrets that `context.secrets.get(key)` returns. Only callers who may read secrets ' +
      'can change a function that declares secrets.',
  }),
  variables: variables.default({}).meta({
    description:
      'Texts that the code gets as `context.variables`, by name. They are not encrypted: use secrets for ' +
      'credentials.',
  }),
}

/** Paths contain the slugs, and a function stays in its app. */
const fixed = {
  ...identity,
  slug: 'Paths contain it: create another function with the new slug.',
  app_slug: 'Create a function in the other app.',
  app_name: 'Change the name of the app.',
  signing_secret: 'Replace it with `POST …/rotate-signing-secret/`.',
}

/** The body of PUT. */
export const functionInput = withFixed(fixed, wholeFunction, newFunction)
/** The parsed body of PUT. */
export type FunctionInput = z.infer<typeof functionInput>

/** The body of POST. D16. */
export const newFunctionInput = withReadOnly(
  {
    ...wholeFunction,
    slug: z
      .string()
      .regex(slugPattern, slugRule)
      .optional()
      .meta({ description: 'The slug. If it is omitted, it is made from the name.' }),
  },
  newFunction,
)
/** The parsed body of POST. */
export type NewFunctionInput = z.infer<typeof newFunctionInput>

/** The body of PATCH. The slug cannot change because it is part of URLs; neither can the mode. */
export const functionChange = withFixed(
  fixed,
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
    as: as.optional(),
    schedule: schedule.optional(),
    schedule_zone: scheduleZone.optional(),
    ordering: ordering.optional(),
    secrets: secrets.optional(),
    variables: variables.optional(),
  },
  newFunction,
)
/** The parsed body of PATCH. */
export type FunctionChange = z.infer<typeof functionChange>

const overlapSecondsMax = 30 * 24 * 3600

/** The body of a rotation of the signing secret. */
export const signingSecretRotation = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(overlapSecondsMax)
    .default(24 * 3600)
    .meta({
      description:
        'How many seconds calls also have the signature of the previous secret. 0: the previous secret ' +
        'was disclosed, and signs nothing any more.',
    }),
})
/** The parsed body of a rotation. */
export type SigningSecretRotation = z.infer<typeof signingSecretRotation>

/** The response to a rotation. */
export const rotatedSigningSecret = z
  .object({
    signing_secret: z.string().describe('The new secret. It is shown only once.'),
    previous_until: timestamp
      .nullable()
      .describe('Until when calls also have the signature of the previous secret. Null: not any more.'),
  })
  .meta({ id: 'RotatedSigningSecret', description: 'The new signing secret of a function.' })
/** The response to a rotation. */
export type RotatedSigningSecret = z.infer<typeof rotatedSigningSecret>

/** The body of an execution. */
export const executionInput = z.strictObject({
  params: jsonObject
    .default({})
    .meta({ type: 'object', additionalProperties: true, description: 'The first argument of the function.' }),
  async: z.boolean().default(false).meta({ description: 'Queue the invocation and respond at once.' }),
})
/** The parsed body of an execution. */
export type ExecutionInput = z.infer<typeof executionInput>

/** The response to an execution. Its invocation tells whether the function failed. E2. */
export const execution = z
  .object({
    data: z.unknown().meta({ description: 'The return value of the function; null if it failed.' }),
    invocation: invocation.describe('The invocation.'),
  })
  .meta({ id: 'Execution', description: 'A finished execution.' })
/** The response to an execution. */
export type Execution = z.infer<typeof execution>

/** The response to an execution or a replay that is queued. */
export const queued = z
  .object({
    invocation: invocation.describe('The invocation.'),
    queued: z.literal(true).describe('The invocation is queued.'),
  })
  .meta({ id: 'QueuedExecution', description: 'A queued execution.' })
/** The response to an execution or a replay that is queued. */
export type Queued = z.infer<typeof queued>
