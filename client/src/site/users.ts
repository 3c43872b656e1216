/** The accounts that a manager can reach. docs/guide/organizations-and-sites.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

export interface Account {
  id: number
  username: string
  email: string
  first_name: string
  last_name: string
  is_active: boolean
  is_superuser: boolean
  [member: string]: unknown
}

/** An account to create. */
export interface NewUser {
  username: string
  email: string
  password: string
  first_name?: string | undefined
  last_name?: string | undefined
}

/** The members of an account that can be changed. A new password ends its sessions and revokes its tokens. */
export type UserChanges = Partial<Omit<NewUser, 'username'>> & { is_active?: boolean | undefined }

const path = '/api/users/'
const one = (username: string) => `${path}${encodeURIComponent(username)}/`

/** Creates the calls for accounts, for callers who manage them. */
export const userCalls = (transport: Transport) => ({
  list: ({
    isActive,
    ...options
  }: ItemOptions & { isActive?: boolean | undefined } = {}): Promise<Items<Account>> =>
    readItems(transport, path, options, { is_active: isActive }),
  get: (username: string, { signal }: CallOptions = {}): Promise<Account> =>
    transport.json({ path: one(username), signal }),
  create: (input: NewUser, { signal }: CallOptions = {}): Promise<Account> =>
    transport.json({ method: 'POST', path, body: input, signal }),
  update: (username: string, changes: UserChanges, { signal }: CallOptions = {}): Promise<Account> =>
    transport.json({ method: 'PATCH', path: one(username), body: changes, signal }),
  delete: (username: string, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: one(username), signal }),
})
