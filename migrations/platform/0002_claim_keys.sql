-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "claim_keys" (
	"id" integer PRIMARY KEY NOT NULL,
	"inner_pad" "bytea" NOT NULL,
	"outer_pad" "bytea" NOT NULL,
	CONSTRAINT "claim_keys_id_check" CHECK ("claim_keys"."id" = 1)
);
