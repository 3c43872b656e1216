/**
 * The second wall between sites whose rows are in the same tables, for any version of Postgres: hostile
 * statements of sites and of guests, and what the catalog must say.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Attempt, faultsOf } from './attempt.ts'
import { catalogRules } from './catalog-rules.ts'
import {
  canary,
  type Doors,
  type Ground,
  guestRole,
  type Outcome,
  openGround,
  type Place,
  type Step,
} from './ground.ts'
import { guestAttempts } from './guest.ts'
import { siteDetours } from './site-detours.ts'
import { siteReads } from './site-reads.ts'
import { siteWrites } from './site-writes.ts'

const generic = `select set_config('plan_cache_mode', 'force_generic_plan', true)`

/** Declares the tests. `open` starts a service. */
export function attackSuite(open: () => Promise<Doors>): void {
  let doors: Doors
  let ground: Ground
  beforeAll(async () => {
    doors = await open()
    ground = await openGround(doors)
  })

  const asSite = ([, texts, verdict]: Attempt) =>
    faultsOf(ground, verdict, () => ground.asSite(texts(ground)))
  const asGuest = ([, texts, verdict]: Attempt) =>
    faultsOf(ground, verdict, () => ground.asGuest(texts(ground)))

  describe('the check of an attempt', () => {
    const readAll: Attempt = ['', () => ['select * from tenant._apps'], 'nothing']
    const changeTheirs: Attempt = [
      '',
      ({ theirs }) => [`update tenant._apps set name = name || 'x' where site_id = ${theirs.id}`],
      'nothing',
    ]

    it('fails for a table without row-level security', async () => {
      await ground.sql('alter table tenant._apps disable row level security')
      try {
        expect(await asSite(readAll)).toEqual([`saw ${canary}`])
        expect(await asSite(changeTheirs)).toContain('changed tenant._apps')
      } finally {
        await ground.sql('alter table tenant._apps enable row level security')
      }
      expect(await asSite(readAll)).toEqual([])
    })

    it('fails for a table with another policy', async () => {
      await ground.sql('alter policy own on tenant._apps using (true) with check (site_id > 0)')
      try {
        expect(await asSite(readAll)).toEqual([`saw ${canary}`])
        const offenders = await ground.sql(
          catalogRules.find(([rule]) => rule.includes('one policy'))?.[1] ?? '',
        )
        expect(offenders).toEqual([{ what: '_apps' }])
      } finally {
        await ground.sql(
          'alter policy own on tenant._apps using (site_id = tessera.own_site()) with check (site_id = tessera.own_site())',
        )
      }
    })

    it('fails for a view of the other site without the gate for its execution, or for its plan', async () => {
      const { sql, theirs } = ground
      const view = `${theirs.guests}.open`
      const plan: Attempt = ['', () => [`explain select * from ${view}`], '42501']
      const read: Attempt = ['', () => [`select * from ${view}`], '42501']
      const faultsWith = async (gates: string) => {
        await sql(`create view ${view} as select name from ${theirs.schema}.shop_goods where ${gates}`)
        await sql(`grant select on ${view} to ${guestRole}`)
        const faults = [await asGuest(read), await asGuest(plan)]
        await sql(`drop view ${view}`)
        return faults
      }
      const done = expect.stringMatching(/^done instead of 42501/)
      expect(await faultsWith('true')).toEqual([[done, `saw ${canary}`], [done]])
      expect(await faultsWith(`(select tessera.is_here_now(${theirs.id}))`)).toEqual([[], [done]])
      expect(await faultsWith(`tessera.is_here(${theirs.id})`)).toEqual([[], []])
    })

    it('fails for another answer than the expected one', async () => {
      expect(await asSite(['', () => ['select 1 / 0'], 'nothing'])).toEqual([
        expect.stringMatching(/^22012 instead of nothing/),
      ])
    })

    it('is made for at least ninety statements of sites and seventy of guests', () => {
      expect(siteReads.length + siteDetours.length + siteWrites.length).toBeGreaterThanOrEqual(90)
      expect(guestAttempts.length).toBeGreaterThanOrEqual(70)
    })
  })

  describe('a statement of a site that tries to read rows of another site', () => {
    it.each([...siteReads, ...siteDetours])('does not, %s', async (...attempt) =>
      expect(await asSite(attempt)).toEqual([]),
    )
  })

  describe('a statement of a site that would harm others', () => {
    it.each(siteWrites)('does not if it %s', async (...attempt) => expect(await asSite(attempt)).toEqual([]))
  })

  describe('a statement of a guest that would leave what its site shows', () => {
    it.each(guestAttempts)('does not if it %s', async (...attempt) =>
      expect(await asGuest(attempt)).toEqual([]),
    )
  })

  describe('a lock of a table that all sites share', () => {
    const modes = ['share update exclusive', 'share', 'share row exclusive', 'exclusive', 'access exclusive']
    it.each(modes)('is refused to a site in the mode that hinders others: %s', async (mode) => {
      const text = `lock table tenant._apps in ${mode} mode`
      expect(await faultsOf(ground, '42501', () => ground.asSite([text]))).toEqual([])
    })
  })

  describe('a plan that a session keeps', () => {
    const read = 'select description from tenant._apps'
    const seenBy = async (who: 'mine' | 'theirs' | 'platform', name: string, maker: Step[0]) => {
      const { mine, theirs } = ground
      const runner: Step[0] = who === 'platform' ? who : { site: { mine, theirs }[who] }
      const made: Step = [maker, [generic, `prepare ${name} as ${read}`, ...Array(7).fill(`execute ${name}`)]]
      const { code, steps } = await ground.inTurns([made, [runner, [`execute ${name}`]]])
      const last = steps.at(-1) ?? ''
      return { code, attacker: last.includes('harmless'), victim: last.includes(canary) }
    }

    it.each<[string, () => Step[0]]>([
      ['the other site', () => ({ site: ground.theirs })],
      ['the platform', () => 'platform'],
      ['itself', () => ({ site: ground.mine })],
    ])('shows a site only its own rows if it was made by %s', async (maker, who) => {
      const name = `kept_${maker.replaceAll(' ', '_')}`
      expect(await seenBy('mine', name, who())).toEqual({ code: 'done', attacker: true, victim: false })
    })

    it('shows the platform all rows if it was made by a site', async () =>
      expect(await seenBy('platform', 'kept_for_platform', { site: ground.mine })).toEqual({
        code: 'done',
        attacker: true,
        victim: true,
      }))

    it('is followed by each site in turn', async () => {
      const { mine, theirs } = ground
      const turns = [mine, theirs, mine, theirs].map((site): Step => [{ site }, ['execute kept_in_turns']])
      const { code, steps } = await ground.inTurns([
        [{ site: mine }, [generic, `prepare kept_in_turns as ${read}`]],
        ...turns,
      ])
      expect(code).toBe('done')
      expect(steps.slice(1).map((step) => step.includes(canary))).toEqual([false, true, false, true])
    })

    it("is refused to a guest if it was made by another site's guest", async () => {
      const { mine, theirs } = ground
      const text = `select name from ${theirs.guests}.shop_goods`
      const turns = (name: string): Step[] => [
        [{ guestOf: theirs }, [generic, `prepare ${name} as ${text}`, `execute ${name}`]],
        [{ guestOf: mine }, [`execute ${name}`]],
      ]
      expect((await ground.inTurns(turns('kept_of_guest').slice(0, 1))).seen).toContain(canary)
      for (const name of ['kept_1', 'kept_2', 'kept_3'])
        expect(await faultsOf(ground, '42501', () => ground.inTurns(turns(name)))).toEqual([])
    })
  })

  describe('guests who use one session by turns', () => {
    it('get what their own claims allow, by views, kept plans and functions', async () => {
      const { mine, theirs, sql } = ground
      const [made] = await sql<{ id: string }>(
        `insert into public.users (username, email) values ('visitor', 'visitor@example.org') returning id`,
      )
      const user = Number(made?.id)
      const read = ({ guests }: Place) =>
        `select count(hidden) > 0 as hidden, '${guests}' as at from ${guests}.shop_goods`
      const write = ({ guests }: Place) =>
        `select written, '${guests}' as at from ${guests}."shop_goods$create"('[{"name": "turn"}]', '{id}')`
      const turns = (at: Place): Step[] => {
        const texts = [read(at), `execute kept_at_${at.slug}`, write(at)]
        return [
          [{ guestOf: at }, texts],
          [{ guestOf: at, user }, texts],
        ]
      }
      const prepare = (at: Place): Step => [
        { guestOf: at },
        [generic, `prepare kept_at_${at.slug} as ${read(at)}`],
      ]
      const calls = Array.from({ length: 10 }, () => [...turns(mine), ...turns(theirs)]).flat()
      const { code, steps } = await ground.inTurns([prepare(mine), prepare(theirs), ...calls])
      expect(code).toBe('done')
      const seen = steps
        .slice(2)
        .map((step) =>
          (JSON.parse(step) as { n: number; answer: string }[])
            .filter(({ n }) => n > 0)
            .map(({ answer }) => JSON.parse(answer)),
        )
      const expected = (at: Place, hidden: boolean) => [
        { hidden, at: at.guests },
        { hidden, at: at.guests },
        { written: 1, at: at.guests },
      ]
      expect(seen).toEqual(
        Array.from({ length: 10 }, () =>
          [mine, theirs].flatMap((at) => [expected(at, false), expected(at, true)]),
        ).flat(),
      )
    })
  })

  describe('what a hostile statement can still do', () => {
    it.each<[string, (texts: string[]) => Promise<Outcome>, () => string]>([
      ['site', (texts) => ground.asSite(texts), () => ground.mine.schema],
      ['guest', (texts) => ground.asGuest(texts), () => guestRole],
    ])('is to give the role of its %s settings, which no session uses', async (_who, run, role) => {
      try {
        expect((await run([`alter role ${role()} set work_mem = '1GB'`])).code).toBe('done')
        const { code, seen } = await run([`select current_setting('work_mem') as used`])
        expect([code, seen.includes('1GB')]).toEqual(['done', false])
      } finally {
        await ground.sql(`alter role ${role()} reset all`)
      }
    })

    it('is to learn how many rows Postgres expects, and none of their values', async () => {
      const { theirs } = ground
      const { code, seen } = await ground.asSite([
        `explain (format json) select * from tenant._invocations where site_id = ${theirs.id}`,
      ])
      expect(code).toBe('done')
      expect(seen).toMatch(/Plan Rows/)
      expect(seen).not.toContain(canary)
    })

    it('is to learn the pace of ids, which count the rows of all sites', async () => {
      const { mine, theirs } = ground
      const insert = `insert into tenant._erasures (record, versions) values ('x', 1) returning id`
      const { steps } = await ground.inTurns([mine, theirs, mine].map((site): Step => [{ site }, [insert]]))
      const [first, second, third] = steps.map((step) => Number(/\\"id\\":(\d+)/.exec(step)?.[1])) as [
        number,
        number,
        number,
      ]
      expect([second - first, third - second]).toEqual([1, 1])
    })
  })

  describe('the schema `tenant`', () => {
    it.each(catalogRules)('%s', async (_sentence, offenders) =>
      expect(await ground.sql(offenders)).toEqual([]),
    )
  })

  describe('an app with functions that have a schedule', () => {
    const make = async (app: string) => {
      const api = `/sites/${ground.mine.slug}/api/apps/`
      await doors.request('POST', api, { name: app })
      await doors.request('POST', `${api}${app}/functions/`, {
        name: 'hourly',
        execution_mode: 'app',
        code: 'export default () => 1',
        schedule: '0 * * * *',
      })
      return `${api}${app}/functions/hourly/`
    }
    const left = () =>
      ground.sql(`select (select count(*)::int from tenant._functions f where f.slug = 'hourly') as functions,
                         (select count(*)::int from tenant._deliveries d where d.site_id = ${ground.mine.id}
                             and d.schedule_of is not null) as ticks`)

    it('is deleted with what waits for the schedule', async () => {
      await make('passing')
      expect(await left()).toEqual([{ functions: 1, ticks: 2 }])
      const { code } = await ground.inTurns([
        ['platform', [`delete from tenant._apps where site_id = ${ground.mine.id} and slug = 'passing'`]],
      ])
      expect(code).toBe('done')
      expect(await left()).toEqual([{ functions: 0, ticks: 1 }])
    })

    it('loses what waits for the schedule with the function', async () => {
      const path = await make('staying')
      await doors.request('DELETE', path)
      expect(await left()).toEqual([{ functions: 0, ticks: 1 }])
    })
  })
}
