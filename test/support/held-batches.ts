/** Batches of changes of large tables that wait until a test lets them go on. */
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/**
 * Lets each change of a large table wait after its first batch. Returns the function that waits for a change
 * of a table, and the one that lets all go on.
 */
export async function holdBatches(
  app: TestApp,
): Promise<{ untilHeld(table: string): Promise<void>; letGo(): Promise<void> }> {
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
  return {
    untilHeld: (table) =>
      until(
        async () =>
          (
            await app.sql(
              `select from pg_stat_activity a, tenant._schema_jobs j
                where a.wait_event = 'PgSleep' and j.ended_at is null and j.table_name like '%' || $1 || '"'`,
              [table],
            )
          ).length > 0,
        () => `a batch of ${table} that waits`,
      ),
    async letGo() {
      await app.sql('delete from public.held_batches')
    },
  }
}
