/**
 * Measures the cost of access rules: lists of a guest on a million records, compared with the same lists of a
 * manager who uses filters; and edges of a guest, compared with those of a member. The answers must be equal.
 * Then measures the same lists with policies in PostgREST.
 */
import { signIn } from '../dev/client.ts'
import { compareEdges, prepareEdges } from './access/edges.ts'
import { compareLists, prepareLists } from './access/lists.ts'
import { comparePolicies } from './access/policies.ts'
import { withStack } from './stack.ts'

const password = 'Quiet-river-58'

await withStack(async (stack) => {
  await stack.client.request('POST', '/api/users/', {
    username: 'guest',
    email: 'guest@example.com',
    password,
  })
  const guest = await signIn(stack.url.href, 'guest', password)
  const { id } = await guest.request<{ id: number }>('GET', '/api/users/me/')
  await prepareLists(stack, id)
  await prepareEdges(stack, id)
  await stack.sql.query('vacuum analyze')
  await compareLists(stack, guest, id)
  await compareEdges(stack, guest, id)
  if (`${process.platform}-${process.arch}` === 'linux-x64') await comparePolicies(stack, id)
  else console.log('no policies: npm has PostgREST for Linux on x64 alone')
})
