/**
 * Generated rules on generated rows: guests write what an independent evaluator allows, with every provider,
 * over HTTP and as the guest role in Postgres. Everything is a dry run, so the rows of a round remain those
 * of the evaluator.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTenant } from '../../../src/kernel/db/tenant.ts'
import { anyone } from '../../../src/kernel/standing.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, removeRows, type Shop } from '../../support/fixtures.ts'
import { guestContext, guestOf, written } from '../../support/guests.ts'
import { holds } from '../../support/query-evaluator.ts'
import { someQuery } from '../../support/query-generator.ts'
import type { Node, Row, Rows } from '../../support/query-model.ts'
import { asFilter } from '../../support/query-writer.ts'
import { someRows } from '../../support/row-generator.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { seed } from '../../support/seed.ts'

let app: TestApp
let shop: Shop
let stranger: User
let rows: Rows
/**
 * The providers: the paths of their records, and whether they store documents, which have no relationships
 * here.
 */
let places: { app: string; data: string; isDocuments: boolean }[]
let paper: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'writes', collection)
  stranger = await app.user('stranger')
  paper = await addDocuments(app, shop, documents(collection).resources)
  places = [
    { app: 'shop', data: shop.data('works'), isDocuments: false },
    { app: 'papers', data: paper('works'), isDocuments: true },
  ]
})

async function setRows(next: Rows): Promise<void> {
  rows = next
  // A token is valid for 15 minutes, and all rounds together can take longer.
  stranger = await app.signedIn(stranger)
  shop = { ...shop, owner: await app.signedIn(shop.owner) }
  await removeRows(app, shop, [
    ...collection.resources.map(({ name }): [string, string] => ['shop', name]),
    ['papers', 'works'],
  ])
  await addRows(app, shop, rows, keyOfTable)
  await addRows(app, { ...shop, data: paper }, { works: rows.works as readonly Row[] })
}

/** The number of works in each round. */
const worksCount = 40

const givable = [
  ...['title', 'price', 'year', 'sold', 'made_at', 'hour', 'code', 'about', 'tags'],
  ...['artist_id', 'restorer_id'],
] as const

/**
 * Generates filters that rules may have. `hasPaths` allows paths to related records, which documents do not
 * have here.
 */
