import { declareProofs } from './declare-proofs.ts'

await declareProofs(3, 4)
