CREATE TABLE "outbox" (
	"site_id" bigint NOT NULL,
	"delivery_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outbox_pkey" PRIMARY KEY("site_id","delivery_id")
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_due_at_idx" ON "outbox" USING btree ("due_at");