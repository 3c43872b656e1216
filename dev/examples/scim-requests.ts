/** The requests of a directory, for the examples of the reference. */
import type { Recorder } from './recorder.ts'

/** Connects a directory to the demo's organization, and manages a user and a group through it. */
export async function askScim({ ask }: Recorder, signedIn: string): Promise<void> {
  const { id: key, key: token } = await ask('createScimKey', { token: signedIn, body: { name: 'Okta' } })
  await ask('getScimConfig', { token })
  await ask('listScimResourceTypes', { token })
  await ask('getScimResourceType', { token, values: { resource_type: 'User' } })
  await ask('listScimSchemas', { token })
  await ask('getScimSchema', { token, values: { schema: 'urn:ietf:params:scim:schemas:core:2.0:Group' } })

  const emails = [{ value: 'ida@example.org', type: 'work', primary: true }]
  const ida = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ida@example.org',
    externalId: '00u1a2b3c4',
    name: { givenName: 'Ida', familyName: 'Dahl' },
    emails,
    active: true,
  }
  const { id: account } = await ask('createScimUser', { token, body: ida })
  await ask('listScimUsers', { token, query: '?filter=userName%20eq%20%22ida@example.org%22' })
  await ask('getScimUser', { token, values: { account } })
  await ask('replaceScimUser', { token, values: { account }, body: { ...ida, displayName: 'Ida D.' } })
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  const deactivation = { schemas, Operations: [{ op: 'replace', path: 'active', value: false }] }
  await ask('updateScimUser', { token, values: { account }, body: deactivation })

  const staff = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Night shift' }
  const { id: group } = await ask('createScimGroup', { token, body: { ...staff, members: [] } })
  const members = [{ value: account }]
  const joining = { schemas, Operations: [{ op: 'add', path: 'members', value: members }] }
  await ask('updateScimGroup', { token, values: { group }, body: joining })
  await ask('listScimGroups', { token, query: '?filter=displayName%20eq%20%22Night%20shift%22' })
  await ask('getScimGroup', { token, values: { group } })
  await ask('replaceScimGroup', { token, values: { group }, body: { ...staff, members } })
  await ask('deleteScimGroup', { token, values: { group } })
  await ask('deleteScimUser', { token, values: { account } })
  await ask('listScimKeys', { token: signedIn })
  await ask('deleteScimKey', { token: signedIn, values: { key } })
}
