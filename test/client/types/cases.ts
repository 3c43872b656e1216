/**
 * Code that compiles with the types of the demo, and code that does not. test/dev/client-types.test.ts reads
 * the errors.
 */
import {
  type Client,
  computed,
  createClient,
  type FunctionContext,
  type Guest,
  type RecordEvent,
} from '../../../client/src/index.ts'
import { createPasskey, usePasskey } from '../../../client/src/passkeys.ts'
import { type Company, companySchemas, type Shop, type ShopTables, shopSchemas } from '../demo-types.ts'

const db = createClient<Shop & Company>({
  url: 'https://shop.example.com',
  auth: { apiKey: 'k' },
  schemas: { ...shopSchemas, ...companySchemas },
})
const { products, orders, order_lines, stock, categories, customers } = db.app('shop')
const { people } = db.app('company')

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles if the value has exactly the type. */
const exactly =
  <Expected>() =>
  <Actual>(_value: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : [different: Actual]): void =>
    undefined

// it: accepts an app that the site has
db.app('shop')
// it: refuses an app that the site does not have
// @ts-expect-error
db.app('shoop')
// it: refuses a table that the app does not have
// @ts-expect-error
db.app('shop').product.list()

// it: lets a variable have the written type of a client
export const anywhere: Client = createClient({ url: 'https://shop.example.com' })
export const here: Client<Shop> = createClient({ url: 'https://shop.example.com' })
// it: refuses a client of other apps
// @ts-expect-error
here satisfies Client<Company>
// it: refuses the calls of another table
// @ts-expect-error
orders satisfies typeof products

// it: filters a number by a number
products.list({ where: { price: 5 } })
// it: filters a whole number by a string of its digits
products.list({ where: { id: '9223372036854775807' } })
// it: refuses a text for a number
// @ts-expect-error
products.list({ where: { price: 'cheap' } })
// it: refuses a misspelled field in a filter
// @ts-expect-error
products.list({ where: { prise: 5 } })
// it: compares numbers by their order
products.list({ where: { price__gte: 5, price__lt: 9, price__between: [5, 9] } })
// it: refuses a pair with one value
// @ts-expect-error
products.list({ where: { price__between: [5] } })
// it: refuses a misspelled operator
// @ts-expect-error
products.list({ where: { price__gteq: 5 } })
// it: refuses an operator of texts on a number
// @ts-expect-error
products.list({ where: { price__startswith: '5' } })
// it: offers the operators of texts on a text
products.list({ where: { name__icontains: 'lamp', sku__in: ['LAM-1000'], name__matches: '^L' } })
// it: refuses a single value for a list
// @ts-expect-error
products.list({ where: { sku__in: 'LAM-1000' } })
// it: compares a text with an enum by its values
orders.list({ where: { status: 'paid', status__in: ['cart', 'paid'] } })
// it: refuses a value that the enum does not have
// @ts-expect-error
orders.list({ where: { status: 'payed' } })
// it: asks whether a value exists
orders.list({ where: { shipped_on__null: true } })
// it: refuses a text where __null needs a boolean
// @ts-expect-error
orders.list({ where: { shipped_on__null: 'true' } })
// it: finds dates in a named range
orders.list({ where: { ordered_at__within: 'last_7_days@Europe/Berlin' } })
// it: refuses a date range on a text
// @ts-expect-error
products.list({ where: { name__within: 'today' } })
// it: compares a boolean
products.list({ where: { is_deleted: false } })
// it: refuses a number for a boolean
// @ts-expect-error
products.list({ where: { is_deleted: 0 } })
// it: accepts null for a field without a value
orders.list({ where: { shipped_on: null } })
// it: filters objects by their properties, at any depth
products.list({
  where: { attributes__has_key: 'color', attributes__color: 'oak', attributes__weight_kg__gt: 2 },
})
// it: refuses properties of a field that is not an object
// @ts-expect-error
products.list({ where: { name__length: 3 } })
// it: filters by a field of a referenced record
products.list({ where: { 'supplier.country': 'DE' } })
// it: filters along a path of three steps
order_lines.list({
  where: { 'order.customer.name__startswith': 'A', 'product.supplier.country__in': ['DE', 'NL'] },
})
// it: refuses a misspelled relationship in a path
// @ts-expect-error
products.list({ where: { 'suplier.country': 'DE' } })
// it: refuses a misspelled field at the end of a path
// @ts-expect-error
products.list({ where: { 'supplier.land': 'DE' } })
// it: refuses a wrong value at the end of a path
// @ts-expect-error
products.list({ where: { 'supplier.country': 49 } })
// it: refuses a wrong operator at the end of a path
// @ts-expect-error
products.list({ where: { 'category.id__icontains': 'x' } })
// it: refuses a path of four steps
// @ts-expect-error
order_lines.list({ where: { 'product.category.products.supplier.name': 'x' } })
// it: accepts and, or and not, nested in each other
products.list({ where: { or: [{ price: 5 }, { not: { and: [{ name: 'x' }, { 'category.name': 'y' }] } }] } })
// it: refuses a misspelled field below or
// @ts-expect-error
products.list({ where: { or: [{ price: 5 }, { prise: 6 }] } })
// it: refuses a wrong value below not
// @ts-expect-error
products.list({ where: { not: { price: 'x' } } })
// it: combines a search with filters and with paths
order_lines.list({ where: { 'product.search': 'lamp' }, search: 'oak' })

