/** PostgREST as a peer. */
import type { Stack } from '../stack.ts'
import { peersSchema } from './data.ts'
import { httpPeer, type Peer, type Row } from './peer.ts'
import { startPostgrestProcess } from './postgrest-process.ts'
import type { Input, Size } from './questions.ts'

const role = 'peers_member'

/**
 * Objects that users of PostgREST add to a database: a role, a view for an aggregation with a condition on
 * groups, a function for a walk.
 */
const preparation = `
  create role ${role} nologin;
  grant usage on schema ${peersSchema} to ${role};
  create view ${peersSchema}.order_groups as
    select status, quantity, count(*) as count, sum(total) as sum_total, avg(total) as avg_total
      from ${peersSchema}.orders group by status, quantity;
  create function ${peersSchema}.descendants(start bigint)
    returns table (id bigint, name text, title text, depth integer) language sql stable as $$
      with recursive walk (id, depth) as (
        select start, 0
         union select e.from_id, w.depth + 1
                 from walk w join ${peersSchema}.employees_edges e on e.to_id = w.id and e.type = 'parent'
                where w.depth < 5)
      select n.id, n.name, n.title, w.depth from walk w join ${peersSchema}.employees n using (id)
       where w.depth > 0 order by w.depth, n.id
    $$;
  grant select, insert, update on all tables in schema ${peersSchema} to ${role};
  grant usage on all sequences in schema ${peersSchema} to ${role}`

export async function startPostgrest(stack: Stack, size: Size): Promise<Peer> {
  await stack.sql.query(preparation)
  const server = await startPostgrestProcess({
    superuserUrl: stack.superuserUrl,
    schema: peersSchema,
    role,
  })
  const filters = ({ category, priceBelow }: Input) =>
    `category=eq.${encodeURIComponent(category)}&price=lt.${priceBelow}&order=listed_at.desc&limit=20`
  const counted = { prefer: 'count=exact' }
  // It passes the body of a bulk on unread if the columns are named.
  const columns = 'columns=sku,name,category,price,stock,is_active,listed_at'
  const answered = { prefer: 'return=representation' }
  return httpPeer({
    name: 'postgrest',
    title: 'PostgREST',
    products: `${peersSchema}.products`,
    pid: server.pid,
    url: server.url,
    headers: { authorization: `Bearer ${server.token}` },
    size,
    asks: {
      get: ({ id }) => ({
        path: `/products?id=eq.${id}`,
        headers: { accept: 'application/vnd.pgrst.object+json' },
      }),
      'list-total': (input) => ({ path: `/products?${filters(input)}`, headers: counted }),
      list: (input) => ({ path: `/products?${filters(input)}` }),
      word: ({ word }) => ({ path: `/products?name=ilike.*${word}*&order=listed_at.desc&limit=20` }),
      populate: ({ from, to }) => ({
        path: `/orders?ordered_at=gte.${from}&ordered_at=lt.${to}&select=*,customer:customers(*),product:products(*)&order=total.desc,id&limit=50`,
      }),
      groups: ({ averageFrom }) => ({
        path: `/order_groups?avg_total=gte.${averageFrom}&order=sum_total.desc,status,quantity&limit=20`,
        headers: counted,
      }),
      descendants: ({ employee }) => ({ path: `/rpc/descendants?start=${employee}` }),
      create: ({ product }) => ({ method: 'POST', path: '/products', body: product, headers: answered }),
      bulk: ({ bulk }) => ({ method: 'POST', path: `/products?${columns}`, body: bulk(), headers: answered }),
      upsert: ({ upsert }) => ({
        method: 'POST',
        path: `/products?on_conflict=sku&${columns}`,
        body: upsert(),
        headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      }),
    },
    read(_question, body, headers) {
      const [, total] = /\/(\d+)$/.exec(String(headers['content-range'])) ?? []
      return {
        rows: Array.isArray(body) ? (body as Row[]) : [body as Row],
        ...(total === undefined ? {} : { total: Number(total) }),
      }
    },
    stop: server.stop,
  })
}
