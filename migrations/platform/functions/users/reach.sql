-- 'none': the caller does not see the account. 'seen': a member of an organization that the caller manages. 'managed':
-- one that is in no other organization, and no superuser; superusers manage all.
create or replace function public.reach(p_caller bigint, p_user bigint) returns text stable
language sql as $$
  select case
    when (select c.is_superuser from public.users c where c.id = p_caller) then 'managed'
    when count(*) filter (where mine.user_id is not null) = 0 then 'none'
    when count(*) filter (where mine.user_id is null) > 0 or (select u.is_superuser from public.users u where u.id = p_user) then 'seen'
    else 'managed'
  end
  from public.memberships theirs
  left join public.memberships mine
    on mine.organization_id = theirs.organization_id and mine.user_id = p_caller and mine.role in ('owner', 'admin')
 where theirs.user_id = p_user
$$;
