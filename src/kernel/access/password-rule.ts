/** The rule for new passwords, at every endpoint. A5. */
import * as z from 'zod'

const rules: [pattern: RegExp, message: string][] = [
  [/^.{8,}$/su, 'A password must have at least 8 characters.'],
  [/^.{0,1024}$/su, 'A password must have at most 1024 characters.'],
  [/\p{Lu}/u, 'A password must have an upper-case letter.'],
  [/\p{Ll}/u, 'A password must have a lower-case letter.'],
  [/\p{Nd}/u, 'A password must have a digit.'],
]

/** A new password. Reports every rule that it breaks. */
export const newPassword = z.string().superRefine((password, refinement) => {
  for (const [pattern, message] of rules)
    if (!pattern.test(password)) refinement.addIssue({ code: 'custom', message })
})
