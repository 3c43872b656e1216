-- Tables, written by drizzle-kit from drizzle/tenant.ts.
CREATE TABLE "_erasures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY
		(sequence name "_erasures_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"record" text NOT NULL,
	"versions" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint
);
