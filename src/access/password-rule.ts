/** What a password has to be that is set through any endpoint. A5. */
import { z } from 'zod'

const rules: [pattern: RegExp, message: string][] = [
  [/^.{8,}$/su, 'A password has at least 8 characters.'],
  [/^.{0,1024}$/su, 'A password has at most 1024 characters.'],
  [/\p{Lu}/u, 'A password has an upper-case letter.'],
  [/\p{Ll}/u, 'A password has a lower-case letter.'],
  [/\p{Nd}/u, 'A password has a digit.'],
]

export const newPassword = z.string().superRefine((password, refinement) => {
  for (const [pattern, message] of rules) if (!pattern.test(password)) refinement.addIssue({ code: 'custom', message })
})
