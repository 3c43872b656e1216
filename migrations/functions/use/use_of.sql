-- Returns how much of a measure a site uses: in a month, if it is counted by month; at present, if it is
-- stored. p_month: the first day of the month. Called by public.judge_use, public.refuse_exceeded and
-- src/runtime/outbox.
create or replace function public.use_of(p_site_id bigint, p_measure text, p_month date) returns bigint
language sql stable as $$
  select coalesce(case p_measure
    when 'records' then (select m.records from public.site_meters m where m.site_id = p_site_id)
    when 'bytes' then (select m.bytes from public.site_meters m where m.site_id = p_site_id)
    else (select case p_measure when 'requests' then u.requests
                                when 'invocations' then u.invocations
                                when 'emails' then u.emails end
            from public.site_use u where u.site_id = p_site_id and u.month = p_month)
  end, 0)
$$;
