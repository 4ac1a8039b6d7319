import { declareProofs } from './declare-proofs.ts'

await declareProofs(2, 4)
