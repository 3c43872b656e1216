/** Filter conditions: checked on save, asked before anything runs. E4. */
import { beforeAll, describe, expect, it } from 'vitest'
import { conditionsProblem, passes } from '../../src/functions/filter.ts'
import { createEventful, type Eventful, noop } from '../support/events.ts'

const user = { id: 7, username: 'jo', email: 'jo@example.org' }
/** A Wednesday. */
const now = new Date('2026-01-14T23:59:30Z')
const event = {
  type: 'RECORD_CREATE',
  datatable: 'makers',
  record_id: 3,
  data: { price: 2.5, stock: 3, name: 'abc', tags: ['a', 'b'], nothing: null },
}

describe('conditions', () => {
  it.each([
    ['', true],
    ['  ', true],
    ['event.datatable == "makers"', true],
    ['event.record_id == 3 && event.data.price > 2', true],
    ['event.data.stock + 1 == 4 && event.data.stock % 2 == 1 && 2 * event.data.price == 5.0', true],
    ['event.data.stock in [1, 2]', false],
    ['has(event.data.missing) && event.data.missing == 1', false],
    ['event.data.nothing == null', true],
    ['event.data.tags.exists(tag, tag == "b") && size(event.data.tags) == 2', true],
    ['event.data.name.startsWith("ab") && event.data["name"].contains("c")', true],
    ['event.data.name.matches("^[a-c]+$") && (event.data.name) . matches ("b")', true],
    ['event.data.name == "x.matches(y)"', false],
    ['user != null && user.username == "jo" && user.id == 7', true],
    ['time.year == 2026 && time.month == 1 && time.day == 14 && time.hour == 23 && time.minute == 59 && time.day_of_week == 2', true],
    ['time.now > timestamp("2026-01-01T00:00:00Z")', true],
    ['event.data.tags.filter(t, t.matches("^[b-z]")).size() == 1', true],
  ])('%s is %s', (text, result) => {
    expect([conditionsProblem(text), passes(text, JSON.stringify(event), user, now)]).toEqual([undefined, result])
  })

  it.each([
    ['event.', 'Expected IDENTIFIER'],
    ['event.data.price >', 'Unexpected'],
    ['payload.price > 1', 'Unknown variable: payload'],
    ['1 + 1', 'It is of the type int, and not true or false.'],
    ['"true"', 'It is of the type string'],
    ['time.year == "x" + 1', 'no such overload'],
    ['event.tags.join("").size() > 1', 'There is no function "join".'],
    ['cel.bind(x, event.a + event.a, x == x)', 'There is no function "bind".'],
    ['event.a.all(x, event.a.all(y, x == y))', 'A list cannot be gone through within another one.'],
    [Array(22).fill('event.a').join(' + '), 'There are at most 20 additions.'],
    ['event.a == '.repeat(150), 'Exceeded'],
  ])('%s is refused', (text, problem) => {
    expect(conditionsProblem(text)).toContain('This is no condition: ')
    expect(conditionsProblem(text)).toContain(problem)
  })

  it.each([
    ['event.data.missing == 1', 'No such key: missing'],
    ['user.username == "jo"', 'No such key'],
    ['event.data.name', 'they are neither true nor false'],
    ['event.constructor == 1', 'No such key: constructor'],
    ['event.data.name.matches("(")', 'missing closing'],
  ])('%s cannot be said', (text, problem) => {
    expect(() => passes(text, JSON.stringify(event), null, now)).toThrow(problem)
  })

  it('are of linear time: patterns and lists that would take for ever elsewhere', () => {
    const large = JSON.stringify({ text: `${'a'.repeat(60_000)}!`, list: Array(20_000).fill(1) })
    const began = performance.now()
    expect(passes('event.text.matches("^(a+)+$")', large, null, now)).toBe(false)
    expect(() => passes('event.list.all(x, x == 1)', large, null, now)).toThrow('the event is too large for them')
    expect(() => passes('event.text == ""', JSON.stringify({ text: 'a'.repeat(1_100_000) }), null, now)).toThrow('the event is too large')
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

describe('a function with conditions', () => {
  let one: Eventful
  const makers = '/apps/shop/datatables/makers/data/'
  beforeAll(async () => {
    one = await createEventful('one')
  })

  it('400 on save where they do not parse', async () => {
    const refused = await one.owner.post('/apps/shop/functions/', { name: 'x', ...noop, filter_conditions: 'event.' })
    expect([refused.status, refused.body]).toEqual([400, { filter_conditions: [expect.stringMatching(/^This is no condition: /)] }])
    await one.listener('changed', [], noop)
    expect((await one.owner.patch('/apps/shop/functions/changed/', { filter_conditions: 'x y' })).status).toBe(400)
  })

  it('runs where they hold; else its invocation is SKIPPED; where they cannot be said, a FAILURE that is not tried again', async () => {
    await one.listener('large ids', ['RECORD_CREATE'], {
      code: 'export default () => 1',
      filter_conditions: 'event.record_id > 10 && user.username == "one-owner"',
    })
    await one.listener('unsure', ['RECORD_CREATE'], { ...noop, filter_conditions: 'event.data.missing' })
    await one.owner.post(makers, [
      { id: 1, name: 'a' },
      { id: 11, name: 'b' },
    ])
    await one.queue.drain(one.app.env)
    const shown = (runs: { status: string; result: unknown; error: string | null; attempts: number }[]) =>
      runs.map(({ status, result, error, attempts }) => [status, result, error, attempts])
    expect(shown(await one.runs('large-ids'))).toEqual([
      ['SKIPPED', null, null, 1],
      ['SUCCESS', 1, null, 1],
    ])
    expect(shown(await one.runs('unsure'))).toEqual(
      Array(2).fill(['FAILURE', null, 'The filter conditions cannot be evaluated: No such key: missing', 1]),
    )
  })

  it('shows them to the app, and runs by request whatever they say', async () => {
    const { body } = await one.owner.get('/apps/shop/events/RECORD_CREATE/')
    expect(body.data.subscribers[0].filter_conditions).toBe('event.record_id > 10 && user.username == "one-owner"')
    expect((await one.owner.post('/apps/shop/functions/large-ids/execute/', {})).body.data).toBe(1)
  })

  it('of PRE_USER_CREATE, a function that they skip lets the user be made; one that cannot be asked does not', async () => {
    const id = await one.listener('picky', ['PRE_USER_CREATE'], {
      execution_mode: 'system',
      system_function: 'fail',
      filter_conditions: 'event.email.endsWith("@bad.example")',
    })
    const create = (email: string) => one.owner.post('/users/', { username: email.split('@').join('-at-'), email, password: 'Sail-away-1' })
    expect((await create('a@good.example')).status).toBe(201)
    const refused = await create('a@bad.example')
    expect([refused.status, refused.body]).toEqual([
      400,
      { non_field_errors: ['The function "picky" failed: The system function "fail" always fails.'] },
    ])
    expect((await one.runs('picky')).map(({ status }) => status)).toEqual(['SKIPPED', 'FAILURE'])
    await one.owner.patch('/apps/shop/functions/picky/', { filter_conditions: 'event.none' })
    expect((await create('b@good.example')).body.non_field_errors).toEqual([
      'The function "picky" failed: The filter conditions cannot be evaluated: No such key: none',
    ])
    await one.unsubscribe('PRE_USER_CREATE', id)
  })
})
