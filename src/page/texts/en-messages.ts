/** The messages of the API that pages tell in plainer words. Others stay as they are. */
import { messagesFrom } from './messages.ts'

const messages = new Map([
  ['Authentication credentials were not provided.', 'You are not signed in.'],
  ['The credentials are invalid or have expired.', 'Your sign-in has ended.'],
])

/** Returns a message of the API in the words of the pages. */
export const englishMessage = messagesFrom(messages, [
  [
    /^Request was throttled\. Expected available in (\d+) seconds\.$/,
    'There were too many attempts. Try again in $1 seconds.',
  ],
])
