/** The client of a site: its apps with their tables, and everything else in the site. */
import { type AppTables, appTables } from './app-tables.ts'
import { type Call, type ConnectionOptions, connect } from './connection/transport.ts'
import { followPath } from './live/source.ts'
import type { Follow } from './records/table.ts'
import { type SchemaChange, type SchemaHashes, watchSchemas } from './schema-watch.ts'
import { accountCalls } from './site/accounts.ts'
import { apiKeyCalls } from './site/api-keys.ts'
import { eventCalls, functionCalls, invocationCalls } from './site/functions.ts'
import { acceptanceCalls, invitationCalls } from './site/invitations.ts'
import { organizationCalls } from './site/organizations.ts'
import { ownAccountCalls, sessionCalls } from './site/own-account.ts'
import { ownFactorCalls, ownPasskeyCalls, trustedDeviceCalls } from './site/own-factors.ts'
import { dashboardCalls, questionCalls } from './site/questions.ts'
import { secretCalls } from './site/secrets.ts'
import { siteCalls } from './site/sites.ts'
import { userCalls } from './site/users.ts'
import type { Apps, Marked, UnknownApps } from './types/schema.ts'

export interface ClientOptions extends ConnectionOptions {
  /** The hashes of the schemas from which the types were generated, as in the generated file. */
  schemas?: SchemaHashes | undefined
  /** Called when a table has another schema than the types. Default: a warning on the console. */
  onSchemaChange?: ((change: SchemaChange) => void) | undefined
}

/** An app: its tables by name, and its other members. */
export type AppClient<A> = AppTables<A> & { $functions: ReturnType<typeof functionCalls> }

/**
 * A client of a site. `in out`: the compiler tells it from a client of other apps without comparing all
 * calls.
 */
export interface Client<in out S extends Apps = UnknownApps> {
  /** Never exists: see `Marked`. */
  readonly $types?: Marked<S>
  app<Slug extends keyof S & string>(slug: Slug): AppClient<S[Slug]>
  accounts: ReturnType<typeof accountCalls>
  /** The signed-in account. */
  me: ReturnType<typeof ownAccountCalls>
  /** The sign-ins of the signed-in account. */
  sessions: ReturnType<typeof sessionCalls>
  /** The second factors of the signed-in account. */
  factors: ReturnType<typeof ownFactorCalls>
  /** The passkeys of the signed-in account. */
  passkeys: ReturnType<typeof ownPasskeyCalls>
  /** The browsers that need no second factor for some days. */
  trustedDevices: ReturnType<typeof trustedDeviceCalls>
  /** The API keys of the signed-in account in the site. */
  apiKeys: ReturnType<typeof apiKeyCalls>
  /** The accounts that the caller manages. */
  users: ReturnType<typeof userCalls>
  organizations: ReturnType<typeof organizationCalls>
  sites: ReturnType<typeof siteCalls>
  secrets: ReturnType<typeof secretCalls>
  /** The saved questions of the site. */
  questions: ReturnType<typeof questionCalls>
  /** The dashboards of the site. */
  dashboards: ReturnType<typeof dashboardCalls>
  events: ReturnType<typeof eventCalls>
  invocations: ReturnType<typeof invocationCalls>
  /** The invitations of an organization, by its slug. */
  invitations(organization: string): ReturnType<typeof invitationCalls>
  /** The calls for an invited person. */
  invited: ReturnType<typeof acceptanceCalls>
  /** Sends any other request with the credentials, retries and errors of the client. */
  request<Body>(call: Call): Promise<Body>
  /** Sends a request in the same way, and returns the response itself, for its headers or its text. */
  send(call: Call): Promise<Response>
  /**
   * Follows the answer to any path of records, for example aggregates or one record: `answer` has the latest
   * whole answer, and `data` its records.
   */
  live: Follow
}

/** Creates a client. `S`: the apps with their tables, as `npm run types` writes them. */
export function createClient<S extends Apps = UnknownApps>(options: ClientOptions): Client<S> {
  const transport = connect(options)
  const watch = watchSchemas(options.schemas, options.onSchemaChange)
  const apps = new Map<string, unknown>()
  const follow: Follow = (path, query = {}, options = {}) => followPath(transport, path, query, options)
  const withFunctions = (slug: string) =>
    appTables(transport, slug, watch, {
      follow,
      more: (path) => ({ $functions: functionCalls(transport, path) }),
    })
  return {
    app(slug) {
      const app = apps.get(slug) ?? withFunctions(slug)
      apps.set(slug, app)
      // Without this type assertion, the compiler would compare all calls of all tables with themselves.
      return app as never
    },
    accounts: accountCalls(transport),
    me: ownAccountCalls(transport),
    sessions: sessionCalls(transport),
    factors: ownFactorCalls(transport),
    passkeys: ownPasskeyCalls(transport),
    trustedDevices: trustedDeviceCalls(transport),
    apiKeys: apiKeyCalls(transport),
    users: userCalls(transport),
    organizations: organizationCalls(transport),
    sites: siteCalls(transport),
    secrets: secretCalls(transport),
    questions: questionCalls(transport),
    dashboards: dashboardCalls(transport),
    events: eventCalls(transport),
    invocations: invocationCalls(transport),
    invitations: (organization) => invitationCalls(transport, organization),
    invited: acceptanceCalls(transport),
    request: (call) => transport.json(call),
    send: (call) => transport.send(call),
    live: follow,
  }
}