const treesOf = (table: string, count: number, hasPaths: boolean): Node[] =>
  fc
    .sample(
      someQuery.filter(({ table: of, tree, annotations }) => {
        const text = JSON.stringify(tree ?? null)
        return (
          of === table &&
          tree !== undefined &&
          annotations.length === 0 &&
          !/"operator":"(within|i?matches)"/.test(text) &&
          (hasPaths || !/"path":\["/.test(text))
        )
      }),
      { numRuns: count, seed: seed + (hasPaths ? 1 : 2) },
    )
    .map(({ tree }) => tree as Node)

/** A rule in the form of the evaluator. */
interface Rule {
  name: string
  who: 'anyone' | 'signed-in'
  can: string[]
  where: Node
  check?: Node
  set?: Row
  write: readonly string[]
}

/** An attempt to write. */
interface Attempt {
  action: 'create' | 'update' | 'delete' | 'upsert'
  /** The record to change or delete. For an upsert, the record with the id that is sent, if one exists. */
  row: Row
  sent: Row
  isSignedIn: boolean
}

type Outcome = 'allowed' | 'refused' | 'not found'

const some = <T>(arbitrary: fc.Arbitrary<T>, count: number, more: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: seed + more })

/** The values of omitted fields in a new record. */
const nothing: Row = {
  ...Object.fromEntries(givable.map((name) => [name, null])),
  id: 1000,
  is_deleted: false,
}

interface World {
  reads: Node
  artists: Node | undefined
  rules: readonly Rule[]
}

/**
 * Returns the new record that a rule would write. Returns undefined if the rule does not allow the sent
 * fields.
 */
function newRecord({ action, row, sent }: Attempt, rule: Rule): Row | undefined {
  const { set = {}, write } = rule
  const isLetGive = Object.keys(sent).every((name) =>
    name in set ? sent[name] === set[name] : write.includes(name),
  )
  return isLetGive ? { ...(action === 'create' ? nothing : row), ...sent, ...set } : undefined
}

/** Returns the fields that the rules allow a caller to send in an action, and the fields that rules set. */
function knownFields(world: World, isSignedIn: boolean, action: Attempt['action']): ReadonlySet<string> {
  const actions = action === 'upsert' ? ['create', 'update'] : [action]
  const mine = actions.flatMap((one) => rulesFor(world, isSignedIn, one))
  return new Set(mine.flatMap(({ write, set = {} }) => [...write, ...Object.keys(set)]))
}

/** Tells whether a guest may read a record. */
const isRead = ({ reads }: World, row: Row): boolean =>
  row.id !== nothing.id && row.is_deleted !== true && holds(rows, 'works', row, reads)

/** Returns the rules that allow a caller an action. */
const rulesFor = (world: World, isSignedIn: boolean, action: string): Rule[] =>
  world.rules.filter(({ who, can }) => (isSignedIn || who === 'anyone') && can.includes(action))

/**
 * Returns the change or the creation that an upsert amounts to: a change if the guest may read the record,
 * otherwise a creation with its id. Postgres generates the ids, so no rule allows this creation.
 */
function partOf(world: World, attempt: Attempt): Attempt {
  const { action, row, sent } = attempt
  if (action !== 'upsert') return attempt
  if (isRead(world, row)) return { ...attempt, action: 'update' }
  return { ...attempt, action: 'create', sent: { ...sent, id: row.id } }
}

function outcomeOf(world: World, attempt: Attempt): Outcome {
  const { action, row, sent, isSignedIn } = attempt
  if (action === 'upsert') {
    const isLet = ['create', 'update'].every((one) => rulesFor(world, isSignedIn, one).length > 0)
    const isHidden = row.id !== nothing.id && !isRead(world, row)
    return isLet && !isHidden ? outcomeOf(world, partOf(world, attempt)) : 'refused'
  }
  const rules = rulesFor(world, isSignedIn, action)
  if (action !== 'create' && !isRead(world, row)) {
    return rules.length === 0 ? 'refused' : 'not found'
  }
  const rule = rules.find((one) => {
    if (action === 'delete') return holds(rows, 'works', row, one.where)
    const after = newRecord(attempt, one)
    return (
      after !== undefined &&
      (action === 'create' || holds(rows, 'works', row, one.where)) &&
      holds(rows, 'works', after, one.check ?? one.where)
    )
  })
  if (!rule) return 'refused'
  // Documents have no foreign keys.
  const isHeld = rows.hangings?.some(({ work_id, is_deleted }) => work_id === row.id && is_deleted !== true)
  if (action === 'delete' && world.artists && isHeld) return 'refused'
  const artists = rows.artists as readonly Row[]
  const isHidden = (name: string) => {
    const value = sent[name]
    if (value === undefined || value === null || !world.artists) return false
    if (action === 'update' && value === row[name]) return false
    const artist = artists.find(({ id }) => id === value)
    return !artist || artist.is_deleted === true || !holds(rows, 'artists', artist, world.artists)
  }
  return isHidden('artist_id') || isHidden('restorer_id') ? 'refused' : 'allowed'
}

async function setRules(place: (typeof places)[number], { reads, artists, rules }: World): Promise<void> {
  const put = async (table: string, all: readonly object[]) => {
    const path = `${shop.api}/apps/${place.app}/datatables/${table}/access/`
    const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules: all } })
    expect([status, body.rules], `seed ${seed}`).toEqual([200, all])
  }
  const reading = (tree: Node) => [{ name: 'reads', who: 'anyone', can: ['read'], where: asFilter(tree) }]
  if (artists) await put('artists', reading(artists))
  const writing = rules.map(({ name, who, can, where, check, set, write }) => ({
    name,
    who,
    can,
    where: asFilter(where),
    ...(check ? { check: asFilter(check) } : {}),
    ...(set ? { set } : {}),
    fields: { write },
  }))
  await put('works', [...reading(reads), ...writing])
}

/** Sends an attempt over HTTP. Returns its outcome. */
async function ask(data: string, { action, row, sent, isSignedIn }: Attempt) {
  const path = {
    create: '?dry_run=true',
    update: `${row.id}/?dry_run=true`,
    delete: `${row.id}/?dry_run=true`,
    upsert: 'upsert/?unique_fields=id&dry_run=true',
  }[action]
  const given = action === 'upsert' ? { ...sent, id: row.id } : sent
  const { status, body } = await app.request(
    { create: 'POST', update: 'PATCH', delete: 'DELETE', upsert: 'POST' }[action],
    `${data}${path}`,
    { ...(isSignedIn ? { token: stranger.token } : {}), ...(action === 'delete' ? {} : { body: given }) },
  )
  const outcomes: Record<number, Outcome | undefined> = {
    200: 'allowed',
    400: 'refused',
    403: 'refused',
    404: 'not found',
    ...(action === 'upsert' ? { 409: 'refused' as const } : {}),
  }
  return { outcome: status === 401 ? 'refused' : outcomes[status], status, body }
}

/**
 * Executes an attempt as the guest role, which calls the functions itself. An upsert is called as the part
 * that it amounts to.
 */
