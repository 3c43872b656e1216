/** The service with a queue that the test controls, for tests of transfers. */
import type { TestApp } from '../support/app.ts'
import { startApp } from '../support/app.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'

export interface TransferService {
  app: TestApp
  jobs: HeldQueue
  /** Delivers all messages like the queue, the failed ones again. Returns the number of failures. */
  drain(): Promise<number>
  /** Makes a step fail when it is saved, while a condition on the row `new` is true. */
  failWhile(condition: string): Promise<unknown>
  /** Returns the numbers of sites with this slug, of schemas without a site, and of parts of archives. */
  tracesOf(slug: string): Promise<unknown>
}

export async function startTransfers(variables: Record<string, string> = {}): Promise<TransferService> {
  const jobs = heldQueue()
  const app = await startApp(variables)
  app.env.JOBS = jobs.binding
  // The value of a sequence stays when a transaction fails.
  await app.sql('create sequence public.saves')
  return {
    app,
    jobs,
    async drain() {
      for (let failures = 0; ; failures++) {
        const waiting = structuredClone(jobs.waiting)
        try {
          await jobs.drain(app.env)
          return failures
        } catch {
          jobs.waiting.push(...waiting)
        }
      }
    },
    async failWhile(condition) {
      await app.sql(`create or replace function public.fail_here() returns trigger language plpgsql security definer as $$
        begin
          if ${condition} then raise exception 'the Worker dies here'; end if;
          return new;
        end $$`)
      await app.sql(`create or replace trigger fail_here before update on public.transfers for each row
        when (old.position is distinct from new.position or old.place is distinct from new.place)
        execute function public.fail_here()`)
    },
    tracesOf: async (slug) =>
      (
        await app.sql(
          `select (select count(*)::int from sites where slug = $1) as sites,
                  (select count(*)::int from pg_namespace n where n.nspname ~ '^site_'
                     and not exists (select from sites s
                           where n.nspname in ('site_' || s.id, 'site_' || s.id || '_guest'))) as schemas,
                  (select count(*)::int from transfer_parts) as parts`,
          [slug],
        )
      )[0],
  }
}
