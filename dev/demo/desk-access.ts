/** The access rules of the demo's ticket desk. docs/guide/access-rules.md shows them. */

/**
 * Customers create, read and change their own tickets, and each team changes its own. The members of a team
 * are the group with the team's name.
 */
export const ticketAccess = {
  rules: [
    {
      name: 'own',
      who: 'user',
      can: ['read', 'update'],
      where: { requester: { $: 'user.email' } },
      fields: {
        read: ['id', 'subject', 'requester', 'state', 'opened_at', 'solved_at'],
        write: ['subject', 'state'],
      },
    },
    {
      name: 'of the team',
      who: 'user',
      can: ['read', 'update'],
      where: { team__in: { $: 'user.groups' } },
      fields: { write: ['priority', 'state', 'solved_at', 'labels'] },
    },
    {
      name: 'ask',
      who: 'user',
      can: ['create'],
      check: { requester: { $: 'user.email' } },
      set: { requester: { $: 'user.email' }, opened_at: { $: 'now' } },
      fields: { write: ['subject'] },
    },
  ],
}

/** Callers who may read a ticket may read its comments. */
export const commentAccess = {
  rules: [
    {
      name: 'on own tickets',
      who: 'user',
      can: ['read'],
      where: { 'ticket.requester': { $: 'user.email' } },
      fields: ['id', 'ticket_id', 'text', 'written_at'],
    },
    { name: 'of the team', who: 'user', can: ['read'], where: { 'ticket.team__in': { $: 'user.groups' } } },
  ],
}

/** Everybody reads the published articles. */
export const articleAccess = {
  rules: [
    {
      name: 'knowledge base',
      who: 'anyone',
      can: ['read'],
      where: { published: true },
      fields: ['id', 'title', 'body', 'labels'],
    },
  ],
}
