import { proveFolder } from './prove-folder.ts'

await proveFolder('server/versioning')