// it: orders by fields, related fields, and properties
products.list({
  ordering: ['-price', 'category.name', 'attributes.weight_kg::number', 'description.nullsfirst'],
})
// it: refuses an order by a field that does not exist
// @ts-expect-error
products.list({ ordering: ['prise'] })
// it: refuses an order by a related field that does not exist
// @ts-expect-error
products.list({ ordering: ['-category.title'] })

// it: returns all fields if none are named
exactly<{ id: number; name: string }>()((await categories.list()).data[0] as { id: number; name: string })
// it: returns exactly the named fields
exactly<{ id: number; name: string }[]>()((await products.list({ fields: ['id', 'name'] })).data)
// it: refuses a field that was not requested
// @ts-expect-error
;(await products.get(1, { fields: ['id'] })).name
// it: refuses a misspelled field among the fields
// @ts-expect-error
products.list({ fields: ['id', 'nam'] })
// it: excludes fields
exactly<{ name: string }>()(await categories.get(1, { fields: ['-id'] }))
// it: returns a field of a related record
exactly<{ id: number; category: { name: string } }>()(
  await products.get(1, { fields: ['id', 'category.name'] }),
)
// it: refuses a misspelled field of a related record
// @ts-expect-error
products.get(1, { fields: ['category.nam'] })
// it: returns null for a related record that may be missing
exactly<{ product: { sku: string } | null }>()(await order_lines.get(1, { fields: ['product.sku'] }))
// it: returns related records as an array, which may be truncated
exactly<{ id: number; products: { sku: string }[]; _more?: { products?: number } }>()(
  await categories.get(1, { fields: ['id', 'products.sku'] }),
)
// it: populates relationships by name
exactly<string>()((await products.get(1, { populate: ['category', 'supplier'] })).supplier.country)
// it: lets a guest get null for a related record that a rule may hide, and members always a record
type HidingShop = Omit<ShopTables, 'products'> & { products: Guest<ShopTables['products'], 'supplier'> }
const hiding = createClient<{ shop: HidingShop }>({ url: 'https://shop.example.com' }).app('shop').products
exactly<{ supplier: { country: string } | null }>()(await hiding.get(1, { fields: ['supplier.country'] }))
exactly<{ supplier: { country: string } }>()(await products.get(1, { fields: ['supplier.country'] }))
// it: keeps the other types of a table for guests
exactly<string>()((await hiding.get(1, { populate: ['category'] })).category.name)
hiding.list({ where: { price__gte: 5 } })
// it: refuses a relationship that the table of a guest does not have
// @ts-expect-error
export type Hiding = Guest<ShopTables['products'], 'suplier'>
// it: populates relationships along paths
exactly<string>()((await order_lines.get(1, { populate: ['order.customer'] })).order.customer.email)
// it: refuses a relationship that does not exist
// @ts-expect-error
products.get(1, { populate: ['categorie'] })
// it: refuses a relationship that was not populated
// @ts-expect-error
;(await products.get(1)).category
// it: populates relationships with a query for each
exactly<{ name: string; products: { id: number; price: number }[]; _count: { products: number } }>()(
  await categories.get(1, {
    fields: ['name'],
    populate: { products: { limit: 2, fields: ['id', 'price'], ordering: ['-price'], count: true } },
  }),
)
// it: returns null if a populate query may find no record
exactly<{ id: number; category: { id: number; name: string } | null }>()(
  await products.get(1, { fields: ['id'], populate: { category: { where: { name: 'Lamps' } } } }),
)
// it: refuses a misspelled option of a populate query
// @ts-expect-error
categories.get(1, { populate: { products: { limits: 2 } } })
// it: refuses a wrong filter in a populate query
// @ts-expect-error
categories.get(1, { populate: { products: { where: { price: 'x' } } } })
// it: refuses a misspelled field in a populate query
// @ts-expect-error
categories.get(1, { populate: { products: { fields: ['prize'] } } })
// it: populates relationships inside a populate query
exactly<string>()(
  (
    await customers.get('00000000-0000-4000-8000-000000000001', {
      populate: { orders: { populate: { order_lines: { populate: ['product'], limit: 1 } }, limit: 1 } },
    })
  ).orders[0]?.order_lines[0]?.product?.sku ?? '',
)

