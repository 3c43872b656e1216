/** The questions that every peer is asked, with their inputs. */

/** The questions, by their names on the command line. */
export const questionNames = [
  'healthz',
  'get',
  'list-total',
  'list',
  'word',
  'populate',
  'groups',
  'descendants',
  'create',
  'bulk',
  'upsert',
] as const
export type QuestionName = (typeof questionNames)[number]

/** A target for the ratio of our CPU time to that of a peer. */
interface Goal {
  peer: string
  ratio: number
}

export interface Question {
  name: QuestionName
  title: string
  /** Targets for ratios of CPU time, at concurrency 16. */
  goals: readonly Goal[]
  /** Whether it adds or changes products. The changes are undone afterwards. */
  writes?: true
  /**
   * The maximum number of concurrent requests, for questions that are a heavy load: more requests would only wait
   * for the processors, until the service ends their statements.
   */
  concurrencyMax?: number
}

const goals = (floor: number, postgrest: number, directus = 0.5): Goal[] => [
  { peer: 'floor', ratio: floor },
  { peer: 'postgrest', ratio: postgrest },
  { peer: 'directus', ratio: directus },
]

/** The questions in the order of the table. */
export const questions: readonly Question[] = [
  { name: 'healthz', title: 'bare answer (`/healthz`)', goals: [{ peer: 'floor', ratio: 2 }] },
  { name: 'get', title: 'get by id', goals: goals(1.5, 2) },
  { name: 'list-total', title: 'list 20, two filters, sort, with total', goals: goals(1.3, 1.25) },
  { name: 'list', title: 'the same without total', goals: goals(1.5, 1.25) },
  {
    name: 'word',
    title: 'newest 20 that contain a word, whatever the case',
    goals: [
      { peer: 'raw', ratio: 1.5 },
      { peer: 'postgrest', ratio: 1 },
      { peer: 'directus', ratio: 0.5 },
    ],
  },
  {
    name: 'populate',
    title: '50 orders with customer and product, dearest of a week',
    goals: goals(1.3, 1 / 3),
  },
  { name: 'groups', title: 'group by, having', goals: goals(1.05, 1 / 3), concurrencyMax: 16 },
  { name: 'descendants', title: 'descendants, depth 5, 363 nodes', goals: goals(1.3, 1.25) },
  { name: 'create', title: 'create one', goals: goals(1.6, 2), writes: true },
  {
    name: 'bulk',
    title: 'bulk create 1,000',
    goals: goals(1, 1, 0.1),
    writes: true,
    concurrencyMax: 8,
  },
  {
    name: 'upsert',
    title: 'upsert 1,000, half of them new',
    goals: [
      { peer: 'raw', ratio: 1.1 },
      { peer: 'postgrest', ratio: 1 },
    ],
    writes: true,
    concurrencyMax: 8,
  },
]

/** How many rows the tables have. */
export interface Size {
  products: number
  orders: number
  customers: number
  employees: number
}

/**
 * Returns the sizes for a number of products. The tree always has room for five levels below many of its
 * nodes.
 */
export const sizeOf = (products: number): Size => ({
  products,
  orders: products * 2,
  customers: Math.ceil(products / 10),
  employees: 10_000,
})

export const categoryCount = 200
export const words = [
  'Walnut',
  'Copper',
  'Linen',
  'Granite',
  'Amber',
  'Velvet',
  'Cedar',
  'Marble',
  'Ivory',
  'Slate',
]
export const statuses = ['open', 'paid', 'packed', 'shipped', 'returned']
/** The time of the first order, and the time between two orders: there are about 1,000 a week. */
export const firstOrder = Date.UTC(2021)
export const minutesBetweenOrders = 10
const minute = 60_000
const week = 7 * 24 * 60 * minute
/** The rows of a bulk. */
const bulkCount = 1000

/** A new product, as a client sends it. */
interface NewProduct {
  sku: string
  name: string
  category: string
  price: number
  stock: number
  is_active: boolean
  listed_at: string
}

/** The values of one request. The nth input is the same for every peer. */
export interface Input {
  id: number
  category: string
  priceBelow: number
  word: string
  /** The start and the end of a week. */
  from: string
  to: string
  averageFrom: number
  employee: number
  product: NewProduct
  /** New products. */
  bulk(): NewProduct[]
  /** Products of which the first half exist. */
  upsert(): NewProduct[]
}

/** Returns the nth input. */
export function inputOf(n: number, size: Size): Input {
  const pick = (below: number, salt: number) => hash(n * 31 + salt) % below
  const product = (sku: string, index: number): NewProduct => ({
    sku,
    name: `New ${words[(n + index) % words.length]} ${n}-${index}`,
    category: `category ${(n + index) % categoryCount}`,
    price: ((n + index) % 10_000) / 100 + 1,
    stock: index,
    is_active: true,
    listed_at: '2026-01-01T00:00:00Z',
  })
  const newSku = (index: number) => `new-${n}-${index}`
  const from = firstOrder + pick(Math.max(1, size.orders * minutesBetweenOrders * minute - week), 5)
  const firstKnown = 1 + pick(Math.floor(size.products / bulkCount), 6) * bulkCount
  return {
    id: 1 + pick(size.products, 1),
    category: `category ${pick(categoryCount, 2)}`,
    priceBelow: 40 + pick(20, 3),
    word: (words[pick(words.length, 4)] as string).toUpperCase(),
    from: isoSeconds(from),
    to: isoSeconds(from + week),
    averageFrom: 450 + pick(10, 7),
    employee: 1 + pick(30, 8),
    product: product(newSku(0), 0),
    bulk: () => Array.from({ length: bulkCount }, (_, index) => product(newSku(index), index)),
    upsert: () =>
      Array.from({ length: bulkCount }, (_, index) =>
        product(index < bulkCount / 2 ? skuOf(firstKnown + index) : newSku(index), index),
      ),
  }
}

/** Writes a time in the form that every peer accepts. */
const isoSeconds = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

/** Returns the unique key of a product that exists from the start. */
const skuOf = (id: number): string => `sku-${id}`

/** Distributes numbers, in the same way in every run. */
function hash(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
