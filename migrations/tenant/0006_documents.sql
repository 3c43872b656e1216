-- Dates and times as they stand in a document of JSON, which are texts that Postgres printed in UTC. Its own casts
-- depend on settings; these do not, so that indexes and checks can be made of them, and Postgres writes them out in place.

create function _as_date(p_text text) returns date immutable parallel safe
language sql as $$
  select make_date(substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, substr(p_text, 9, 2)::integer)
$$;
--> statement-breakpoint

create function _as_time(p_text text) returns time immutable parallel safe
language sql as $$
  select make_time(substr(p_text, 1, 2)::integer, substr(p_text, 4, 2)::integer, substr(p_text, 7)::double precision)
$$;
--> statement-breakpoint

create function _as_datetime(p_text text) returns timestamptz immutable parallel safe
language sql as $$
  select make_timestamp(substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, substr(p_text, 9, 2)::integer,
                        substr(p_text, 12, 2)::integer, substr(p_text, 15, 2)::integer,
                        rtrim(split_part(substr(p_text, 18), '+', 1), 'Z')::double precision) at time zone 'UTC'
$$;
