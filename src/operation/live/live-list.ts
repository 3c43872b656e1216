/** The Durable Object of a followed list, as Cloudflare calls it. The first call loads what it does. */
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../kernel/env.ts'
import type { AnswerRequest } from '../../kernel/http/app-env.ts'
import type { FollowedList } from './followed-list.ts'

/** Each method is that of FollowedList. */
export abstract class LiveListObject extends DurableObject<Env> {
  /** The application. */
  protected abstract readonly answer: AnswerRequest
  #loading: Promise<FollowedList> | undefined

  override async fetch(request: Request): Promise<Response> {
    return (await this.#loaded()).fetch(request)
  }

  async tell(paceMs: number): Promise<boolean> {
    return (await this.#loaded()).tell(paceMs)
  }

  async recheck(): Promise<boolean> {
    return (await this.#loaded()).recheck()
  }

  override async alarm(): Promise<void> {
    await (await this.#loaded()).alarm()
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    await (await this.#loaded()).close(socket)
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket)
  }

  #loaded(): Promise<FollowedList> {
    this.#loading ??= import('./followed-list.ts').then(
      ({ FollowedList: List }) => new List(this.ctx, this.env, this.answer),
    )
    return this.#loading
  }
}
