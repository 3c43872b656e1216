import { z } from 'zod'

export const appInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(2000).default(''),
})
export type AppInput = z.infer<typeof appInput>
