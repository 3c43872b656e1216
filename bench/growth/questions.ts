/** The questions whose growth is measured, each beside the same in SQL. */

/** A question, and the same in SQL: `t` are the happenings, `v` the same with `words`, `m` the makers. */
interface Question {
  name: string
  /** Omitted: the happenings. */
  table?: 'makers'
  /** The key of a single record, with a slash. */
  record?: string
  query: string
  statement: string
}

const newest = 'where is_deleted is not true and happened_at is not null order by happened_at desc, id'
/** The last page that is read by its number, from 1. */
const farPage = (rows: number): number => Math.min(500, rows / 40)

const columns = 'id, status, title, maker_id, happened_at, amount, is_deleted'
/** The undeleted happenings with a word, without an order. */
const having = (word: string) =>
  `from v where words @@ to_tsquery('english', '${word}') and is_deleted is not true`

/** The word of one title: md5('4'). */
const rare = 'a87ff679a2f3e71d9181a67b7542122c'
/** A hundred keys, all over the table. */
const hundred = (rows: number): string =>
  Array.from({ length: 100 }, (_, index) => 1 + index * (rows / 100)).join()

/** Returns the questions to tables of so many records. */
export const questions = (rows: number): Question[] => [
  {
    name: 'newest 20',
    query: '_sort=-happened_at&_total=none',
    statement: `select t.* from t ${newest} limit 20`,
  },
  {
    name: 'newest 20, page 500',
    query: `_sort=-happened_at&_total=none&page=${farPage(rows)}`,
    statement: `select t.* from t ${newest} limit 20 offset ${(farPage(rows) - 1) * 20}`,
  },
  {
    name: 'newest 50 populated',
    query: '_sort=-happened_at&_total=none&populate=maker_id&page_size=50',
    statement: `select t.*, (select m from m where m.id = t.maker_id) from t ${newest} limit 50`,
  },
  {
    name: 'one state, newest 20',
    query: 'status=status 1&_sort=-happened_at&_total=none',
    statement: `select t.* from t where status = 'status 1' and is_deleted is not true and happened_at is not null
                 order by happened_at desc, id limit 20`,
  },
  {
    name: 'a common word, newest 20',
    query: 'search=common&_sort=-happened_at&_total=none',
    statement: `select ${columns} ${having('common')} and happened_at is not null
                 order by happened_at desc, id limit 20`,
  },
  {
    name: 'newest 20 by cursor',
    query: '_sort=-happened_at&after=&_total=none',
    statement: `select t.* from t ${newest} limit 20`,
  },
  {
    name: 'makers with their newest 5',
    table: 'makers',
    query: '_total=none&populate={"happenings":{"ordering":"-happened_at","limit":5}}',
    statement: `select (select json_agg(x) from (select t.* from t where maker_id = m.id and is_deleted is not true
                  order by happened_at desc nulls last limit 5) x) from m order by id limit 20`,
  },
  {
    name: 'plain, default total',
    query: '',
    statement: 'select t.* from t where is_deleted is not true order by id limit 20',
  },
  {
    name: 'one state, default total',
    query: 'status=status 1',
    statement: "select t.* from t where status = 'status 1' and is_deleted is not true order by id limit 20",
  },
  {
    name: 'plain, exact total',
    query: '_total=exact',
    statement: 'select count(*) from t where is_deleted is not true',
  },
  {
    name: 'distinct states',
    query: '_distinct=status&_total=none',
    statement: 'select distinct on (status) t.* from t where is_deleted is not true order by status, id',
  },
  {
    name: 'a common word, ranked',
    query: 'search=common&_total=none',
    statement: `select ${columns} from (select * ${having('common')} order by id desc limit 10000) newest
                 order by ts_rank(words, to_tsquery('english', 'common')) desc, id limit 20`,
  },
  {
    name: 'one record by its key',
    record: `${rows / 2}/`,
    query: '',
    statement: `select t.* from t where id = ${rows / 2}`,
  },
  {
    name: '100 records by their keys',
    query: `_total=none&page_size=100&id__in=${hundred(rows)}`,
    statement: `select t.* from t where id in (${hundred(rows)}) and is_deleted is not true order by id`,
  },
  {
    name: 'last 20 by cursor',
    query: '_sort=-happened_at&before=&_total=none',
    statement:
      'select t.* from t where is_deleted is not true and happened_at is null order by id desc limit 20',
  },
  {
    name: 'a day, newest 20',
    query: `_sort=-happened_at&_total=none&happened_at__within=2020-01-03`,
    statement: `select t.* from t where happened_at >= '2020-01-03' and happened_at < '2020-01-04'
                   and is_deleted is not true order by happened_at desc, id limit 20`,
  },
  {
    name: 'of one maker, newest 20',
    query: 'maker_id=17&_sort=-happened_at&_total=none',
    statement: `select t.* from t where maker_id = 17 and is_deleted is not true and happened_at is not null
                 order by happened_at desc, id limit 20`,
  },
  {
    name: 'of a maker by its name',
    query: 'maker.name=Maker 17&_total=none',
    statement: `select t.* from t where maker_id in (select id from m where name = 'Maker 17')
                   and is_deleted is not true order by id limit 20`,
  },
  {
    name: 'of one maker, how many',
    query: 'maker_id=17&_count=true',
    statement: 'select count(*) from t where maker_id = 17 and is_deleted is not true',
  },
  {
    name: 'makers, how many happenings each',
    table: 'makers',
    query: '_total=none&_annotate=count(happenings) as n',
    statement: `select m.*, (select count(*) from t where maker_id = m.id and is_deleted is not true)
                  from m order by id limit 20`,
  },
  {
    name: 'two states, newest 20',
    query: 'status__in=status 1,status 2&_sort=-happened_at&_total=none',
    statement: `select t.* from t where status in ('status 1', 'status 2') and is_deleted is not true
                   and happened_at is not null order by happened_at desc, id limit 20`,
  },
  {
    name: 'not one state, newest 20',
    query: 'status__ne=status 1&_sort=-happened_at&_total=none',
    statement: `select t.* from t where status is distinct from 'status 1' and is_deleted is not true
                   and happened_at is not null order by happened_at desc, id limit 20`,
  },
  {
    name: 'one state or a day, newest 20',
    query: `filters={"or":[{"status":"status 1"},{"happened_at__within":"2020-01-03"}]}&_sort=-happened_at&_total=none`,
    statement: `select t.* from t where (status = 'status 1'
                    or happened_at >= '2020-01-03' and happened_at < '2020-01-04')
                   and is_deleted is not true and happened_at is not null order by happened_at desc, id limit 20`,
  },
  {
    name: 'a rare word',
    query: `search=${rare}&_total=none`,
    statement: `select ${columns} ${having(rare)}
                 order by ts_rank(words, to_tsquery('english', '${rare}')) desc, id limit 20`,
  },
  {
    name: 'a part of a title',
    query: `title__icontains=${rare.slice(4, 14)}&_total=none`,
    statement: `select t.* from t where title ilike '%${rare.slice(4, 14)}%' and is_deleted is not true
                 order by id limit 20`,
  },
  {
    name: 'dearest 20, no index',
    query: '_sort=-amount&_total=none',
    statement: 'select t.* from t where is_deleted is not true order by amount desc nulls last, id limit 20',
  },
  {
    name: 'a rare amount, no index',
    query: 'amount=12.34&_total=none',
    statement: 'select t.* from t where amount = 12.34 and is_deleted is not true order by id limit 20',
  },
  {
    name: 'deleted ones alone',
    query: 'only_deleted=true&_total=none',
    statement: 'select t.* from t where is_deleted order by id limit 20',
  },
  {
    name: 'plain, estimated total',
    query: '_total=estimated',
    statement: 'select t.* from t where is_deleted is not true order by id limit 20',
  },
  {
    name: 'one state, exact total',
    query: 'status=status 1&_total=exact',
    statement: "select count(*) from t where status = 'status 1' and is_deleted is not true",
  },
  {
    name: 'count and sum of each state',
    query: '_group_by=status&_aggregate=count(*),sum(amount)&_total=none',
    statement: 'select status, count(*), sum(amount) from t where is_deleted is not true group by status',
  },
  {
    name: 'count of each hour of a day',
    query:
      "_group_by=date_trunc('hour', happened_at)&_aggregate=count(*)&happened_at__within=2020-01-03&_total=none",
    statement: `select date_trunc('hour', happened_at), count(*) from t where happened_at >= '2020-01-03'
                   and happened_at < '2020-01-04' and is_deleted is not true group by 1 order by 1`,
  },
  {
    name: 'two fields of 1,000 records',
    query: 'fields=id,title&page_size=1000&_total=none',
    statement: 'select id, title from t where is_deleted is not true order by id limit 1000',
  },
]
