-- Tables, written by drizzle-kit from drizzle/tenant.ts.
CREATE TABLE "_function_versions" (
	"function_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"code" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" bigint,
	"username" text,
	CONSTRAINT "_function_versions_pkey" PRIMARY KEY("function_id","number")
);
--> statement-breakpoint
ALTER TABLE "_function_versions" ADD CONSTRAINT "_function_versions_function_id_fkey"
  FOREIGN KEY ("function_id") REFERENCES "_functions"("id")
  ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Functions that are there begin with what they are now.
insert into _function_versions (function_id, number, settings, code, hash, created_at, user_id, username)
select f.id, 1, s.settings, f.code,
       encode(sha256(convert_to(s.settings::text || chr(10) || f.code, 'UTF8')), 'hex'),
       f.updated_at, s.user_id, u.username
  from _functions f
 cross join lateral (
   select coalesce(f.modified_by, f.created_by) as user_id,
          to_jsonb(f) - '{id,app_id,slug,execution_mode,code,headers,uuid,sealed,version,
                          created_at,updated_at,created_by,modified_by}'::text[] as settings) s
  left join public.users u on u.id = s.user_id;
