CREATE TABLE "data_keys" (
	"site_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"master_kid" text NOT NULL,
	"wrapped" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_keys_pkey" PRIMARY KEY("site_id","version")
);
--> statement-breakpoint
CREATE TABLE "master_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"proof" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_master_kid_master_keys_kid_fk" FOREIGN KEY ("master_kid") REFERENCES "public"."master_keys"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_keys_master_kid_idx" ON "data_keys" USING btree ("master_kid");