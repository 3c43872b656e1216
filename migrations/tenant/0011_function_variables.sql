-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_functions" ADD COLUMN "variables" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_variables_check"
  CHECK ("_functions"."execution_mode" = 'app' or "_functions"."variables" = '{}');--> statement-breakpoint
-- Functions had no variables in their earlier versions.
update _function_versions v
   set settings = s.settings,
       hash = encode(sha256(convert_to(s.settings::text || chr(10) || v.code, 'UTF8')), 'hex')
  from (select o.function_id, o.number, o.settings || '{"variables": {}}' as settings
          from _function_versions o) s
 where s.function_id = v.function_id and s.number = v.number;