// it: types computed values: counts as numbers, others as the program declares
exactly<{ id: number; n: number; upper: string }>()(
  await categories.get(1, {
    fields: ['id', 'n', 'upper'],
    annotate: { n: 'count(products)', upper: computed<string>('upper(name)') },
  }),
)
// it: filters and orders by computed values
categories.list({ annotate: { n: 'count(products)' }, where: { n__gte: 2 }, ordering: ['-n'] })
// it: refuses an order by a value that is not computed
// @ts-expect-error
categories.list({ annotate: { n: 'count(products)' }, ordering: ['-m'] })
// it: returns rank and highlights if requested
const found = await products.search('lamp', { fields: ['id'], rank: true, highlight: ['name'] })
for (const lamp of found.data)
  exactly<{ id: number; _rank: number; _highlight: { name: string | null } }>()(lamp)
// it: types aggregates by their functions and fields
exactly<{ n: number; total: number | null; last: string | null }>()(
  await orders.aggregate({ values: { n: 'count(*)', total: 'sum(id)', last: 'max(ordered_at)' } }),
)
// it: types groups by their keys
exactly<'cart' | 'paid' | 'shipped' | 'returned' | null | undefined>()(
  (await orders.groups({ by: ['status'], values: { n: 'count(*)' } })).data[0]?.status,
)
// it: yields typed records
for await (const product of products.each({ fields: ['id'] })) exactly<{ id: number }>()(product)

// it: creates with the required fields
categories.create({ name: 'Lamps' })
// it: refuses to create without a required field
// @ts-expect-error
categories.create({})
// it: refuses to create with a misspelled field
// @ts-expect-error
categories.create({ name: 'Lamps', nam: 'x' })
// it: refuses null for a required field
// @ts-expect-error
categories.create({ name: null })
// it: creates new related records inside a record, three levels deep
customers.create({
  name: 'Ada',
  email: 'ada@example.com',
  customer_since: '2026-01-01',
  orders: [
    {
      ordered_at: '2026-01-01T00:00:00Z',
      order_lines: [{ quantity: 1, price: 2, product: { sku: 'x', name: 'x', price: 2 } }],
    },
  ],
})
const inside = { sku: 'x', name: 'x', price: 2, category: { name: 'Lamps' } }
products.createMany([{ ...inside, supplier_id: 1, stock: [{ warehouse_id: 1, quantity: 1 }] }])
// it: refuses a related record of a fourth level
orders.create({
  ordered_at: '2026-01-01T00:00:00Z',
  order_lines: [
    // @ts-expect-error
    { quantity: 1, price: 2, product: { ...inside, category: { name: 'x', products: [inside] } } },
  ],
})
// it: refuses a foreign key that the outer new record provides
orders.create({
  ordered_at: '2026-01-01T00:00:00Z',
  // @ts-expect-error
  order_lines: [{ order_id: 1, quantity: 1, price: 2 }],
})
// it: refuses a misspelled field of a nested record
// @ts-expect-error
products.create({ sku: 'x', name: 'x', price: 2, category: { nam: 'Lamps' } })
// it: refuses nested new records through a join table
// @ts-expect-error
orders.create({ ordered_at: '2026-01-01T00:00:00Z', products: [inside] })
// it: updates with values, and numbers with operations
products.update(1, { name: 'x', price: { $add: 1 } })
// it: refuses an operation on a text
// @ts-expect-error
products.update(1, { name: { $add: 1 } })
// it: refuses an update of many without the whole primary key
// @ts-expect-error
stock.updateMany([{ product_id: 1, quantity: 5 }])
// it: refuses an operation in an upsert
// @ts-expect-error
products.upsert({ sku: 'LAM-1000', price: { $add: 1 } }, { uniqueFields: ['sku'] })
// it: refuses unique fields that do not exist
// @ts-expect-error
products.upsert({ sku: 'LAM-1000' }, { uniqueFields: ['skew'] })
// it: accepts a key with the type of the primary key
customers.get('00000000-0000-4000-8000-000000000001')
// it: refuses a key of another type
// @ts-expect-error
customers.get(1)
// it: accepts a composite key in its order
stock.get([1, 2])
// it: refuses a part of a composite key
// @ts-expect-error
stock.get(1)
// it: accepts conditions that one related record meets together, or none
products.list({ where: { order_lines__some: { quantity__gt: 1, 'order.status__ne': 'paid' } } })
products.list({ where: { 'category.products__none': { price__lt: 4 }, order_lines__null: true } })
// it: refuses a wrong condition on related records
// @ts-expect-error
products.list({ where: { order_lines__some: { quantitty__gt: 1 } } })
// it: refuses conditions on a relationship that does not exist
// @ts-expect-error
products.list({ where: { order_line__some: { quantity__gt: 1 } } })
// it: refuses a value other than true or false for the existence of related records
// @ts-expect-error
products.list({ where: { order_lines__null: 1 } })
// it: accepts how many records a deletion means
products.deleteWhere({ price__lt: 4 }, { all: true })
// it: refuses a wrong filter of a deletion
// @ts-expect-error
products.deleteWhere({ prise__lt: 4 })

