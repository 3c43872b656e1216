/** The service itself as a peer. */
import type { Stack } from '../stack.ts'
import { httpPeer, type Peer, type Row } from './peer.ts'
import type { Input, Size } from './questions.ts'

const member = { username: 'member', email: 'member@example.com', password: 'Quiet-river-58' }

/** Requests come from a user with two permissions in the site, who is neither its owner nor a superuser. */
export async function startOurselves(stack: Stack, size: Size): Promise<Peer> {
  const { client, api, schema } = stack
  const { id } = await client.request<{ id: number }>('POST', `${api}/users/`, {
    ...member,
    first_name: 'Member',
    last_name: 'Bench',
  })
  await client.request('PUT', `/api/cloud/sites/bench/permissions/${id}/`, {
    permissions: ['access_site', 'change_site'],
  })
  const { access } = await client.request<{ access: string }>('POST', '/api/auth/jwt/token/', {
    username: member.email,
    password: member.password,
  })
  const data = (table: string) => `${api}/apps/bench/datatables/${table}/data/`
  const filters = ({ category, priceBelow }: Input) =>
    `category=${encodeURIComponent(category)}&price__lt=${priceBelow}&ordering=-listed_at&page_size=20`
  return httpPeer({
    name: 'we',
    title: 'Tessera',
    products: `${schema}.bench_products`,
    pid: stack.workerPid,
    url: stack.url,
    headers: { authorization: `Bearer ${access}` },
    size,
    asks: {
      healthz: () => ({ path: '/healthz' }),
      get: ({ id }) => ({ path: `${data('products')}${id}/` }),
      'list-total': (input) => ({ path: `${data('products')}?${filters(input)}` }),
      list: (input) => ({ path: `${data('products')}?${filters(input)}&_total=none` }),
      word: ({ word }) => ({
        path: `${data('products')}?name__icontains=${word}&ordering=-listed_at&page_size=20&_total=none`,
      }),
      populate: ({ from, to }) => ({
        path: `${data('orders')}?ordered_at__gte=${from}&ordered_at__lt=${to}&populate=customer,product&ordering=-total,id&page_size=50&_total=none`,
      }),
      groups: ({ averageFrom }) => ({
        path: `${data('orders')}?_group_by=status,quantity&_aggregate=count(*),sum(total),avg(total)&_having=avg_total__gte=${averageFrom}&ordering=-sum_total,status,quantity&page_size=20`,
      }),
      descendants: ({ employee }) => ({
        path: `${data('employees')}${employee}/?include=descendants&depth=5`,
      }),
      create: ({ product }) => ({ method: 'POST', path: data('products'), body: product }),
      bulk: ({ bulk }) => ({ method: 'POST', path: data('products'), body: bulk() }),
      upsert: ({ upsert }) => ({
        method: 'POST',
        path: `${data('products')}upsert/?unique_fields=sku`,
        body: upsert(),
      }),
    },
    read(_question, body) {
      const {
        data: rows,
        total,
        children,
      } = body as { data: Row | Row[]; total?: number | null; children?: Row[] }
      if (children) return { rows: children.map(({ _depth, ...row }) => ({ ...row, depth: _depth })) }
      return {
        rows: Array.isArray(rows) ? rows : [rows],
        ...(typeof total === 'number' ? { total } : {}),
      }
    },
    stop: async () => undefined,
  })
}
