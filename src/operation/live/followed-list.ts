/** A followed list in its Durable Object: it asks as a follower may, and sends all of them the difference. */
import type { CacheContext } from '../../kernel/cache/caches.ts'
import { feedAt } from '../../kernel/cache/followers.ts'
import type { ListReads, SignIn } from '../../kernel/context.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import type { AnswerRequest } from '../../kernel/http/app-env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { pause } from '../../kernel/lib/retry.ts'
import type { ListAnswer } from './answer.ts'
import { askFor } from './ask.ts'
import {
  type About,
  type Attached,
  audienceOf,
  isOtherStanding,
  type Joining,
  listName,
  ownerOf,
  readsClock,
} from './list.ts'
import { ListMemory } from './memory.ts'
import { refusedFollowers } from './refused-followers.ts'

const followersMax = 5_000
/** The answer without a socket: too many follow. */
const full = { status: 204 }
/** A list that the first follower joins is asked for again after this time: a write may have begun before. */
const settlingMs = 1_000
/** A longer answer is not kept in memory, and is asked for again when somebody joins. In characters. */
const answerKeptMax = 100_000
/** The longest time after which a list that reads the clock is asked for. */
const clockMs = 30_000
/** How long a list is not asked for after the first failure, and at most. */
const [retryMs, retryMaxMs] = [1_000, 30_000]

export class FollowedList {
  readonly #ctx: DurableObjectState
  readonly #context: CacheContext
  /** The application. */
  readonly #answer: AnswerRequest
  readonly #memory: ListMemory
  #last: ListAnswer | undefined
  #isStale = true
  #running: Promise<void> | undefined
  #askedAt = 0
  #failures = 0
  /** The shortest time between two asks, if it is longer than LIVE_INTERVAL_MS. */
  #paceMs = 0

  constructor(ctx: DurableObjectState, env: Env, answer: AnswerRequest) {
    this.#ctx = ctx
    this.#context = { env, config: configOf(env) }
    this.#answer = answer
    this.#memory = new ListMemory(ctx.storage.kv)
  }

