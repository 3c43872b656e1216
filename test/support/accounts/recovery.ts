/** Nobody is locked out: whoever reads an address gets its account, whatever has happened. I6, S7. */
import { confirmBegun } from './credential-events.ts'
import { acceptAs, inviteBy } from './invitation-events.ts'
import { signIn } from './sign-ins.ts'
import { accountAt, opened } from './state.ts'
import { fail, type Label, labels, readers, type World } from './world.ts'

/** By the letter of an invitation. From then on nothing that anybody had before opens the account. */
async function byLetter(world: World, address: Label): Promise<void> {
  const sent = await inviteBy(world, world.owners.harbour, { org: 'harbour', address, rights: [] })
  if (!sent) return fail(world, `${address} could not be invited`)
  await acceptAs(world, sent, { who: readers[address], how: 'with the code', code: sent.codes.at(-1) })
  const account = accountAt(world.state, address)
  if (!account?.secured || account.state !== 'active') fail(world, `${address} did not get the account back`)
  const open = world.tokens.filter(({ bearer }) => opened(world.state, bearer) === account)
  if (open.length > 0 || account.keys.length > 0) fail(world, `what others had of ${address} is open still`)
}

/** By a provider that tells the truth, and the letter that follows where the account is tied to others. */
async function byProvider(world: World, address: Label): Promise<void> {
  // Whoever manages the account may have switched it off.
  if (accountAt(world.state, address)?.state === 'off') return
  const [tokens, begun] = [world.tokens.length, world.confirmations.length]
  await signIn(world, { holder: readers[address], org: 'harbour', subject: address, address, verified: true })
  const asked = world.confirmations[begun]
  if (asked) await confirmBegun(world, asked, { org: 'harbour', code: asked.code })
  const account = accountAt(world.state, address)
  const token = world.tokens.at(-1)
  if (world.tokens.length === tokens || !token || opened(world.state, token.bearer) !== account)
    fail(world, `${address} is locked out`)
}

/** `byLetters`: whose comes by a letter, which takes longer; the others' by a provider. */
export async function recoverAll(world: World, byLetters: readonly Label[]): Promise<void> {
  for (const label of labels) await (byLetters.includes(label) ? byLetter : byProvider)(world, label)
}
