-- Holds the slug of a site that public.set_site_state has deleted in this transaction, for its
-- organization: another one cannot get it before p_hold has passed since the site can be erased. With
-- p_at_once, the site gives its slug up now, so that the organization can use it again, while the site is
-- erased. p_typed: the slug as the caller has typed it again.
--
-- Refuses (TS432, with the reason as the detail) to erase a site at once for a caller who is no superuser:
-- `unconfirmed`, another slug was typed; `live`, the site ever was for production or staging. Called by
-- src/identity/organizations.
create or replace function public.hold_slug(
  p_caller public.caller, p_slug text, p_hold interval, p_at_once boolean, p_typed text
) returns void
language plpgsql as $$
declare
  site public.sites;
  obstacle text;
begin
  select s.* into site from public.sites s where s.slug = p_slug;
  if p_at_once and not (select u.is_superuser from public.users u where u.id = p_caller.id) then
    obstacle := case when p_typed is distinct from p_slug then 'unconfirmed'
                     when site.was_live then 'live' end;
  end if;
  if obstacle is not null then
    raise sqlstate 'TS432' using message = 'the site cannot be erased at once', detail = obstacle;
  end if;
  -- The counts of a day need those that hold no longer.
  delete from public.slug_holds h
   where greatest(h.held_until, h.created + interval '1 day') < now()
      or h.slug = p_slug and h.organization_id = site.organization_id and not h.at_once;
  insert into public.slug_holds (slug, organization_id, held_until, at_once)
  values (p_slug, site.organization_id, site.deletes_at + p_hold, p_at_once);
  if p_at_once then
    -- No other slug has this form, and it tells people what it was.
    update public.sites s set slug = s.slug || '~' || s.id where s.id = site.id;
  end if;
end $$;
