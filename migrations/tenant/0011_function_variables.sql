-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_functions" ADD COLUMN "variables" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_variables_check"
  CHECK ("_functions"."execution_mode" = 'app' or "_functions"."variables" = '{}');
