/** Asks for a list as one of its followers may. */
import type { Asker, ListReads, RequestContext } from '../../kernel/context.ts'
import type { Env } from '../../kernel/env.ts'
import { codeHeader } from '../../kernel/errors.ts'
import type { AnswerRequest } from '../../kernel/http/app-env.ts'
import { watchContext } from '../../kernel/http/beside-requests.ts'
import { type ListAnswer, readAnswer } from './answer.ts'
import { tableOf } from './list.ts'

/** Why there is no list: nobody gets it, not this follower, or not now. */
type Refusal = 'nobody' | 'follower' | 'now'

/** What asking for a list has brought. */
type Asked = { answer: ListAnswer; reads: ListReads; siteId: number } | { refused: Refusal; code: string }

/** The application, and where it runs. */
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
  if (!response.ok)
    return { refused: refusalOf(response), code: response.headers.get(codeHeader) ?? 'internal' }
  const siteId = seen?.entered?.siteId
  if (!found || siteId === undefined) return { refused: 'nobody', code: 'not_supported' }
  if (text.length > answerMax) return { refused: 'nobody', code: 'answer_too_large' }
  return { answer: readAnswer(text, found.keyOf(tableOf(url))), reads: found, siteId }
}

function refusalOf({ status }: Response): Refusal {
  if (status === 401 || status === 403) return 'follower'
  return status === 429 || status >= 500 ? 'now' : 'nobody'
}
