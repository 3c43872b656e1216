-- Prepares an e-mail of a function that waits: locks its row, and decides whether it is sent now. Returns no
-- row if not, also while another message sends it, at most ten minutes. Of a paused site it is kept: nothing
-- leaves, and the managers of the site read it. Otherwise public.admit_letter decides, as for every e-mail
-- that an organization causes. It waits for an hour if the reader takes none for now, the organization has no
-- budget (p_budget, for a day) or the site has reached its limit of e-mails. It is dropped after two days,
-- and if older ones of the site wait that are twice the budget. `attempts` counts those of the transport
-- alone. One reason is told for a reader who wants none and for one who has enough. Called by
-- src/operation/mails.
create or replace function public.prepare_mail(p_site_id bigint, p_id bigint, p_budget integer)
returns setof tenant._mails
language plpgsql as $$
declare
  mail tenant._mails;
  site public.sites;
  outcome text;
begin
  select m.* into mail from tenant._mails m
   where m.site_id = p_site_id and m.id = p_id and m.state = 'waiting'
     and (m.attempts = 0 and m.reason is null or m.due_at <= now()) for update;
  select s.* into site from public.sites s where s.id = p_site_id and s.is_active;
  if mail.id is null or site.id is null then
    return;
  end if;
  outcome := case
    when site.paused then 'kept'
    when mail.created_at < now() - interval '2 days' then 'late'
    when (site.exceeded #>> '{emails,month}')::date = date_trunc('month', now() at time zone 'UTC')::date
      then 'limited'
    else public.admit_letter(format('mail %s %s', p_site_id, p_id), 'function', mail.recipient,
                             site.organization_id, p_budget) end;
  if outcome in ('stopped', 'crowded', 'spent', 'limited') and (
    select count(*) >= 2 * p_budget from (
      select from tenant._mails o
       where o.site_id = p_site_id and o.state = 'waiting' and o.id < p_id limit 2 * p_budget) older) then
    outcome := 'full';
  end if;
  update tenant._mails m
     set state = case when outcome = 'kept' then 'kept' when outcome in ('late', 'full') then 'dropped'
                      else 'waiting' end,
         reason = case when outcome in ('stopped', 'crowded')
                         then 'The reader takes no more e-mails of the organization for now.'
                       when outcome = 'spent' then 'The organization has sent enough e-mails for a day.'
                       when outcome = 'limited' then 'The site has reached its limit of e-mails.'
                       when outcome = 'late' then concat_ws(' ', 'It has waited for two days.', m.reason)
                       when outcome = 'full' then 'Too many e-mails of the site wait.'
                       else m.reason end,
         attempts = m.attempts + (outcome = 'admitted')::integer,
         due_at = now() + case when outcome = 'admitted' then interval '10 minutes' else interval '1 hour' end
   where m.site_id = p_site_id and m.id = p_id
  returning m.* into mail;
  if outcome = 'admitted' then
    return next mail;
  end if;
end $$;
