/** Filter conditions are checked when a function is saved, and evaluated before it runs. E4. */
import { beforeAll, describe, expect, it } from 'vitest'
import { conditionsProblem, passes } from '../../src/runtime/functions/filter.ts'
import { createEventful, type Eventful, noop } from '../support/events.ts'
import { timeLimit } from '../support/time-limit.ts'

const user = { id: 7, username: 'jo', email: 'jo@example.org' }
/** A Wednesday. */
const now = new Date('2026-01-14T23:59:30.120Z')
const event = {
  type: 'RECORD_CREATE',
  datatable: 'makers',
  record_id: 3,
  data: { price: 2.5, stock: 3, name: 'abc', list: 'a,b,c', tags: ['a', 'b'], empty: [], nothing: null },
}

/** Conditions that are true by the CEL specification and its extensions for strings and optional values. */
const trueConditions = [
  // Texts.
  '"a,b,c".split(",") == ["a", "b", "c"] && event.data.list.split(",").size() == 3',
  '"hello world events!".split(" ", 0) == [] && "a b c".split(" ", 1) == ["a b c"] && "a b c".split(" ", 2) == ["a", "b c"]',
  '"o©o©o".split("©", -1) == ["o", "o", "o"] && "😀b".split("") == ["😀", "b"] && "".split(",") == [""]',
  '"{0} days {0} hours".replace("{0}", "2", 1).replace("{0}", "23") == "2 days 23 hours" && event.data.name.replace("b", "") == "ac"',
  '"1 ©αT taco".replace("αT", "o©α") == "1 ©o©α taco" && "ab".replace("", "_") == "_a_b_" && "aa".replace("a", "b", 0) == "aa"',
  '"aaa".replace("a", "b", -1) == "bbb" && "aaa".replace("x", "b") == "aaa" && "ab".replace("", "_", 1) == "_ab"',
  '["x", "y"].join() == "xy" && ["x", "y"].join("-") == "x-y" && [].join("-") == "" && event.data.tags.join("+") == "a+b"',
  'event.data.list.split(",").join(";") == "a;b;c" && event.data.tags.filter(t, t != "a").join() == "b"',
  '"TacoCÆt".lowerAscii() == "tacocÆt" && "tacoCαt".upperAscii() == "TACOCαT"',
  '"ta©o©αT".indexOf("©", 3) == 4 && "😀b".indexOf("b") == 1 && "tacocat".indexOf("", 3) == 3 && "a".indexOf("b") == -1',
  '"ta©o©αT".substring(2, 6) == "©o©α" && "😀b".substring(1) == "b" && "tacocat".substring(7) == ""',
  // Timestamps and durations.
  'string(timestamp("2009-02-13T23:31:30Z")) == "2009-02-13T23:31:30Z" && string(time.now) == "2026-01-14T23:59:30.12Z"',
  'int(timestamp("2009-02-13T23:31:30Z")) == 1234567890 && int(timestamp("1969-12-31T23:59:58.5Z")) == -2',
  'timestamp("2009-02-13T23:31:20.123456789Z").getMilliseconds() == 123 && time.now.getMilliseconds("Europe/Berlin") == 120',
  'duration("123.321456789s").getMilliseconds() == 321 && duration("90s").getMilliseconds() == 0',
  'string(duration("1000000s")) == "1000000s" && string(duration("-1.5s")) == "-1.5s" && string(duration("1m0.25s")) == "60.25s"',
  // Optional access.
  'event.data.?missing.orValue(1) == 1 && event.?data.?price.orValue(0.0) > 2.0 && event.data.?missing.?deeper.orValue("") == ""',
  'event.data.?nothing.hasValue() && !event.data.?missing.hasValue() && event.data.?price.value() == 2.5',
  'event.data[?"price"].orValue(0.0) == 2.5 && event.data.tags[?0].orValue("") == "a" && event.data.tags[?9].orValue("z") == "z"',
  'event.data.?missing.deeper.or(optional.of(3)).value() == 3 && optional.none().orValue(2) == 2 && has(event.?data.name)',
  'event.data.?missing.orValue([]).exists(t, t == "a") == false && event.data.?price.orValue(0) + 1 > 3',
  'event.data.?constructor.hasValue() == false && user.?username.orValue("nobody") == "jo"',
  // Empty lists and maps.
  '[] == [] && event.data.empty == [] && event.data.tags != [] && [] != ["a"] && size([]) == 0 && !(1 in []) && [] in [[]]',
  '[] + ["x"] == ["x"] && event.data.tags + [] == event.data.tags && (user == null ? [] : ["a"]) == ["a"] && [].all(x, x > 1)',
  '[].exists(x, x > 1.5) == false && [].filter(x, x + 1 > 2) == [] && "[]" == "[" + "]" && [ ].size() == 0',
  '{} == {} && event.data != {} && size({}) == 0 && [].map(x, x) == [] && [[], [1]].size() == 2',
]

