/** Plain SQL as a peer: the statements of the floor, without HTTP. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Stack } from '../stack.ts'
import { peersSchema } from './data.ts'
import type { Load } from './load.ts'
import type { Answer, Peer, Row } from './peer.ts'
import type { QuestionName, Size } from './questions.ts'
import type { RawTask } from './raw-process.ts'
import { type Statement, statements } from './statements.ts'

type Unnumbered<Task> = Task extends unknown ? Omit<Task, 'id'> : never
type Reply = { id: number; result: unknown } | { id: number; error: string }

export async function startRaw(stack: Stack, size: Size): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'raw-process.ts'), {
    env: { ...process.env, DATABASE_URL: stack.superuserUrl, SIZE: JSON.stringify(size) },
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let last = 0
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply))
  child.on('exit', () => {
    for (const [id, settle] of waiting) settle({ id, error: 'the process of plain SQL has ended' })
  })
  function ask<Result>(task: Unnumbered<RawTask>): Promise<Result> {
    const id = ++last
    return new Promise((done, fail) => {
      waiting.set(id, (reply) => {
        waiting.delete(id)
        if ('error' in reply) fail(new Error(`raw: ${task.question}: ${reply.error}`))
        else done(reply.result as Result)
      })
      child.send({ id, ...task })
    })
  }
  return {
    name: 'raw',
    title: 'SQL by `pg`',
    questions: Object.keys(statements) as Statement[],
    products: `${peersSchema}.products`,
    pid: child.pid as number,
    async answer(question, n) {
      return answerOf(statementFor(question), await ask<Row[]>({ question: statementFor(question), n }))
    },
    load: (question, first, amount) => ask<Load>({ question: statementFor(question), first, amount }),
    async stop() {
      child.disconnect()
    },
  }
}

function statementFor(question: QuestionName): Statement {
  if (question === 'healthz') throw new Error('raw cannot be asked healthz')
  return question
}

function answerOf(question: Statement, rows: Row[]): Answer {
  if (question === 'descendants') return { rows: rows.slice(1) }
  if (question !== 'list-total' && question !== 'groups') return { rows }
  return { rows: rows.map(({ total: _, ...row }) => row), total: Number(rows[0]?.total ?? 0) }
}
