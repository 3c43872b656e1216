-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "tenant_migrations" ADD COLUMN "is_conversion" boolean DEFAULT false NOT NULL;