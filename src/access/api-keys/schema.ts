import { z } from 'zod'

export const apiKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  expires_at: z.iso
    .datetime({ offset: true, error: 'A date and time with its offset is required, as 2027-01-31T18:30:00Z.' })
    .refine((moment) => !(Date.parse(moment) <= Date.now()), 'This moment has passed.')
    .nullable()
    .default(null),
})
export type ApiKeyInput = z.infer<typeof apiKeyInput>
