/** `npx tessera` inside the repository. docs/guide/cli.md. */
import '../cli/src/tessera.ts'
