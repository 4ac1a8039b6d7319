/**
 * A judgement is a value: which claim, how it went, and for a fault its kind and its subject. Levels, verdicts and
 * sentences are made elsewhere; identity (requirement, kind, subject) is what baselines, proofs and findings compare.
 */
import type { Got } from '../peers/reply.ts'

/** holds: seen to be right. bends: wrong in a way that the clause lets pass. breaks: wrong. n/a: does not apply here. */
export type Outcome = 'holds' | 'bends' | 'breaks' | 'n/a'

/** The closed vocabulary of what can be wrong. */
export const KINDS = {
  missing: 'something that has to be there is not',
  'wrong-type': 'a value has another JSON type or shape than it should',
  'wrong-value': 'a value has the right type and says the wrong thing',
  'wrong-code': 'an error has another code than the clause names',
  'wrong-status': 'an HTTP answer has another status than the clause allows',
  'wrong-order': 'it came in front of, or behind, what it has to follow',
  malformed: 'what was sent cannot be read as what it should be',
  accepted: 'what had to be refused was accepted',
  refused: 'what had to be accepted was refused',
  ignored: 'what was said had no effect',
  silent: 'no answer came, or nothing of what had to come',
  late: 'it came after the time that the clause gives',
  died: 'the process or the connection ended',
  stuck: 'it lives on and answers nothing any more',
  unasked: 'something was sent that nobody asked for, or that must not be sent at that time',
  duplicate: 'something came twice, or two things that must differ are the same',
  leaked: 'something reached somebody whom it does not belong to',
  lost: 'something that was sent or kept is gone',
} as const

export type Kind = keyof typeof KINDS

/** What is wrong beyond the claim itself. */
export interface Fault {
  kind?: Kind
  /** The tool, method, header or place that it is about: a name or a role, the same in every run; never an id, port or session. */
  subject?: string
}

export interface Judgement<C extends string> {
  claim: C
  outcome: Outcome
  /** what the suite says is wrong, where more than the answer itself tells it */
  fault: Fault
  /** what the clause asks for at this place, in a few words */
  expected: string
  got: Got
}

/** A precondition failed: the claims not judged so far stay untested, for this reason. */
export interface Unmet<C extends string = string> {
  unmet: string
  /** the claims that it keeps from being judged; all of them where it is absent */
  claims?: C[]
}

export type Yielded<C extends string> = Judgement<C> | Unmet<C>

/**
 * `judge('code', reply.kind === 'error', 'error -32601', reply, 'wrong-code')`; true is holds, false is breaks. The kind
 * says what is wrong with what came; where nothing came, that is the kind (see `kindOf`). `{ kind, subject }` names the
 * tool, method, header or place as well.
 */
export const judge = <C extends string>(
  claim: C,
  outcome: boolean | Outcome,
  expected: string,
  got: Got,
  fault: Kind | Fault = {},
): Judgement<C> => ({
  claim,
  outcome: outcome === true ? 'holds' : outcome === false ? 'breaks' : outcome,
  fault: typeof fault === 'string' ? { kind: fault } : fault,
  expected,
  got,
})

/** None of the claims applies here: what they are about need not be there, and is not. */
export const inapplicable = <C extends string>(claims: readonly C[], expected: string, got: Got): Judgement<C>[] =>
  claims.map(claim => judge(claim, 'n/a', expected, got))

/** `unmet('no tool may be called', 'handled')`; without claims it holds for all that are not judged yet. */
export const unmet = <C extends string = never>(reason: string, ...claims: C[]): Unmet<C> => ({
  unmet: reason,
  ...(claims.length === 0 ? {} : { claims }),
})
