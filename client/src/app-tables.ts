/** The tables of an app by their names, and operations on several of them at once. */
import type { Call, Transport } from './connection/transport.ts'
import { type BatchResult, type BatchTables, runBatch } from './records/batch.ts'
import { type Follow, tableCalls } from './records/table.ts'
import type { WriteOptions } from './records/writes.ts'
import type { watchSchemas } from './schema-watch.ts'
import type { TableOf, UnknownApps } from './types/schema.ts'
import type { TableClient } from './types/table-client.ts'

/** The members of an app other than its tables. No table has a name with a `$`. */
interface AppCalls<in out A> {
  /**
   * Writes to several tables, all or none. The callback collects the operations; later ones can use values of
   * earlier ones.
   */
  $batch<const Returned>(
    collect: (tables: BatchTables<A>) => Returned,
    options?: WriteOptions,
  ): Promise<Returned extends object ? BatchResult<Returned> : undefined>
  /** A table whose name is known only when the program runs. */
  $table(name: string): TableClient<A, TableOf<UnknownApps[string], string>>
}

/** An app: its tables by name, and batches. */
export type AppTables<A> = {
  readonly [Name in keyof A & string]: TableClient<A, TableOf<A, Name>>
} & AppCalls<A>

/** What an app has in a client, and not in a function. */
interface OfClient {
  follow?: Follow
  /** The other members of the app, created from its path. */
  more?(path: string): object
}

/** Creates the calls of an app. */
export function appTables(
  transport: Transport,
  slug: string,
  watch: ReturnType<typeof watchSchemas>,
  { follow, more = () => ({}) }: OfClient = {},
): unknown {
  const path = `/api/apps/${encodeURIComponent(slug)}/`
  const tables = new Map<string, unknown>()
  const table = (name: string) => {
    const calls =
      tables.get(name) ??
      tableCalls(
        watched(transport, (answer) => watch(slug, name, answer)),
        `${path}datatables/${encodeURIComponent(name)}/`,
        follow,
      )
    tables.set(name, calls)
    return calls
  }
  const own = new Map<string, unknown>([
    [
      '$batch',
      (collect: never, options: WriteOptions) => runBatch(transport, `${path}batch/`, collect, options),
    ],
    ['$table', table],
    ...Object.entries(more(path)),
    // `await` looks for this member, but an app is not a promise.
    ['then', undefined],
  ])
  return new Proxy(
    {},
    {
      get: (_, name) => (typeof name !== 'string' || own.has(name) ? own.get(String(name)) : table(name)),
    },
  )
}

/** Returns a transport that passes each response to the schema watch. */
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
