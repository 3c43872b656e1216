/** A peer: a program that answers the questions, such as the service itself. */
import { Agent, request } from 'node:http'
import { type Amount, type Load, loadWith } from './load.ts'
import { type Input, inputOf, type QuestionName, type Size } from './questions.ts'

/** Rows in the same form for every peer. */
export interface Answer {
  rows: Row[]
  total?: number
}
export type Row = Record<string, unknown>

export interface Peer {
  name: string
  title: string
  /** The questions that it can answer. */
  questions: readonly QuestionName[]
  /** The physical table of its products. */
  products: string
  /** Asks a question with the nth input. */
  answer(question: QuestionName, n: number): Promise<Answer>
  /** Asks a question with the inputs from number `first` on, for some time. */
  load(question: QuestionName, first: number, amount: Amount): Promise<Load>
  /** The process of its server, with its descendants. */
  pid: number
  stop(): Promise<unknown>
}

/** A request to a server. */
interface Ask {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

interface HttpPeer {
  name: string
  title: string
  products: string
  pid: number
  stop(): Promise<unknown>
  url: URL
  headers: Record<string, string>
  asks: Partial<Record<QuestionName, (input: Input) => Ask>>
  /** Reads a body, and the headers with it. */
  read(question: QuestionName, body: unknown, headers: NodeJS.Dict<string | string[]>): Answer
  size: Size
}

/** Returns a peer that answers over HTTP, on connections that stay open. */
export function httpPeer({ url, headers, asks, read, size, stop, ...peer }: HttpPeer): Peer {
  const agent = new Agent({ keepAlive: true, maxSockets: 1024 })
  const askOf = (question: QuestionName, n: number): Ask => {
    const ask = asks[question]
    if (!ask) throw new Error(`${peer.name} cannot be asked ${question}`)
    return ask(inputOf(n, size))
  }
  const send = ({ method = 'GET', path, body, headers: more }: Ask, keep: boolean) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise<{ text: string; headers: NodeJS.Dict<string | string[]> }>((done, fail) => {
      const sent = request(
        {
          agent,
          hostname: url.hostname,
          port: url.port,
          path,
          method,
          headers: {
            ...headers,
            ...more,
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          const isWell = (response.statusCode ?? 500) < 300
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => {
            if (keep || !isWell) chunks.push(chunk)
          })
          response.on('error', fail)
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8')
            if (isWell) done({ text: answer, headers: response.headers })
            else
              fail(
                new Error(`${peer.name}: ${method} ${path}: ${response.statusCode} ${answer.slice(0, 500)}`),
              )
          })
        },
      )
      sent.on('error', fail)
      sent.end(text)
    })
  }
  return {
    ...peer,
    questions: Object.keys(asks) as QuestionName[],
    async answer(question, n) {
      const { text, headers } = await send(askOf(question, n), true)
      // The body of /healthz differs between peers, so it is not compared.
      return question === 'healthz' ? { rows: [] } : read(question, JSON.parse(text), headers)
    },
    load: (question, first, amount) => loadWith((n) => send(askOf(question, n), false), first, amount),
    async stop() {
      agent.destroy()
      await stop()
    },
  }
}
