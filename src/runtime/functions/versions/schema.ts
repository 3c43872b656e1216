/** The versions of a function in the API. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { count, id, timestamp } from '../../../kernel/http/openapi/bodies.ts'
import { functionRecord } from '../schema.ts'

/** How clients can sort and search the versions of a function. */
export const listForm = {
  orderings: ['number'],
  ordering: '-number',
  searched: 'the name of the user',
} as const satisfies ListForm

/** The query parameters of the list. */
export const versionsQuery = listQuery(listForm, {})
/** The parsed query parameters. */
export type VersionsQuery = z.infer<typeof versionsQuery>

/** A version in a list. */
export const functionVersionItem = z
  .object({
    number: count.describe('The number of the version, from 1 on.'),
    hash: z
      .string()
      .describe('The SHA-256 of code and settings. Versions with the same content have the same hash.'),
    created_at: timestamp.describe('The time of the change.'),
    changed_by: z
      .object({ id, username: z.string().nullable().describe('The name of the user at that time.') })
      .nullable()
      .describe('The user who made the change; null if it was the service.'),
  })
  .meta({ id: 'FunctionVersionItem', description: 'A version of a function, without its content.' })
/** A version in a list. */
export type FunctionVersionItem = z.infer<typeof functionVersionItem>

/**
 * The members that a restoration restores, apart from the code. Headers and the signing secret are
 * credentials, so versions do not contain them.
 */
const settings = functionRecord
  .pick({
    name: true,
    description: true,
    allowed_hosts: true,
    webhook_url: true,
    system_function: true,
    timeout_seconds: true,
    is_active: true,
    filter_conditions: true,
    as: true,
    schedule: true,
    schedule_zone: true,
    ordering: true,
    secrets: true,
    variables: true,
  })
  .meta({ id: 'FunctionSettings', description: 'The settings of a function.' })

/** A version with its content. */
export const functionVersion = functionVersionItem
  .extend({
    code: z.string().describe('The JavaScript of a function in `app` mode.'),
    settings: settings.describe('The settings that the function had.'),
  })
  .meta({ id: 'FunctionVersion', description: 'A version of a function.' })
/** A version with its content. */
export type FunctionVersion = z.infer<typeof functionVersion>
