-- Tables, written by drizzle-kit from drizzle/.
CREATE TABLE "tenant"."_index_advice" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"datatable_id" bigint NOT NULL,
	"wanted" jsonb NOT NULL,
	"count" bigint NOT NULL,
	"max_ms" double precision NOT NULL,
	"cost_before" double precision,
	"cost_after" double precision,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "_index_advice_pkey" PRIMARY KEY("site_id","datatable_id","wanted")
);
--> statement-breakpoint
ALTER TABLE "tenant"."_index_advice" ADD CONSTRAINT "_index_advice_datatable_id_fkey"
	FOREIGN KEY ("site_id","datatable_id") REFERENCES "tenant"."_datatables"("site_id","id")
	ON DELETE cascade ON UPDATE no action;
