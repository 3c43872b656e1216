/** Who reads what at the demo's ticket desk, besides the members of the site. docs/guide/access-rules.md shows it. */

/** Customers read their own tickets, and each team its own: its members are the group of its name. */
export const ticketAccess = {
  rules: [
    {
      name: 'own',
      who: 'user',
      can: ['read'],
      where: { requester: { $: 'user.email' } },
      fields: ['id', 'subject', 'requester', 'state', 'opened_at', 'solved_at'],
    },
    { name: 'of the team', who: 'user', can: ['read'], where: { team__in: { $: 'user.groups' } } },
  ],
}

/** Whoever reads a ticket reads its comments. */
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
