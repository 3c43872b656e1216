-- Tables, written by drizzle-kit from drizzle/.
CREATE TABLE "tenant"."_awaited_notes" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" uuid NOT NULL,
	"datasource_id" bigint NOT NULL,
	"user_id" bigint,
	"depth" integer NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_awaited_notes_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
ALTER TABLE "tenant"."_awaited_notes"
	ADD CONSTRAINT "_awaited_notes_datasource_id_fkey"
	FOREIGN KEY ("site_id","datasource_id")
	REFERENCES "tenant"."_datasources"("site_id","id")
	ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "_awaited_notes_due_at_idx" ON "tenant"."_awaited_notes"
	USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "_awaited_notes_datasource_id_idx" ON "tenant"."_awaited_notes"
	USING btree ("site_id","datasource_id");