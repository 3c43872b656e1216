/** Asks for a list as one of its followers may. */

import type { RequestContext } from '../../kernel/context.ts'
import type { Env } from '../../kernel/env.ts'
import { codeHeader } from '../../kernel/errors.ts'
import type { AnswerRequest } from '../../kernel/http/app-env.ts'
import { watchContext } from '../../kernel/http/beside-requests.ts'
import type { Asker, ListReads } from '../../kernel/live/asked.ts'
import { type ListAnswer, readAnswer } from './answer.ts'
import { tableOf } from './list.ts'

/** What asking for a list has brought. */
export type Asked =
  | { answer: ListAnswer; reads: ListReads; siteId: number }
  /** `code`: why there is no list. */
  | { status: number; code: string }

export interface Asking {
  fetch: AnswerRequest
  env: Env
  execution: ExecutionContext
}

/** The longest answer that followers get, in characters. */
const answerMax = 1_048_576

/** Asks for a list. */
export async function askFor(url: string, asker: Asker, { fetch, env, execution }: Asking): Promise<Asked> {
  let found: ListReads | undefined
  let seen: RequestContext | undefined
  const request = new Request(url, { headers: { accept: 'application/json' } })
  watchContext(request, (ctx) => {
    seen = ctx
    ctx.asks = asker
    ctx.follows = {
      reads(reads) {
        found = reads
      },
    }
  })
  const response = await fetch(request, env, execution)
  const text = await response.text()
  if (response.status !== 200)
    return { status: response.status, code: response.headers.get(codeHeader) ?? 'internal' }
  const siteId = seen?.entered?.siteId
  if (!found || siteId === undefined) return { status: 422, code: 'not_followable' }
  if (text.length > answerMax) return { status: 422, code: 'answer_too_large' }
  return { answer: readAnswer(text, found.keyOf(tableOf(url))), reads: found, siteId }
}
