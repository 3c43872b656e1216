/**
 * The object that holds the client of a datasource. Its name changes with the connection, so it has one
 * in its life. It closes the client after a minute without a question, so that it can sleep.
 */
import { DurableObject } from 'cloudflare:workers'
import {
  type Answers,
  type Ask,
  type Failed,
  type Question,
  wireVersion,
} from '../../src/data/providers/mongodb/wire.ts'
import { answerTo } from './answer.ts'
import { failureOf, inVersion } from './failures.ts'
import { type OpenClient, openClient } from './open-client.ts'

/** How long a client without questions stays open. */
const idleMs = 60_000
/** How many questions may be asked at a time, and how many may wait for their turn. */
const askedMax = 32
const waitingMax = 256
/** How long a question may take in all, the connection included. The driver has no such limit. */
const questionMs = 20_000
/** After so many failed connections, questions are refused for a while without another attempt. */
const failuresMax = 3
const pauseMs = 5_000

/** Questions of the release before are answered, too. */
const versionsKnown = [wireVersion - 1, wireVersion]

const notConnected = refused('not connected', 'The object has no connection yet.')
const otherVersion = refused('other version', 'The other Worker is being replaced.')
const tooBusy = refused('too busy', 'Too many requests wait for the server.')
const tooSlow: Failed = { failed: 'too slow', reason: 'The server did not end in time.' }
/** Nobody knows whether the server will still do it, so that the client may ask again. */
const unknown: Failed = { failed: 'unreachable', reason: 'The server did not end the write in time.' }

function refused(failed: Failed['failed'], reason: string): Failed {
  return { failed, reason, isUnwritten: true }
}

export class MongodbClient extends DurableObject {
  #open: Promise<OpenClient> | undefined
  #asked = 0
  #waiting: (() => void)[] = []
  #closing: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #pausedUntil = 0
  #lastFailure: Failed = notConnected

  /** Answers a question. Never rejects because of the server. */
  async answer(question: Question): Promise<Answers[Ask['ask']] | Failed> {
    if (!versionsKnown.includes(question.version)) return otherVersion
    if (!this.#open && !question.connection) return notConnected
    if (Date.now() < this.#pausedUntil) return this.#lastFailure
    if (this.#waiting.length >= waitingMax) return tooBusy
    clearTimeout(this.#closing)
    await this.#turn()
    let timer: ReturnType<typeof setTimeout> | undefined
    const isWrite = 'write' in question
    const late = new Promise<Failed>((give) => {
      timer = setTimeout(() => give(isWrite ? unknown : tooSlow), questionMs)
    })
    try {
      return await Promise.race([this.#ask(question), late])
    } catch (error) {
      return inVersion(question.version, failureOf(error, isWrite))
    } finally {
      clearTimeout(timer)
      this.#asked--
      this.#waiting.shift()?.()
      if (this.#asked === 0) this.#closing = setTimeout(() => this.#close(), idleMs)
    }
  }

  /** Waits for the turn of a question. */
  async #turn(): Promise<void> {
    if (this.#asked >= askedMax) await new Promise<void>((go) => this.#waiting.push(go))
    this.#asked++
  }

  async #ask(question: Question) {
    const open = await this.#connected(question)
    return 'failed' in open ? open : answerTo(open, question)
  }

  async #connected({ connection }: Question): Promise<OpenClient | Failed> {
    if (!this.#open && connection) this.#open = openClient(connection)
    if (!this.#open) return notConnected
    try {
      const open = await this.#open
      this.#failures = 0
      return open
    } catch (error) {
      this.#open = undefined
      this.#lastFailure = { ...failureOf(error, false), isUnwritten: true }
      if (++this.#failures >= failuresMax) this.#pausedUntil = Date.now() + pauseMs
      return this.#lastFailure
    }
  }

  async #close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await (await open?.catch(() => undefined))?.client.close()
  }
}
