-- Sets the time of the next statement of a transaction that runs statements in several sites: an even share
-- of the time that is left for all of its parts (p_parts_left), but not longer than a read, or than the
-- limit of the site (p_slug). So a slow site takes no time from those after it, and a quick one leaves them
-- its own. Called by public.run_in_part and src/kernel/db.
create or replace function public.limit_part(p_slug text, p_parts_left integer) returns void
language plpgsql as $$
declare
  left_ms constant double precision :=
    10000 - 1000 * extract(epoch from clock_timestamp() - transaction_timestamp());
begin
  perform set_config('statement_timeout', greatest(50, least(
    5000, left_ms / greatest(p_parts_left, 1),
    (select s.statement_timeout_ms from public.sites s where s.slug = p_slug)))::integer::text, true);
end $$;
