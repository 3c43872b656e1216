-- Prepares an e-mail of a function that waits: locks its row, and decides whether it is sent now. Returns no
-- row if not, also while another message sends it, at most ten minutes. Of a paused site it is kept: nothing
-- leaves, and the managers of the site read it. Otherwise public.admit_letter decides, as for every e-mail
-- that an organization causes: it is dropped if the reader wants none or the mailbox has enough of them, and
-- waits for an hour if the organization has no budget (p_budget, for a day) or the site has reached its limit
-- of e-mails. Called by src/operation/mails.
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
     and (m.attempts = 0 or m.due_at <= now()) for update;
  select s.* into site from public.sites s where s.id = p_site_id and s.is_active;
  if mail.id is null or site.id is null then
    return;
  end if;
  outcome := case
    when site.paused then 'kept'
    when (site.exceeded #>> '{emails,month}')::date = date_trunc('month', now() at time zone 'UTC')::date
      then 'limited'
    else public.admit_letter(format('mail %s %s', p_site_id, p_id), 'caused', mail.recipient,
                             site.organization_id, p_budget) end;
  update tenant._mails m
     set state = case when outcome = 'kept' then 'kept' when outcome in ('stopped', 'crowded') then 'dropped'
                      else 'waiting' end,
         reason = case outcome when 'stopped' then 'The reader wants no e-mails of the organization.'
                               when 'crowded' then 'The address has got enough e-mails for now.'
                               when 'spent' then 'The organization has sent enough e-mails for a day.'
                               when 'limited' then 'The site has reached its limit of e-mails.' end,
         attempts = m.attempts + 1,
         due_at = now() + case when outcome in ('spent', 'limited') then interval '1 hour'
                              else interval '10 minutes' end
   where m.site_id = p_site_id and m.id = p_id
  returning m.* into mail;
  if outcome = 'admitted' then
    return next mail;
  end if;
end $$;
