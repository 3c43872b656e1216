/**
 * The remote interfaces of the Durable Objects of live lists. A LiveList asks for one list again and again,
 * for all who follow it; the LiveFeed of a site knows which lists read a table.
 */
import type { Env } from '../env.ts'

/** The remote interface of a LiveFeed. Tables are physical names; null: any table of the site. */
export interface RemoteFeed {
  /** Returns false if the site, or the owner, has too many lists. Null: nobody owns the list. */
  register(list: string, tables: readonly string[] | null, owner?: string | null): Promise<boolean>
  leave(list: string): Promise<void>
  tell(tables: readonly string[] | null): Promise<void>
  /** Says that the rights of a person have changed, whose feed it is. */
  recheck(): Promise<void>
}

/** The remote interface of a LiveList. Its `fetch` opens the WebSocket of a follower. */
export interface RemoteList {
  /**
   * Says that a table has changed. Returns false if nobody follows the list. `paceMs`: the shortest time
   * between two asks, because so many lists of the site are followed.
   */
  tell(paceMs: number): Promise<boolean>
  /** Says that a follower may have lost a right. Returns as `tell`. */
  recheck(): Promise<boolean>
  fetch(url: string, init: RequestInit): Promise<Response>
}

export const listAt = ({ env }: { env: Env }, name: string): RemoteList =>
  env.LIVE_LISTS.getByName(name) as unknown as RemoteList
