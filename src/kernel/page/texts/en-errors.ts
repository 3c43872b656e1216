/** The errors for which pages have a simpler text than the API. */
import { errorTextFrom } from './messages.ts'

/** Returns the text of pages for an error; undefined if it is that of the API. */
export const englishError = errorTextFrom({
  not_authenticated: 'You are not signed in.',
  invalid_credentials: 'Your sign-in has ended.',
  rate_limited: 'There were too many attempts. Try again in {n} seconds.',
})
