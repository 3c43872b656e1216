/** Opens the client of a datasource. */
import './checked-sockets.ts'
import { MongoClient, type MongoClientOptions } from 'mongodb'
import type { Connection } from '../../src/data/providers/mongodb/wire.ts'
import { lookupFor } from './checked-sockets.ts'

/** How long a command may take on its way to the server and back. */
const commandMs = 20_000

const options = {
  appName: 'Tessera',
  maxPoolSize: 16,
  maxIdleTimeMS: 60_000,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 8_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: commandMs,
  heartbeatFrequencyMS: 30_000,
  retryWrites: true,
  retryReads: true,
  ignoreUndefined: false,
  monitorCommands: false,
  // Integers keep all digits, and every value its type.
  useBigInt64: true,
  promoteValues: true,
  promoteLongs: true,
} satisfies MongoClientOptions

/** A connected client, and what its server can do. */
export interface OpenClient {
  client: MongoClient
  hasTransactions: boolean
  /** The indexes of notes are made, or being made. Omitted: not yet. */
  notes?: Promise<unknown>
}

/** Connects. Throws the error of the driver. */
export async function openClient(connection: Connection): Promise<OpenClient> {
  const lookup = lookupFor(connection)
  // The driver passes `lookup` on to its sockets; its types leave it out.
  const client = new MongoClient(connection.url, {
    ...options,
    ...(lookup && { lookup }),
  } as MongoClientOptions)
  try {
    await client.connect()
    const hello = await client.db('admin').command({ hello: 1 })
    const isSet = typeof hello.setName === 'string' || hello.msg === 'isdbgrid'
    return { client, hasTransactions: isSet && hello.logicalSessionTimeoutMinutes !== undefined }
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}
