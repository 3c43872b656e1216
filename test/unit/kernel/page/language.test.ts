/**
 * The language of pages follows the browser, and every message of the API that they show has a translation.
 */
import { describe, expect, it } from 'vitest'
import * as factorErrors from '../../../../src/identity/accounts/factors/errors.ts'
import * as passwordErrors from '../../../../src/identity/accounts/password/errors.ts'
import * as signUpErrors from '../../../../src/identity/accounts/sign-up/errors.ts'
import { gone, reasons } from '../../../../src/identity/invitations/errors.ts'
import { responseRefused } from '../../../../src/identity/login/assertions/errors.ts'
import { providerUnusable } from '../../../../src/identity/login/exchange/errors.ts'
import { SamlProblem, samlProblemNames } from '../../../../src/identity/login/saml/problems.ts'
import * as socialErrors from '../../../../src/identity/login/social/errors.ts'
import { email, personName } from '../../../../src/identity/users/schema.ts'
import { newPassword } from '../../../../src/kernel/access/password-rule.ts'
import {
  type AppError,
  forbidden,
  invalidCredentials,
  signInFailed,
  unauthenticated,
  unavailable,
} from '../../../../src/kernel/errors.ts'
import { languageFor } from '../../../../src/kernel/page/language.ts'
import { de } from '../../../../src/kernel/page/texts/de.ts'

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['fr, ja;q=0.5', 'en'],
    ['en-GB, de;q=0.9', 'en'],
    ['de;q=0', 'en'],
    ['de;q=x', 'en'],
    ['fr, de;q=0.4, en;q=0.3', 'de'],
    ['en;q=0.3, de-AT;q=0.8', 'de'],
    ['DE', 'de'],
    [`${'x,'.repeat(2000)}de`, 'en'],
  ])('for Accept-Language %j is %s', (header, language) => {
    expect(languageFor(header)).toBe(language)
  })
})

/** The errors whose texts from the API appear on pages. */
const errors: readonly AppError[] = [
  ...[unauthenticated(), invalidCredentials(), forbidden(), signInFailed(), unavailable()],
  ...[socialErrors.attemptUnknown(), socialErrors.cancelled(), socialErrors.confirmationGone()],
  ...[socialErrors.noEmail(), providerUnusable()],
  ...samlProblemNames.map((name) => responseRefused(new SamlProblem(name))),
  ...Object.values(socialErrors.errorsByOutcome).map((error) => error()),
  ...[passwordErrors.invalidLink(), factorErrors.challengeGone(), factorErrors.blocked(30)],
  ...[signUpErrors.signUpClosed(), signUpErrors.addressNotTaken(), signUpErrors.otherPassword()],
]
const invitationErrors = Object.keys(reasons).map((state) => gone(state as keyof typeof reasons))

const messages = [
  ...[newPassword.safeParse(''), newPassword.safeParse('x'.repeat(2000)), email.safeParse('x')].flatMap(
    ({ error }) => error?.issues.map(({ message }) => message) ?? [],
  ),
  ...(personName.safeParse('\u0007').error?.issues.map(({ message }) => message) ?? []),
]

describe('errors of the API on pages', () => {
  it.each([...errors, ...invitationErrors])('have a German text of their own: $message', (error) => {
    expect(de.errorText(error)).toMatch(/^[A-ZÄÖÜ][^{}]+\.$/)
  })

  it('have different German texts for different causes', () => {
    const texts = [...errors, ...invitationErrors].map(de.errorText)
    // An inactive account and a missing permission are also outcomes of a sign-in by a provider.
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([
      de.errorText(signInFailed()),
      de.errorText(forbidden()),
    ])
  })

  it('have the number in the text of the API', () => {
    expect(de.errorText(factorErrors.blocked(30))).toContain('In 30 Sekunden')
  })

  it('have no German text for a cause that no page shows', () => {
    expect(de.errorText(factorErrors.notBegun())).toBe(undefined)
  })
})

describe('messages of fields on pages', () => {
  it.each([...new Set(messages)])('%j has a German translation', (message) => {
    expect(de.message(message)).not.toBe(message)
  })

  it('an unknown message stays as it is', () => {
    expect(de.message('Something new.')).toBe('Something new.')
  })
})