// it: passes values of earlier operations to later ones in a batch
db.app('shop').$batch((tables) => {
  const order = tables.orders.create({ customer_id: 'x', ordered_at: '2026-01-01T00:00:00Z' })
  tables.order_lines.create({ order_id: order.id, product_id: 1, quantity: 1, price: 1 })
})
// it: returns the results of a batch in the shape that the callback returns
const { made, gone } = await db.app('shop').$batch((tables) => ({
  made: tables.categories.create({ name: 'x' }),
  gone: tables.orders.delete(1),
}))
exactly<{ id: number; name: string }>()(made)
exactly<null>()(gone)
// it: refuses a value of another type in a batch
db.app('shop').$batch((tables) => {
  const order = tables.orders.create({ customer_id: 'x', ordered_at: '2026-01-01T00:00:00Z' })
  // @ts-expect-error
  tables.order_lines.create({ order_id: order.status, product_id: 1, quantity: 1, price: 1 })
})
// it: connects records by the types of edges that the table has
people.edges.create([{ from_id: 2, to_id: 1, type: 'manager' }])
// it: refuses a type of edge that the table does not have
// @ts-expect-error
people.edges.create([{ from_id: 2, to_id: 1, type: 'boss' }])
// it: accepts everything on a client without a schema
createClient({ url: 'https://shop.example.com' })
  .app('any')
  .$table('thing')
  .list({ where: { whatever__gte: 1 }, fields: ['x'], populate: { y: { limit: 1 } } })

// it: gives a member a role of an organization
db.organizations.members('acme').update(1, { role: 'admin' })
// it: refuses a role that organizations do not have
// @ts-expect-error
db.organizations.members('acme').update(1, { role: 'boss' })
// it: refuses to change the slug of an organization
// @ts-expect-error
db.organizations.update('acme', { name: 'Acme', slug: 'acme-2' })
// it: changes some settings of a site
db.sites.update('shop', { environment: 'staging', sign_up: 'invited' })
// it: refuses an environment that sites do not have
// @ts-expect-error
db.sites.create('acme', { name: 'Shop', environment: 'test' })
// it: grants permissions of a site
db.sites.permissions('shop').replace(1, ['access_site', 'view_site'])
// it: refuses a permission that sites do not have
// @ts-expect-error
db.sites.permissions('shop').replace(1, ['read'])
// it: shows the DNS record of a domain
exactly<string>()((await db.sites.domains('shop').create('shop.example.com')).dns_record.value)
// it: refuses to create a user without a password
// @ts-expect-error
db.users.create({ username: 'ada', email: 'ada@example.com' })
// it: refuses to change the user name of a user
// @ts-expect-error
db.users.update('ada', { username: 'ada-2' })
// it: returns the properties that only the owner of an account sees
exactly<string | null>()((await db.me.get()).pending_email)
// it: refuses to change properties that the owner of an account cannot change
// @ts-expect-error
db.me.update({ is_superuser: true })
// it: creates an API key for some tables, and returns the key once
exactly<string>()(
  (await db.apiKeys.create({ name: 'x', scopes: [{ app: 'shop', tables: ['*'], can: ['read'] }] })).key,
)
// it: refuses an ability that scopes do not have
// @ts-expect-error
db.apiKeys.create({ name: 'x', scopes: [{ app: 'shop', tables: ['*'], can: ['write'] }] })
// it: refuses a number as the id of a sign-in
// @ts-expect-error
db.sessions.delete(1)
// it: refuses a sign-up without a password
// @ts-expect-error
db.accounts.signUp({ email: 'ada@example.com' })
// it: refuses to make a passkey from the options of a sign-in
// @ts-expect-error
createPasskey(await db.accounts.passkeyOptions())
// it: accepts a new passkey and a signature of the browser in the right calls
db.passkeys.create('Phone', await createPasskey(await db.passkeys.options()))
db.accounts.signInWithPasskey(await usePasskey(await db.accounts.passkeyOptions()))
// it: returns recovery codes and tokens for a factor that was turned on
exactly<string[]>()((await db.factors.confirmTotp('123456')).recovery_codes)
// it: returns the name of a trusted device
exactly<string | null | undefined>()((await db.trustedDevices.list()).data[0]?.device)
// it: refuses the name of a trusted device instead of its id
// @ts-expect-error
db.trustedDevices.delete('Firefox')
// it: reads the code of a version of a function
exactly<string>()((await db.app('shop').$functions.version('count', 1)).code)

