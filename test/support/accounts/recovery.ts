/** Nobody is locked out: the reader of an address can always get its account. I6, S7. */
import { confirmBegun } from './credential-events.ts'
import { acceptAs, inviteBy } from './invitation-events.ts'
import { signIn } from './sign-ins.ts'
import { accountAt, opened } from './state.ts'
import { fail, type Label, labels, readers, type World } from './world.ts'

/** Recovers an account with the e-mail of an invitation. Older credentials do not work from then on. */
async function byLetter(world: World, address: Label): Promise<void> {
  const sent = await inviteBy(world, world.owners.harbour, { org: 'harbour', address, rights: [] })
  if (!sent) return fail(world, `${address} could not be invited`)
  await acceptAs(world, sent, { who: readers[address], how: 'with the code', code: sent.codes.at(-1) })
  const account = accountAt(world.state, address)
  if (!account?.secured || account.state !== 'active') fail(world, `${address} did not get the account back`)
  const open = world.tokens.filter(({ bearer }) => opened(world.state, bearer) === account)
  if (open.length > 0 || account.keys.length > 0) fail(world, `what others had of ${address} is open still`)
}

/**
 * Recovers an account with an honest provider, and with an e-mail if the account is tied to other
 * organizations.
 */
async function byProvider(world: World, address: Label): Promise<void> {
  // A manager of the account may have deactivated it.
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

/**
 * Recovers all accounts: those in `byLetters` with an e-mail, which is slower, and the others with a
 * provider.
 */
export async function recoverAll(world: World, byLetters: readonly Label[]): Promise<void> {
  for (const label of labels) await (byLetters.includes(label) ? byLetter : byProvider)(world, label)
}
