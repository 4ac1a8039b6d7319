import { proveFolder } from './prove-folder.ts'

await proveFolder('client/robustness')
