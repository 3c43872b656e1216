/** The messages of the API for which pages have a simpler text. Others stay unchanged. */
import { messagesFrom } from './messages.ts'

const messages = new Map([
  ['Authentication credentials were not provided.', 'You are not signed in.'],
  ['The credentials are invalid or have expired.', 'Your sign-in has ended.'],
])

/** Returns the text of pages for a message of the API. */
export const englishMessage = messagesFrom(messages, [
  [
    /^Request was throttled\. Expected available in (\d+) seconds\.$/,
    'There were too many attempts. Try again in $1 seconds.',
  ],
])