  /** Opens the WebSocket of a follower. The request has what it sends as the header `x-live`. */
  async fetch(request: Request): Promise<Response> {
    const { about, ...follower } = JSON.parse(
      decodeURIComponent(request.headers.get('x-live') ?? ''),
    ) as Joining
    if (this.#ctx.getWebSockets().length >= followersMax) return new Response(null, full)
    if (!this.#about) {
      if (!(await this.#register(about, ownerOf(follower)))) return new Response(null, full)
      this.#ctx.storage.kv.put('about', about)
    }
    const { 0: client, 1: server } = new WebSocketPair()
    this.#ctx.acceptWebSocket(server)
    server.serializeAttachment({ ...follower, isServed: false } satisfies Attached)
    const { caller } = follower.asker
    if (caller) await this.#feedOf(caller).register(this.#nameOf(about), null)
    if (this.#isStale || !this.#last) this.#wake()
    else this.#serve(server)
    if ((await this.#ctx.storage.getAlarm()) === null) await this.#setAlarm()
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Says that a table has changed. Returns false if nobody follows. See RemoteList. */
  tell(paceMs: number): boolean {
    if (this.#ctx.getWebSockets().length === 0) return false
    this.#slowTo(paceMs)
    this.#wake()
    return true
  }

  /** Asks less often, and says so. Lists that were told at once are asked for one after the other. */
  #slowTo(paceMs: number): void {
    const pace = paceMs > this.#context.config.LIVE_INTERVAL_MS ? paceMs : 0
    if (pace === this.#paceMs) return
    this.#paceMs = pace
    const data = JSON.stringify({ interval_ms: pace || this.#context.config.LIVE_INTERVAL_MS })
    for (const { socket, isServed } of this.#followers()) if (isServed) this.#send(socket, 'pace', data)
  }

  /** Says that a follower may have lost a right. Returns false if nobody follows. */
  async recheck(): Promise<boolean> {
    if (this.#ctx.getWebSockets().length === 0) return false
    await this.#endRefused()
    this.#wake()
    return true
  }

  /** Asks again for a list that has heard nothing, and checks who may follow it. */
  async alarm(): Promise<void> {
    if (this.#ctx.getWebSockets().length === 0) return this.#forget()
    // First, so that no failure ends the alarms.
    await this.#setAlarm()
    try {
      if (this.#about) await this.#register(this.#about)
      await this.#endRefused()
    } catch (error) {
      this.#note('not checked', error)
    }
    this.#wake()
  }

  /** A follower has gone. */
  async close(socket: WebSocket): Promise<void> {
    socket.close()
    const about = this.#about
    const { asker } = socket.deserializeAttachment() as Attached
    const others = [...this.#followers()].filter((one) => one.socket !== socket)
    const isThere = others.some((one) => one.asker.caller?.userId === asker.caller?.userId)
    if (about && asker.caller && !isThere) await this.#feedOf(asker.caller).leave(this.#nameOf(about))
    if (others.length === 0) await this.#forget()
  }

  #feedOf({ userId }: Pick<SignIn, 'userId'>) {
    return feedAt(this.#context, `caller ${userId}`)
  }

  #nameOf(about: About): string {
    return listName(this.#context, about)
  }

  get #about(): About | undefined {
    return this.#ctx.storage.kv.get<About>('about')
  }

  async #setAlarm(): Promise<void> {
    const clock = this.#ctx.storage.kv.get<boolean>('clock') ? clockMs : Infinity
    await this.#ctx.storage.setAlarm(Date.now() + Math.min(clock, this.#context.config.LIVE_REFRESH_S * 1000))
  }

  /** Asks for the list soon. While it is asked for, it is asked for once more afterwards. */
  #wake(): void {
    this.#isStale = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    this.#ctx.waitUntil(this.#running)
  }

  async #run(): Promise<void> {
    while (this.#isStale && this.#ctx.getWebSockets().length > 0) {
      const delay = this.#failures ? Math.min(retryMs * 2 ** (this.#failures - 1), retryMaxMs) : 0
      const interval = Math.max(delay, this.#context.config.LIVE_INTERVAL_MS, this.#paceMs)
      const wait = this.#askedAt + interval - Date.now()
      await pause(Math.max(wait, Math.random() * this.#paceMs))
      this.#isStale = false
      this.#askedAt = Date.now()
      try {
        await this.#ask()
      } catch (error) {
        this.#fail(error)
      }
    }
  }

  /** Asks again later. */
  #fail(error?: unknown): void {
    this.#failures++
    this.#isStale = true
    if (error !== undefined) this.#note('not asked', error)
  }

  #note(live: string, error: unknown): void {
    const isVerbose = this.#context.config.ENVIRONMENT === 'development'
    log({ level: 'error', live, ...describeFailure(error, isVerbose) })
  }

  async #ask(): Promise<void> {
    const about = this.#about
    const [asking] = this.#followers()
    if (!about || !asking) return
    const execution = { waitUntil: (work: Promise<unknown>) => this.#ctx.waitUntil(work) } as ExecutionContext
    const asked = await askFor(about.url, asking.asker, {
      fetch: this.#answer,
      env: this.#context.env,
      execution,
    })
    // The last follower may have left meanwhile.
    if (!this.#about) return
    if ('answer' in asked) {
      this.#failures = 0
      if (asked.siteId !== about.site.id) return this.#endAll('renew')
      const audience = audienceOf(asked.reads, asking.asker, about.url)
      // The rules have changed: whoever comes back, follows another list. Or only this person has.
      if (audience !== about.audience)
        return isOtherStanding(audience, about.audience)
          ? this.#refuse(asking.socket, 'renew')
          : this.#endAll('renew')
      await this.#noteReads(asked.reads, about)
      return this.#publish(asked.answer)
    }
    const { refused, code } = asked
    if (refused === 'now') this.#fail()
    else if (refused === 'follower') this.#refuse(asking.socket, code)
    else this.#endAll(code)
  }

  /** Ends the stream of the follower that has asked, and asks as another one. */
  #refuse(socket: WebSocket, code: string): void {
    this.#end(socket, code)
    this.#isStale = true
  }

  async #noteReads(reads: ListReads, about: About): Promise<void> {
    const { kv } = this.#ctx.storage
    const tables = [...reads.tables].sort()
    kv.put('clock', readsClock(reads, about.url))
    if (JSON.stringify(kv.get('tables')) === JSON.stringify(tables)) return
    kv.put('tables', tables)
    await this.#register(about)
  }

  /** Sends the difference to those who have the list, and the list to the others. */
  #publish(answer: ListAnswer): void {
    const change = this.#memory.take(answer)
    this.#last = answer
    for (const { socket, isServed } of this.#followers())
      if (!isServed) this.#serve(socket)
      else if (change && change !== 'first') this.#send(socket, change.event, change.data)
    if (answer.text.length > answerKeptMax) this.#last = undefined
    if (change === 'first') this.#ctx.waitUntil(pause(settlingMs).then(() => this.#wake()))
  }

  /** Sends a new follower the list, or what has changed since the last event that it has had. */
  #serve(socket: WebSocket): void {
    const attached = socket.deserializeAttachment() as Attached
    socket.serializeAttachment({ ...attached, isServed: true } satisfies Attached)
    const missed = this.#memory.missedSince(attached.lastId)
    if (missed) for (const { event, data, number } of missed) this.#send(socket, event, data, number)
    else this.#send(socket, 'list', this.#last?.text ?? '{}')
    this.#send(socket, 'ready', JSON.stringify({ key: this.#last?.key ?? [] }))
  }

  #send(socket: WebSocket, event: string, data: string, number = this.#memory.number): void {
    try {
      socket.send(JSON.stringify({ event, id: this.#memory.idOf(number), data }))
    } catch {
      // The follower has gone, and its socket will be closed.
    }
  }

  #endAll(code: string): void {
    for (const { socket } of this.#followers()) this.#end(socket, code)
  }

  #end(socket: WebSocket, code: string): void {
    this.#send(socket, 'end', JSON.stringify({ code }))
    socket.close(1000, code)
  }

  *#followers(): Generator<Attached & { socket: WebSocket }> {
    for (const socket of this.#ctx.getWebSockets())
      if (socket.readyState === WebSocket.OPEN)
        yield { socket, ...(socket.deserializeAttachment() as Attached) }
  }

  /** Ends the streams of those who may no longer follow. */
  async #endRefused(): Promise<void> {
    const about = this.#about
    if (!about) return
    const refused = await refusedFollowers(this.#context.config, about, [...this.#followers()])
    for (const { follower, code } of refused) this.#end(follower.socket, code)
  }

  /** Forgets the list, because nobody follows it. */
  async #forget(): Promise<void> {
    const about = this.#about
    this.#memory.clear()
    this.#last = undefined
    this.#isStale = true
    await this.#ctx.storage.deleteAlarm()
    await this.#ctx.storage.deleteAll()
    if (!about) return
    await feedAt(this.#context, about.site.uuid).leave(this.#nameOf(about))
    // Somebody may have begun to follow it meanwhile.
    if (this.#about) await this.#register(this.#about)
  }

  /** Returns false if the site, or who follows the list first, has too many lists. */
  #register(about: About, owner: string | null = null): Promise<boolean> {
    const tables = this.#ctx.storage.kv.get<readonly string[]>('tables') ?? null
    return feedAt(this.#context, about.site.uuid).register(this.#nameOf(about), tables, owner)
  }
}
