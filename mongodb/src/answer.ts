/** The kinds of questions: one row each. */
import type { Db, Document } from 'mongodb'
import type { Checked } from '../../src/data/providers/mongodb/collection-forms.ts'
import type { Answers, Ask, Question } from '../../src/data/providers/mongodb/wire.ts'
import { adopt, collectionsOf, sampleOf } from './adopted.ts'
import { alter, tidy } from './alter.ts'
import { drop, make, rename } from './collections.ts'
import { danglingIn } from './dangling.ts'
import { groups } from './group.ts'
import { readLimit } from './limits.ts'
import { list } from './list.ts'
import type { OpenClient } from './open-client.ts'
import { create, remove, update, upsert } from './write.ts'
import { forgetNotes, readNotes } from './write-notes.ts'

type Asked<Kind extends Ask['ask']> = Extract<Question, { ask: Kind }>

type Kinds = {
  [Kind in Ask['ask']]: (open: OpenClient, db: Db, asked: Asked<Kind>) => Promise<unknown>
}

const kinds: Kinds = {
  check: (open, db) => check(open, db),
  make,
  alter: (_open, db, asked) => alter(db, asked),
  tidy: (_open, db, asked) => tidy(db, asked),
  rename: (_open, db, asked) => rename(db, asked),
  drop: (_open, db, asked) => drop(db, asked),
  collections: (_open, db) => collectionsOf(db),
  sample: (_open, db, asked) => sampleOf(db, asked),
  adopt,
  dangling: async (_open, db, { keys }) => ({ keys: await danglingIn(db, keys) }),
  list: (_open, db, { collection, page }) => list(db.collection(collection.name), collection, page),
  async one(_open, db, { collection, page }) {
    const { data, etag } = await list(db.collection(collection.name), collection, page)
    return { data: data.slice(1, -1), etag: etag ?? '' }
  },
  groups: (_open, db, asked) => groups(db.collection(asked.collection.name), asked.groups),
  create,
  update,
  upsert,
  delete: remove,
  notes: (open, db, asked) => readNotes(open, db, asked, asked.bytesMax),
  forget: (_open, db, asked) => forgetNotes(db, asked, asked.ids),
}

/** Answers a question. Throws as the driver does, and a Refusal. */
export function answerTo(open: OpenClient, question: Question): Promise<Answers[Ask['ask']]> {
  const kind = kinds[question.ask] as (
    open: OpenClient,
    db: Db,
    asked: Question,
  ) => Promise<Answers[Ask['ask']]>
  return kind(open, open.client.db(question.database), question)
}

/** The actions on the database without which a table cannot be made, read and written. */
const actions = [
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'createIndex',
  'dropCollection',
  'collMod',
]

interface Privilege {
  resource: { db?: string; collection?: string; anyResource?: boolean }
  actions: string[]
}

/** Says what the server is and may be asked for. */
async function check({ hasTransactions }: OpenClient, db: Db): Promise<Checked> {
  const began = Date.now()
  const status: Document = await db.command({ connectionStatus: 1, showPrivileges: true, ...readLimit })
  const milliseconds = Date.now() - began
  const { version } = await db.command({ buildInfo: 1, ...readLimit })
  const { authenticatedUsers: users = [], authenticatedUserPrivileges: privileges = [] } =
    status.authInfo ?? {}
  const isHere = ({ resource }: Privilege) =>
    resource.anyResource === true ||
    ((resource.db === '' || resource.db === db.databaseName) && resource.collection === '')
  const own = new Set((privileges as Privilege[]).filter(isHere).flatMap((privilege) => privilege.actions))
  // A server without access control gives everybody every right.
  const missing =
    users.length === 0 ? [] : actions.filter((action) => !own.has(action) && !own.has('anyAction'))
  return { server: `MongoDB ${version}`, transactions: hasTransactions, missing, milliseconds }
}
