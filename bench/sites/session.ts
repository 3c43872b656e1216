/** A session of Postgres, and the CPU time of its process. */
import { readFileSync } from 'node:fs'
import pg from 'pg'

const anonymous = JSON.stringify({ signed_in: false, user: false, groups: [], permissions: [] })

export class Session {
  readonly pid: number
  readonly #client: pg.Client
  readonly #entry: string

  private constructor(client: pg.Client, pid: number, entry: string) {
    this.#client = client
    this.pid = pid
    this.#entry = entry
  }

  static async open(url: string): Promise<Session> {
    const client = new pg.Client({ connectionString: url })
    // A server that stops ends its sessions.
    client.on('error', () => undefined)
    await client.connect()
    // With a schema for each site's tables of the service, its version stood between the two parameters.
    const { rows } = await client.query<{ pid: number; entry: string }>(
      `select pg_backend_pid() as pid, case p.pronargs when 3 then '$1, 0, 60000' else '$1, 60000' end as entry
         from pg_proc p where p.proname = 'enter_as_service'`,
    )
    const [row] = rows
    if (!row) throw new Error('the database is not migrated')
    return new Session(client, row.pid, row.entry)
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>(text, values)
    return rows
  }

  /** Returns the CPU milliseconds that the process of the session spends on some work. */
  async cpuOf(work: () => Promise<unknown>): Promise<number> {
    const before = this.#cpuMs()
    await work()
    return this.#cpuMs() - before
  }

  /** Runs statements in a site as requests do. */
  async inSite(id: number, texts: readonly string[]): Promise<void> {
    await this.#inTransaction(async () => {
      await this.#enter(id)
      await this.#run(texts)
    })
  }

  /** Returns the CPU milliseconds of the statements, without the entry. */
  async cpuInSite(id: number, texts: readonly string[]): Promise<number> {
    let cpuMs = 0
    await this.#inTransaction(async () => {
      await this.#enter(id)
      cpuMs = await this.cpuOf(() => this.#run(texts))
    })
    return cpuMs
  }

  /** Returns the CPU milliseconds of the entry of an anonymous guest and of statements that read. */
  async cpuAsGuest(slug: string, id: number, texts: readonly string[]): Promise<number> {
    return this.cpuOf(() =>
      this.#inTransaction(async () => {
        await this.query(
          `select public.enter_as_guest(null, $1, json_populate_record(null::public.caller, '{"request_id": "x"}'),
                                        $2, false, json_populate_record(null::public.visit, $3))`,
          [slug, anonymous, JSON.stringify({ site_id: id, mode: 'read', timeout_ms: 60_000 })],
        )
        await this.#run(texts)
      }),
    )
  }

  end(): Promise<void> {
    return this.#client.end()
  }

  #enter(id: number): Promise<unknown> {
    return this.query(`select public.enter_as_service(${this.#entry})`, [id])
  }

  #run(texts: readonly string[]): Promise<unknown> {
    const statements = texts.map(
      (text) => (/^\s*(select|with)\b/.test(text) ? 'r' : 'c') + text.replaceAll('%', '%%'),
    )
    return this.query(`select * from public.run_in_site($1::text[], '{}', null)`, [statements])
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.query('begin')
    await work()
    await this.query('commit')
  }

  /** The first number of schedstat is the CPU time in nanoseconds. */
  #cpuMs(): number {
    return Number(readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  }
}
