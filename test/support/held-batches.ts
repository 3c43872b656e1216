/** Batches of changes of large tables that wait until a test lets them go on. */
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/**
 * Lets each change of a large table wait after its first batch, until the test ends at the latest. Returns
 * the function that waits for a change of a table, and fails if the change ends before; and the function that
 * lets all go on.
 */
export async function holdBatches(
  app: TestApp,
): Promise<{ untilHeld(table: string, change: Promise<unknown>): Promise<void>; letGo(): Promise<void> }> {
  await app.sql('create table if not exists public.held_batches (is_held boolean)')
  await app.sql('insert into public.held_batches values (true)')
  // A statement that waits for too long is repeated, as one that waits for a lock.
  await app.sql(`
    create or replace function public.hold_batch() returns trigger language plpgsql security definer as $$
    declare until constant timestamptz := clock_timestamp() + interval '2 seconds';
    begin
      while exists (select from public.held_batches) loop
        if clock_timestamp() > until then
          raise sqlstate '55P03';
        end if;
        perform pg_sleep(0.01);
      end loop;
      return new;
    end $$`)
  await app.sql(`
    create or replace trigger hold_batch before update on tenant._claims for each row
      when (new.rows_done > 0) execute function public.hold_batch()`)
  const letGo = async () => void (await app.sql('delete from public.held_batches'))
  onTestFinished(letGo)
  const isHeld = async (table: string) =>
    (
      await app.sql(
        `select from pg_stat_activity a, tenant._schema_jobs j
          where a.datname = current_database() and a.wait_event = 'PgSleep'
            and j.ended_at is null and j.table_name like '%' || $1 || '"'`,
        [table],
      )
    ).length > 0
  return {
    letGo,
    async untilHeld(table, change) {
      let hasEnded = false
      const end = () => {
        hasEnded = true
      }
      change.then(end, end)
      await until(
        async () => hasEnded || (await isHeld(table)),
        () => `a batch of ${table} that waits`,
      )
      if (!hasEnded) return
      await change
      throw new Error(`The change of ${table} ended before its first batch.`)
    },
  }
}