describe('a filter condition', () => {
  it.each(trueConditions)('%s is true', (text) => {
    expect([conditionsProblem(text), passes(text, JSON.stringify(event), user, now)]).toEqual([
      undefined,
      true,
    ])
  })

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
    [
      'time.year == 2026 && time.month == 1 && time.day == 14 && time.hour == 23 && time.minute == 59 && time.day_of_week == 2',
      true,
    ],
    ['time.now > timestamp("2026-01-01T00:00:00Z")', true],
    ['event.data.tags.filter(t, t.matches("^[b-z]")).size() == 1', true],
  ])('%s evaluates to %s', (text, result) => {
    expect([conditionsProblem(text), passes(text, JSON.stringify(event), user, now)]).toEqual([
      undefined,
      result,
    ])
  })

  it.each([
    ['event.', 'Expected IDENTIFIER'],
    ['event.data.price >', 'Unexpected'],
    ['payload.price > 1', 'Unknown variable: payload'],
    ['1 + 1', 'It has the type int, not bool.'],
    ['"true"', 'It has the type string'],
    ['time.year == "x" + 1', 'no such overload'],
    ['[]', 'It is a list, not a boolean.'],
    ['optional.none().value() > 1', 'An operand has no type. Wrap it in dyn(…).'],
    ['event.name.reverse() == "x"', 'Unknown function "reverse".'],
    ['"a".split(1) == []', "found no matching overload for 'string.split(int)'"],
    ['[1, 2].join() == "12"', 'found no matching overload'],
    ['event.data.?flag', 'It has the type optional<dyn>, not bool.'],
    ['event.data.?price == 2.5', 'no such overload: optional<dyn> == double'],
    ['optional.none() == optional.none()', 'no such overload'],
    ['event.data.?name.optMap(n, n == "x").orValue(false)', 'Unknown function "optMap".'],
    ['[?event.data.?name] == []', 'Optional members, for example [?x] and {?"k": x}, are not supported.'],
    [
      '{?"a": event.data.?name} == {}',
      'Optional members, for example [?x] and {?"k": x}, are not supported.',
    ],
    ['cel.bind(x, event.a + event.a, x == x)', 'Unknown function "bind".'],
    [
      'event.a.all(x, event.a.all(y, x == y))',
      'Nested list macros (all, exists, exists_one, filter, map) are not allowed.',
    ],
    [Array(22).fill('event.a').join(' + '), 'There can be at most 20 additions.'],
    ['event.a == '.repeat(150), 'Exceeded'],
  ])('%s is rejected when the function is saved', (text, problem) => {
    expect(conditionsProblem(text)).toContain('This is not a valid condition: ')
    expect(conditionsProblem(text)).toContain(problem)
  })

  it.each([
    ['event.data.missing == 1', 'No such key: missing'],
    ['user.username == "jo"', 'No such key'],
    ['event.data.name', 'the result is neither true nor false'],
    ['event.constructor == 1', 'No such key: constructor'],
    ['event.data.name.matches("(")', 'missing closing'],
    ['event.data.price.orValue(1) == 1', 'receiver must be optional'],
    ['event.data.?missing.value() == 1', 'Optional value is not present'],
    ['event.data.price.split(",") == []', 'found no matching overload for'],
    ['[event.data.name, event.data.price].join() == ""', 'only texts can be joined'],
    ['event.data.name.substring(2, 1) == ""', 'index out of range: 1'],
    ['event.data.name.substring(9) == ""', 'index out of range: 9'],
  ])('%s fails when it is evaluated', (text, problem) => {
    expect(() => passes(text, JSON.stringify(event), null, now)).toThrow(problem)
  })

  it('takes limited time, even for patterns and lists that take exponential time in other engines', async () => {
    const large = JSON.stringify({ text: `${'a'.repeat(60_000)}!`, list: Array(20_000).fill(1) })
    const startedAt = performance.now()
    expect(passes('event.text.matches("^(a+)+$")', large, null, now)).toBe(false)
    expect(() => passes('event.list.all(x, x == 1)', large, null, now)).toThrow('the event is too large')
    expect(() =>
      passes('event.text == ""', JSON.stringify({ text: 'a'.repeat(1_100_000) }), null, now),
    ).toThrow('the event is too large')
    const texts = JSON.stringify({
      text: 'a'.repeat(400_000),
      part: `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`,
    })
    for (const text of [
      'event.text.contains(event.part)',
      'event.text.indexOf(event.part) > 0',
      'event.text.split(event.part) == []',
    ]) {
      expect(() => passes(text, texts, null, now)).toThrow('this takes too much work for the event')
    }
    expect(() => passes('event.text.replace("", event.part) == ""', texts, null, now)).toThrow(
      'a text becomes too long',
    )
    expect(() => passes('event.text.split("").join(event.part) == ""', texts, null, now)).toThrow(
      'a text becomes too long',
    )
    const many = JSON.stringify({ list: Array(10_000).fill(1), text: 'a'.repeat(30_000) })
    expect(() => passes('event.list.all(x, event.text.split("").size() > 1)', many, null, now)).toThrow(
      'this takes too much work for the event',
    )
    expect(performance.now() - startedAt).toBeLessThan(await timeLimit(20_000))
  })
})

