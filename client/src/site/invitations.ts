/** Invitations of an organization. docs/guide/invitations.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'
import { organizationPath } from './organizations.ts'

/** The groups, permissions and roles of an invited person. */
export interface InvitationConfig {
  group?: readonly string[] | undefined
  site?: readonly {
    slug: string
    permissions?: readonly string[] | undefined
    roles?: readonly string[] | undefined
  }[]
}

export interface Invitation {
  uuid: string
  organization_name: string
  invitee_identifier: string
  config: InvitationConfig
  [member: string]: unknown
}

/** The data for accepting an invitation. */
export interface Acceptance {
  password: string
  first_name?: string | undefined
  last_name?: string | undefined
  /** The code in the link of the e-mail, if the account already exists. */
  code?: string | undefined
}

/** Creates the calls of an organization's invitations. */
export function invitationCalls(transport: Transport, organization: string) {
  const path = `${organizationPath(organization)}invitations/`
  return {
    list: (options?: ItemOptions): Promise<Items<Invitation>> => readItems(transport, path, options),
    get: (uuid: string, { signal }: CallOptions = {}): Promise<Invitation> =>
      transport.json({ path: `${path}${encodeURIComponent(uuid)}/`, signal }),
    /** Invites an address. The service sends the e-mail. */
    create: (email: string, config: InvitationConfig, { signal }: CallOptions = {}): Promise<Invitation> =>
      transport.json({
        method: 'POST',
        path,
        body: { invitee_identifier: email, invitation_config: config },
        signal,
      }),
    /** Sends the newest pending invitation of an account again. */
    resend: (invitee: number, { signal }: CallOptions = {}): Promise<void> =>
      transport.json({ method: 'POST', path: `${path}${encodeURIComponent(invitee)}/resend/`, signal }),
    cancel: (uuid: string, { signal }: CallOptions = {}): Promise<void> =>
      transport.json({ method: 'DELETE', path: `${path}${encodeURIComponent(uuid)}/`, signal }),
  }
}

/** Creates the calls for an invited person, who needs no credentials. */
export function acceptanceCalls(transport: Transport) {
  const path = (uuid: string) => `/api/cloud/invitations/${encodeURIComponent(uuid)}/`
  return {
    details: (uuid: string, { signal }: CallOptions = {}): Promise<Invitation> =>
      transport.json({ path: `${path(uuid)}details/`, signal }),
    accept: (uuid: string, body: Acceptance, { signal }: CallOptions = {}): Promise<{ message: string }> =>
      transport.json({ method: 'POST', path: `${path(uuid)}accept/`, body, signal }),
  }
}
