-- Tables, written by drizzle-kit from drizzle/platform.
CREATE TABLE "site_guests" (
	"user_id" bigint NOT NULL,
	"site_id" bigint NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_guests_pkey" PRIMARY KEY("user_id","site_id")
);
--> statement-breakpoint
ALTER TABLE "site_guests" ADD CONSTRAINT "site_guests_user_id_users_id_fk"
	FOREIGN KEY ("user_id")
	REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_guests" ADD CONSTRAINT "site_guests_site_id_sites_id_fk"
	FOREIGN KEY ("site_id")
	REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_guests_site_id_idx" ON "site_guests" USING btree ("site_id");