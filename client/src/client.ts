/** The client of a site: its apps with their tables, and what else the site has. */
import { type Call, type ConnectionOptions, connect, type Transport } from './connection/transport.ts'
import { type BatchResult, type BatchTables, runBatch } from './records/batch.ts'
import { tableCalls } from './records/table.ts'
import type { WriteOptions } from './records/writes.ts'
import { type SchemaChange, type SchemaHashes, watchSchemas } from './schema-watch.ts'
import { accountCalls } from './site/accounts.ts'
import { apiKeyCalls } from './site/api-keys.ts'
import { eventCalls, functionCalls, invocationCalls } from './site/functions.ts'
import { acceptanceCalls, invitationCalls } from './site/invitations.ts'
import { organizationCalls } from './site/organizations.ts'
import { ownAccountCalls, sessionCalls } from './site/own-account.ts'
import { secretCalls } from './site/secrets.ts'
import { siteCalls } from './site/sites.ts'
import { userCalls } from './site/users.ts'
import type { Apps, TableOf, UnknownApps } from './types/schema.ts'
import type { TableClient } from './types/table-client.ts'

/** The options of a client. */
export interface ClientOptions extends ConnectionOptions {
  /** The hashes of the schemas that the types were made of, as the generated file has them. */
  schemas?: SchemaHashes
  /** Called when a table has another schema than the types. Default: a warning on the console. */
  onSchemaChange?: (change: SchemaChange) => void
}

/** What an app has beside its tables. No table has a name with a `$`. */
interface AppCalls<A> {
  /**
   * Writes to several tables, all or none. The callback collects the operations; values of earlier ones can
   * stand in later ones.
   */
  $batch<const Returned>(
    collect: (tables: BatchTables<A>) => Returned,
    options?: WriteOptions,
  ): Promise<Returned extends object ? BatchResult<Returned> : undefined>
  $functions: ReturnType<typeof functionCalls>
  /** A table whose name is known only when the program runs. */
  $table(name: string): TableClient<A, TableOf<UnknownApps[string], string>>
}

/** An app: its tables by name, and what else it has. */
export type AppClient<A> = {
  readonly [Name in keyof A & string]: TableClient<A, TableOf<A, Name>>
} & AppCalls<A>

/** A client of a site. */
export interface Client<S extends Apps = UnknownApps> {
  app<Slug extends keyof S & string>(slug: Slug): AppClient<S[Slug]>
  accounts: ReturnType<typeof accountCalls>
  /** One's own account. */
  me: ReturnType<typeof ownAccountCalls>
  /** Where one's own account is signed in. */
  sessions: ReturnType<typeof sessionCalls>
  /** One's own API keys of the site. */
  apiKeys: ReturnType<typeof apiKeyCalls>
  /** The accounts that one manages. */
  users: ReturnType<typeof userCalls>
  organizations: ReturnType<typeof organizationCalls>
  sites: ReturnType<typeof siteCalls>
  secrets: ReturnType<typeof secretCalls>
  events: ReturnType<typeof eventCalls>
  invocations: ReturnType<typeof invocationCalls>
  /** The invitations of an organization, by its slug. */
  invitations(organization: string): ReturnType<typeof invitationCalls>
  /** What an invited person does. */
  invited: ReturnType<typeof acceptanceCalls>
  /** Sends any other request with the credentials, repetitions and errors of the client. */
  request<Body>(call: Call): Promise<Body>
  /** Sends it in the same way, and returns the answer itself: for its headers, or its text. */
  send(call: Call): Promise<Response>
}

/** Makes a client. `S`: the apps with their tables, as `npm run types` writes them. */
export function createClient<S extends Apps = UnknownApps>(options: ClientOptions): Client<S> {
  const transport = connect(options)
  const watch = watchSchemas(options.schemas, options.onSchemaChange)
  const apps = new Map<string, unknown>()
  return {
    app(slug) {
      const app = apps.get(slug) ?? appClient(transport, slug, watch)
      apps.set(slug, app)
      // The compiler would compare all calls of all tables with themselves.
      return app as never
    },
    accounts: accountCalls(transport),
    me: ownAccountCalls(transport),
    sessions: sessionCalls(transport),
    apiKeys: apiKeyCalls(transport),
    users: userCalls(transport),
    organizations: organizationCalls(transport),
    sites: siteCalls(transport),
    secrets: secretCalls(transport),
    events: eventCalls(transport),
    invocations: invocationCalls(transport),
    invitations: (organization) => invitationCalls(transport, organization),
    invited: acceptanceCalls(transport),
    request: (call) => transport.json(call),
    send: (call) => transport.send(call),
  }
}

function appClient(transport: Transport, slug: string, watch: ReturnType<typeof watchSchemas>): unknown {
  const path = `/api/apps/${encodeURIComponent(slug)}/`
  const tables = new Map<string, unknown>()
  const table = (name: string) => {
    const calls =
      tables.get(name) ??
      tableCalls(
        watched(transport, (answer) => watch(slug, name, answer)),
        `${path}datatables/${encodeURIComponent(name)}/`,
      )
    tables.set(name, calls)
    return calls
  }
  const own = new Map<string, unknown>([
    [
      '$batch',
      (collect: never, options: WriteOptions) => runBatch(transport, `${path}batch/`, collect, options),
    ],
    ['$functions', functionCalls(transport, path)],
    ['$table', table],
    // An app is no promise: `await` asks for this.
    ['then', undefined],
  ])
  return new Proxy(
    {},
    {
      get: (_, name) => (typeof name !== 'string' || own.has(name) ? own.get(String(name)) : table(name)),
    },
  )
}

/** Returns the transport with a look at each answer. */
function watched(transport: Transport, look: (answer: Response) => void): Transport {
  const send = async (call: Call) => {
    const answer = await transport.send(call)
    look(answer)
    return answer
  }
  return {
    session: transport.session,
    send,
    async json<Body>(call: Call) {
      const text = await (await send(call)).text()
      return (text === '' ? undefined : JSON.parse(text)) as Body
    },
  }
}
