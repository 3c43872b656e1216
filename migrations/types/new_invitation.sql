-- An invitation to be made. organization: the slug of the organization. config: the groups and the
-- permissions that the invitee gets, as the table invitations keeps them.
create type public.new_invitation as (
  uuid uuid,
  organization text,
  inviter_id bigint,
  email text,
  config jsonb
);
