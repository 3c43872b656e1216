/**
 * Tells the tests in workerd where the server is, and runs commands on it for them, because the driver
 * needs more of Node than they have.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { BSON, type ClientSession, MongoClient } from 'mongodb'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The connection string of the server: of MONGODB_URL, or of the one that dev/mongodb.ts has started.
     */
    mongodbUrl: string
    /**
     * Runs `{database, command}` of a body, and answers in Extended JSON. With `held`, the command is in the
     * transaction of this name, which `{ends}` commits.
     */
    mongodbShell: string
  }
}

export default async function setup(project: TestProject) {
  const url = process.env.MONGODB_URL ?? ''
  const client = new MongoClient(url)
  const sessions = new Map<string, ClientSession>()
  const shell = createServer(async (request, response) => {
    const { database, command, held, ends } = BSON.EJSON.parse(await text(request), { relaxed: false })
    const session = sessions.get(held ?? ends) ?? (held && client.startSession())
    if (ends) {
      await session?.commitTransaction()
      await session?.endSession()
      return response.end('{}')
    }
    if (session && !session.inTransaction()) session.startTransaction()
    if (session) sessions.set(held, session)
    const answer = await client
      .db(database)
      .command(command, session ? { session } : {})
      .then((found) => BSON.EJSON.stringify(found))
      .catch((error: Error) => JSON.stringify({ error: error.message }))
    response.end(answer)
  })
  await new Promise<void>((listening) => shell.listen(0, '127.0.0.1', listening))
  project.provide('mongodbUrl', url)
  project.provide('mongodbShell', `http://127.0.0.1:${(shell.address() as AddressInfo).port}/`)
  return async () => {
    shell.close()
    await client.close()
  }
}
