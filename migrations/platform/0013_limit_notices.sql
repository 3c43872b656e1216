-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "limit_notices" (
	"site_id" bigint NOT NULL,
	"measure" text NOT NULL,
	"month" date NOT NULL,
	"user_id" bigint NOT NULL,
	"soft" bigint NOT NULL,
	"used" bigint NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "limit_notices_pkey" PRIMARY KEY("site_id","measure","month","user_id")
);
--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "limit_notices_user_id_idx" ON "limit_notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "limit_notices_due_at_idx" ON "limit_notices" USING btree ("due_at") WHERE "limit_notices"."sent_at" is null;