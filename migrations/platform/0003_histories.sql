-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "history_sweeps" (
	"site_id" bigint NOT NULL,
	"datatable_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "history_sweeps_pkey" PRIMARY KEY("site_id","datatable_id")
);
--> statement-breakpoint
ALTER TABLE "history_sweeps" ADD CONSTRAINT "history_sweeps_site_id_sites_id_fk" FOREIGN KEY ("site_id")
	REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "history_sweeps_due_at_idx" ON "history_sweeps" USING btree ("due_at");