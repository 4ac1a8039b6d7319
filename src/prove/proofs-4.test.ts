import { declareProofs } from './declare-proofs.ts'

await declareProofs(4, 4)
