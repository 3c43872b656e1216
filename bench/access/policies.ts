/**
 * Measures the same lists in PostgREST on the same tables: under a policy of Postgres, as users of Supabase
 * write it, compared with a role that has no policy and uses the same filter.
 */
import { isDeepStrictEqual } from 'node:util'
import { startPostgrestProcess } from '../side-by-side/postgrest-process.ts'
import { compare, type Stack } from '../stack.ts'

const questions: readonly [kind: string, query: string][] = [
  ['the first page', 'order=id'],
  ['an equality of text', 'order=id&kind=eq.kind 3'],
  ['a range of bigint', 'order=id&id=gte.500000'],
  ['icontains', 'order=id&title=ilike.*abc*'],
  ['containment', 'order=id&labels=cs.["label 7"]'],
  ['a range of numeric', 'order=id&price=gte.95'],
]

const owner = "(select (auth.jwt() ->> 'sub')::bigint)"
const rules = (id: number): readonly [what: string, policy: string, filter: string][] => [
  [
    'a related hop',
    `project_id in (select id from bench_projects where owner_id = ${owner})`,
    `bench_projects.owner_id=eq.${id}`,
  ],
  ['the own records', `owner_id = ${owner}`, `owner_id=eq.${id}`],
]

/** Compares the lists. The policies do not apply to the roles of the service, which own the tables. */
export async function comparePolicies({ sql, schema, superuserUrl }: Stack, id: number): Promise<void> {
  await sql.query(`
    create schema auth;
    create function auth.jwt() returns jsonb language sql stable as $$
      select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
    create role authenticated nologin;
    create role manager nologin bypassrls;
    grant usage on schema auth, ${schema} to authenticated, manager;
    grant select on ${schema}.bench_tasks, ${schema}.bench_projects to authenticated, manager;
    set search_path = ${schema}, public;
    alter table bench_tasks enable row level security`)
  const server = await startPostgrestProcess({ superuserUrl, schema, role: 'manager' })
  try {
    const guestToken = await server.sign({ role: 'authenticated', sub: String(id) })
    for (const [what, policy, filter] of rules(id)) {
      await sql.query(`
        drop policy if exists seen on bench_tasks;
        create policy seen on bench_tasks for select to authenticated using (${policy})`)
      const inner = filter.startsWith('bench_projects') ? 'select=*,bench_projects!inner()&' : ''
      for (const [kind, query] of questions) {
        const ask = (token: string, more: string) => async () => {
          const answer = await fetch(new URL(`bench_tasks?limit=20&${query}${more}`, server.url), {
            headers: { authorization: `Bearer ${token}` },
          })
          const body = (await answer.json()) as unknown[]
          if (!answer.ok) throw new Error(JSON.stringify(body))
          return body
        }
        const [guests, managers] = [ask(guestToken, ''), ask(server.token, `&${inner}${filter}`)]
        const [seen, wanted] = [await guests(), await managers()]
        if (seen.length === 0 || !isDeepStrictEqual(seen, wanted))
          throw new Error(`${what}: ${kind}: the policy shows other records than the filter finds, or none`)
        await compare(`a policy, ${what}: ${kind}`, 15, guests, managers, 1000, 'with the filter')
      }
    }
  } finally {
    await server.stop()
  }
}
