-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_deliveries" ADD COLUMN "depth" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "_deliveries" ADD COLUMN "schedule_of" bigint;--> statement-breakpoint
ALTER TABLE "_deliveries" ADD COLUMN "scheduled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "_functions" ADD COLUMN "schedule" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "_functions" ADD COLUMN "schedule_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "_functions" ADD COLUMN "secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "_functions" ADD COLUMN "runs_as" text DEFAULT 'service' NOT NULL;--> statement-breakpoint
ALTER TABLE "_invocations" ADD COLUMN "depth" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "_deliveries" ADD CONSTRAINT "_deliveries_schedule_of_key"
  UNIQUE("schedule_of");--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_schedule_check"
  CHECK ("_functions"."schedule" = '' or "_functions"."runs_as" = 'service');--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_secrets_check"
  CHECK ("_functions"."execution_mode" = 'app' or "_functions"."secrets" = '[]');--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_runs_as_check"
  CHECK ("_functions"."runs_as" = 'service'
         or "_functions"."runs_as" = 'caller' and "_functions"."execution_mode" = 'app');