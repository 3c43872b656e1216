-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "transfers" ADD COLUMN "downloads" integer;