describe('a function with filter conditions', () => {
  let one: Eventful
  const makers = '/apps/shop/datatables/makers/data/'
  beforeAll(async () => {
    one = await createEventful('one')
  })

  it('returns 400 if its conditions are invalid', async () => {
    const rejected = await one.owner.post('/apps/shop/functions/', {
      name: 'x',
      ...noop,
      filter_conditions: 'event.',
    })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { filter_conditions: [expect.stringMatching(/^This is not a valid condition: /)] },
    ])
    await one.listener('changed', [], noop)
    expect(
      (await one.owner.patch('/apps/shop/functions/changed/', { filter_conditions: 'x y' })).status,
    ).toBe(400)
  })

  it('runs if its conditions are true, is SKIPPED if they are false, and is a FAILURE if they cannot be evaluated', async () => {
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

  it('shows its conditions to the app, and ignores them if a request executes it', async () => {
    const { body } = await one.owner.get('/apps/shop/events/RECORD_CREATE/')
    expect(body.data.subscribers[0].filter_conditions).toBe(
      'event.record_id > 10 && user.username == "one-owner"',
    )
    expect((await one.owner.post('/apps/shop/functions/large-ids/execute/', {})).body.data).toBe(1)
  })

  it('lets a user be created if PRE_USER_CREATE skips it, but not if its conditions cannot be evaluated', async () => {
    const id = await one.listener('picky', ['PRE_USER_CREATE'], {
      execution_mode: 'system',
      system_function: 'fail',
      filter_conditions: 'event.email.endsWith("@bad.example")',
    })
    const create = (email: string) =>
      one.owner.post('/users/', { username: email.split('@').join('-at-'), email, password: 'Sail-away-1' })
    expect((await create('a@good.example')).status).toBe(201)
    const rejected = await create('a@bad.example')
    expect([rejected.status, rejected.body]).toEqual([
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