async function askPostgres(app_: string, { action, row, sent, isSignedIn }: Attempt): Promise<Outcome> {
  const standing = isSignedIn ? { ...anyone, signedIn: true } : anyone
  const ctx = guestContext(app, shop, isSignedIn ? stranger : undefined)
  const json = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`
  const key = json([[String(row.id)]])
  const call = {
    create: `(${json([sent])}, '{}')`,
    update: `(${json([sent])}, ${key}, false, null, '{}')`,
    delete: `(${key}, false, null, '{}')`,
    upsert: '',
  }[action]
  const statement = written(
    `select conflicts, written from "${guestOf(shop)}"."${app_}_works$${action}"${call}`,
  )
  const { done } = await inTenant(
    ctx,
    'write',
    { done: statement },
    { planned: { siteId: null, catalogVersion: null, standing }, isDry: true },
  )
  const { conflicts, written: count } = done.one as {
    conflicts: Record<string, unknown> | null
    written: number
  }
  const found = Object.entries(conflicts ?? {}).flatMap(([name, conflict]) =>
    conflict === null ? [] : [name],
  )
  if (found.includes('missing') || (action === 'delete' && found.length === 0 && count === 0))
    return 'not found'
  return found.length > 0 ? 'refused' : 'allowed'
}

/** Returns the rules of a round. */
function worldOf(
  round: number,
  isDocuments: boolean,
  {
    reads,
    own,
    artists,
    writes,
  }: { reads: Node; own: readonly Node[]; artists: Node; writes: readonly (readonly string[])[] },
): World {
  const [first, second, third, fourth] = own as [Node, Node, Node, Node]
  return {
    // Half of the rounds show all records, so that most attempts reach the other rules.
    reads: round % 2 === 0 ? { and: [] } : reads,
    artists: isDocuments ? undefined : artists,
    rules: [
      {
        name: 'anyone writes',
        who: 'anyone',
        can: ['update', 'delete'],
        where: first,
        check: second,
        write: writes[0] ?? [],
      },
      {
        name: 'strangers write',
        who: 'signed-in',
        can: ['create', 'update', 'delete'],
        where: round % 3 === 0 ? { or: [third, { and: [] }] } : third,
        ...(round % 2 === 0 ? { check: fourth } : {}),
        ...(round % 3 === 1 ? { set: { year: 5 } } : {}),
        write: writes[1] ?? [],
      },
    ],
  }
}

describe('the writes of a guest', () => {
  it(
    'are allowed exactly if the rules allow them: creations, changes, deletions and upserts, over HTTP and in Postgres',
    async () => {
      const rounds = runs(10, 250)
      const counts: Record<Outcome, number> = { allowed: 0, refused: 0, 'not found': 0 }
      const trees = [true, false].map((hasPaths) => treesOf('works', rounds * 5, hasPaths))
      const artists = treesOf('artists', rounds, true)
      const subsets = some(fc.subarray([...givable], { minLength: 4 }), rounds * 2, 3)
      const someWork = fc.integer({ min: 0, max: worksCount - 1 })
      const changes = some(
        fc.record({
          action: fc.constantFrom('create', 'update', 'update', 'delete', 'upsert'),
          row: someWork,
          from: someWork,
          fields: fc.subarray([...givable], { minLength: 1, maxLength: 3 }),
          isSignedIn: fc.boolean(),
          isNew: fc.boolean(),
          hasYear: fc.boolean(),
        }),
        rounds * 16,
        4,
      )
      for (const [round, data] of some(someRows, rounds, 5).entries()) {
        await setRows(data)
        const works = rows.works as readonly Row[]
        for (const [index, place] of places.entries()) {
          const [reads, ...own] = (trees[index] as Node[]).slice(round * 5, round * 5 + 5) as [
            Node,
            ...Node[],
          ]
          const world = worldOf(round, place.isDocuments, {
            reads,
            own,
            artists: artists[round] as Node,
            writes: subsets.slice(round * 2, round * 2 + 2),
          })
          await setRules(place, world)
          for (const change of changes.slice(round * 16 + index * 8, round * 16 + index * 8 + 8)) {
            const { action, fields, isSignedIn, isNew } = change as typeof change & {
              action: Attempt['action']
            }
            const [stored, from] = [works[change.row], works[change.from]] as [Row, Row]
            const row = action === 'upsert' && isNew ? nothing : stored
            const known = knownFields(world, isSignedIn, action)
            const sent = Object.fromEntries(
              fields.filter((name) => known.has(name)).map((name) => [name, from[name] as unknown]),
            )
            const attempt: Attempt = { action, row, sent: action === 'delete' ? {} : sent, isSignedIn }
            const wanted = outcomeOf(world, attempt)
            const { outcome, status, body } = await ask(place.data, attempt)
            const what = `seed ${seed}, round ${round}, ${place.app}: ${JSON.stringify(attempt)} ${JSON.stringify(world)} ${status} ${JSON.stringify(body)}`
            expect(outcome, what).toBe(wanted)
            counts[wanted]++
            const part = partOf(world, attempt)
            if (rulesFor(world, isSignedIn, part.action).length > 0)
              expect(await askPostgres(place.app, part), `in Postgres, ${what}`).toBe(outcomeOf(world, part))
          }
        }
      }
      // The test proves nothing unless every outcome is frequent.
      for (const [outcome, count] of Object.entries(counts))
        expect([outcome, count >= rounds / 2]).toEqual([outcome, true])
    },
    scaled(600_000),
  )
})
