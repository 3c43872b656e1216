-- Refuses (TS433) a request that needs more of a measure whose limit its site has reached. The detail is a
-- JSON object with the measure, the limit, the use and the month. p_exceeded: the hard limits that the site
-- has reached (public.judge_use); those of an earlier month do not count. p_mode: the mode of the visit:
-- 'add' stores records, 'invoke' runs a function. Called by public.enter.
create or replace function public.refuse_exceeded(p_site_id bigint, p_exceeded jsonb, p_mode text)
returns void
language plpgsql as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'UTC');
  reached record;
begin
  select e.measure, (e.terms ->> 'limit')::bigint as most into reached
    from jsonb_each(p_exceeded) e (measure, terms)
   where coalesce((e.terms ->> 'month')::date, this_month) = this_month
     and (e.measure = 'requests'
          or e.measure in ('records', 'bytes') and p_mode = 'add'
          or e.measure = 'invocations' and p_mode = 'invoke')
   order by e.measure = 'requests' desc, e.measure limit 1;
  if found then
    raise sqlstate 'TS433' using message = 'the site has reached a limit', detail = json_build_object(
      'measure', reached.measure, 'limit', reached.most,
      'used', public.use_of(p_site_id, reached.measure, this_month), 'month', to_char(this_month, 'YYYY-MM'));
  end if;
end $$;