/** The context of a function of the shop that declares two secrets and has a variable. */
declare const context: FunctionContext<Shop, 'STRIPE' | 'MAIL', 'CURRENCY'>
/** The context of a function that declares no secrets. */
declare const bare: FunctionContext<Shop>
declare const event: RecordEvent<{ id: number; price: number }>

// it: gives a function the tables of its app
const sold = context.db.shop.orders.list({ where: { status: 'paid' }, fields: ['id'] })
sold.then((page) => exactly<{ id: number }[]>()(page.data))
// it: lets a function write to several tables at once
context.db.shop.$batch((tables) => tables.orders.update(1, { status: 'paid' }))
// it: refuses another app in a function
// @ts-expect-error
context.db.company
// it: refuses a table in a function that its app does not have
// @ts-expect-error
context.db.shop.product.list()
// it: refuses a misspelled field in a function
// @ts-expect-error
context.db.shop.orders.list({ where: { state: 'paid' } })
// it: refuses other functions in a function
// @ts-expect-error
context.db.shop.$functions.run('x')
// it: gives a function the secrets that it declares
exactly<string | undefined>()(Object.keys(context.secrets.get('STRIPE'))[0])
// it: refuses a secret that the function does not declare
// @ts-expect-error
context.secrets.get('STRIPES')
// it: refuses every secret in a function that declares none
// @ts-expect-error
bare.secrets.get('STRIPE')
// it: gives a function its variables
exactly<string>()(context.variables.CURRENCY)
// it: refuses a variable that the function does not have
// @ts-expect-error
context.variables.CURRENCI
// it: refuses to change a variable
// @ts-expect-error
context.variables.CURRENCY = 'EUR'
// it: refuses to change the context of a function
// @ts-expect-error
context.app = 'other'
// it: types the previous record of an update only
if (event.type === 'RECORD_UPDATE') exactly<number>()(event.previous.price - event.data.price)
// it: refuses the previous record of a created one
// @ts-expect-error
if (event.type === 'RECORD_CREATE') event.previous
// it: accepts a function with its context
const charge = async (_: object, { secrets, db }: FunctionContext<Shop, 'STRIPE'>) => [
  secrets.get('STRIPE'),
  db.shop,
]
charge({}, context)
// it: refuses a context with fewer secrets than a function needs
// @ts-expect-error
charge({}, bare)
interface Booked {
  practice: {
    slots: {
      record: { id: number; starts_at: string; ends_at: string | null }
      create: { id?: number; starts_at: string; ends_at?: string | null }
      kinds: { id: 'number'; starts_at: 'instant'; ends_at: 'instant' }
      key: ['id']
      relationships: Record<never, never>
      ranges: { period: string }
      edges: never
    }
  }
}
const { slots } = createClient<Booked>({ url: 'https://practice.example.com' }).app('practice')
// it: filters by a named range, with open ends
slots.list({ where: { period__overlaps: ['2026-05-01T09:00:00Z', null] } })
// it: refuses one value for a range
// @ts-expect-error
slots.list({ where: { period__overlaps: ['2026-05-01T09:00:00Z'] } })
// it: refuses a value of another type for a range
// @ts-expect-error
slots.list({ where: { period__overlaps: [1, 2] } })
// it: refuses another operator of a range
// @ts-expect-error
slots.list({ where: { period__between: ['2026-05-01T09:00:00Z', null] } })
// it: refuses a range that the table does not have
// @ts-expect-error
slots.list({ where: { term__overlaps: ['2026-05-01T09:00:00Z', null] } })
