/** The Worker of MongoDB: passes each question to the object that holds the client of its datasource. */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Failed, MongodbService, Question } from '../../src/data/providers/mongodb/wire.ts'
import type { MongodbClient } from './client-object.ts'

export { MongodbClient } from './client-object.ts'

interface Bindings {
  CLIENTS: DurableObjectNamespace<MongodbClient>
}

export default class extends WorkerEntrypoint<Bindings> implements MongodbService {
  async answer(object: string, near: string | null, question: Question) {
    const hint = near === null ? {} : { locationHint: near as DurableObjectLocationHint }
    try {
      return await this.env.CLIENTS.get(this.env.CLIENTS.idFromName(object), hint).answer(question)
    } catch {
      return { failed: 'unreachable', reason: 'The connection to the server was lost.' } satisfies Failed
    }
  }

  override async fetch(): Promise<Response> {
    return new Response(null, { status: 404 })
  }
}
