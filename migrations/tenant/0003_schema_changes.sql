CREATE TABLE "_migrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"datatable_id" bigint NOT NULL,
	"json_schema" json NOT NULL,
	"schema_hash" text NOT NULL,
	"is_materialized" boolean NOT NULL,
	"renames" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "_operations" ADD COLUMN "migration_id" uuid;--> statement-breakpoint
ALTER TABLE "_migrations" ADD CONSTRAINT "_migrations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_operations" ADD CONSTRAINT "_operations_migration_id_fkey" FOREIGN KEY ("migration_id") REFERENCES "_migrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_operations_migration_id_idx" ON "_operations" USING btree ("migration_id");--> statement-breakpoint

-- Whether a text is JSON of this kind, as jsonb_typeof names it.
create function _is_json(p_text text, p_kind text) returns boolean immutable
language plpgsql as $$
begin
  return jsonb_typeof(p_text::jsonb) = p_kind;
exception when others then
  return false;
end $$;
--> statement-breakpoint

-- Undoes a migration by the SQL that was recorded with it, the last step first, each with a row of its own in the
-- history; its datatable is then what it was before. It runs as who calls it: the tenant's role.
create function _roll_back(p_migration uuid, p_caller bigint) returns void
language plpgsql as $$
declare
  step _operations;
  began timestamptz;
begin
  for step in
    select o.* from _operations o where o.migration_id = p_migration and o.status = 'success' and o.operation_type <> 'rollback' order by o.id desc
  loop
    began := clock_timestamp();
    if step.rollback_sql <> '' then
      execute step.rollback_sql;
    end if;
    update _operations set status = 'rolled_back' where id = step.id;
    insert into _operations (app_id, datatable_name, migration_id, operation_type, description, sql, rollback_sql, status, execution_time_ms, created_by)
    values (step.app_id, step.datatable_name, p_migration, 'rollback', 'Roll back: ' || step.description, step.rollback_sql, step.sql, 'success',
            extract(epoch from clock_timestamp() - began) * 1000, p_caller);
  end loop;
  update _datatables t
     set json_schema = m.json_schema, schema_hash = m.schema_hash, is_materialized = m.is_materialized, updated_at = now(), modified_by = p_caller
    from _migrations m where m.id = p_migration and t.id = m.datatable_id;
end $$;
