-- Tables, written by drizzle-kit from drizzle/tenant.ts.
CREATE TABLE "_dashboards" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY
		(sequence name "_dashboards_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_dashboards_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "_questions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY
		(sequence name "_questions_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_questions_name_key" UNIQUE("name")
);
