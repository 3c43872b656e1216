-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_deliveries" ADD COLUMN "stuck_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "_functions" ADD COLUMN "ordering" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "_invocations" ADD COLUMN "order_key" text;--> statement-breakpoint
CREATE INDEX "_invocations_order_idx" ON "_invocations"
	USING btree ("function_id","order_key","event_id","place")
	WHERE "_invocations"."order_key" is not null
	and "_invocations"."status" in ('PENDING', 'STARTED', 'RETRY');--> statement-breakpoint
CREATE INDEX "_invocations_created_at_idx" ON "_invocations"
	USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_ordering_check"
	CHECK ("_functions"."ordering" in ('none', 'record'));