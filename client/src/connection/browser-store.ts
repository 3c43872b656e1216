/** Keeps the tokens of a sign-in in a browser, for all tabs of an origin. */
import type { TokenStore, Tokens } from './token-store.ts'

const table = 'tokens'
const key = 'current'

/**
 * Keeps tokens in the IndexedDB of the page's origin. Tabs with the same name share them, and one of them
 * renews them for all. With `localStorage`, a tab would see the writes of other tabs with a delay, and could
 * use a refresh token again, which ends the sign-in. Transactions of IndexedDB see all earlier writes.
 */
export function browserStore(name = 'tessera'): TokenStore {
  let database: Promise<Database> | undefined

  function opened(): Promise<Database> {
    database ??= open(name, () => {
      database = undefined
    })
    return database
  }

  async function transact<Value>(mode: Mode, work: (rows: Rows) => Request<Value>): Promise<Value> {
    const transaction = (await opened()).transaction(table, mode)
    const request = work(transaction.objectStore(table))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  }

  return {
    shared: name,
    read: async () => (await transact<Tokens | undefined>('readonly', (rows) => rows.get(key))) ?? null,
    async write(tokens) {
      await transact('readwrite', (rows) => (tokens === null ? rows.delete(key) : rows.put(tokens, key)))
    },
  }
}

/**
 * Opens a database, and creates it if it does not exist. `forget` is called when it can no longer be used.
 */
function open(name: string, forget: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    const request = (globalThis as unknown as { indexedDB: Factory }).indexedDB.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    request.onerror = () => {
      forget()
      reject(request.error)
    }
    request.onsuccess = () => {
      const { result } = request
      // Called when the user has deleted the data of the page.
      result.onclose = forget
      result.onversionchange = () => {
        result.close()
        forget()
      }
      resolve(result)
    }
  })
}

/**
 * The parts of IndexedDB that this file uses. Programs outside a browser compile the client without its
 * types.
 */
interface Factory {
  open(name: string): Request<Database> & { onupgradeneeded: (() => void) | null }
}
interface Request<Value> {
  result: Value
  error: unknown
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}
type Mode = 'readonly' | 'readwrite'
interface Database {
  createObjectStore(name: string): unknown
  transaction(table: string, mode: Mode): Transaction
  close(): void
  onclose: (() => void) | null
  onversionchange: (() => void) | null
}
interface Transaction {
  objectStore(name: string): Rows
  error: unknown
  oncomplete: (() => void) | null
  onabort: (() => void) | null
}
interface Rows {
  get(key: string): Request<Tokens | undefined>
  put(tokens: Tokens, key: string): Request<unknown>
  delete(key: string): Request<unknown>
}
