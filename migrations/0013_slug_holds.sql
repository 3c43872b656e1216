-- Tables, written by drizzle-kit from drizzle/.
CREATE TABLE "slug_holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "slug_holds_id_seq" INCREMENT BY 1
	  MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"organization_id" bigint NOT NULL,
	"held_until" timestamp with time zone NOT NULL,
	"at_once" boolean NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "was_live" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "slug_holds_slug_idx" ON "slug_holds" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "slug_holds_organization_id_idx"
  ON "slug_holds" USING btree ("organization_id","created");