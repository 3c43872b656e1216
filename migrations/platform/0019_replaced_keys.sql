-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "api_keys" ADD COLUMN "is_replaced" boolean DEFAULT false NOT NULL;
