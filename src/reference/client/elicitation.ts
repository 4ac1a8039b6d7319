/** The user of the client, whom a server may ask: by a form, or to open a page (client/elicitation). The user is set up. */
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { contentProblem, fillIn } from './forms.ts'
import { type Answer, refusal } from './reply.ts'
import type { ElicitationSettings } from './settings.ts'

export type Mode = 'form' | 'url'

/** How the client asks its user, as values that can be replaced. */
export interface ElicitationRules {
  /** The mode of a request. */
  modeOf(params: JsonObject): Json
  /** The modes that are served, by what was declared. */
  modes(capability: Json | undefined, version: string): readonly Mode[]
  /** The answer in a mode that is not served. */
  otherMode(mode: Json): Answer
  /** Why a URL is not shown to the user at all. */
  urlProblem(url: string): string | undefined
  /** What the user sees before any consent. */
  shows(url: string, message: string): string
  /** The entries of a form that the user accepts. */
  fills(schema: JsonObject, entered: JsonObject | undefined): JsonObject
  contentProblem(schema: JsonObject, content: JsonObject): string | undefined
  /** What becomes of entries that do not fit. */
  withProblem: 'cancel' | 'send'
  /** The result. */
  says(action: string, mode: Mode, content: JsonObject): JsonObject
  /** Which of the interactions that are under way is ended by a notification. */
  ends(elicitationId: Json | undefined, waiting: readonly string[]): string | undefined
  /** The interactions that an error demands, to be shown to the user. */
  demanded(data: Json | undefined): JsonObject[]
  /** How long the end of those is waited for, so that the request can be sent again. */
  completionWaitMs: number
}

const COMPLETION_WAIT_MS = 2_000
/** From that revision on there are modes. */
const MODES_SINCE = '2025-11-25'

export const correctElicitation = (): ElicitationRules => ({
  modeOf: params => params.mode ?? 'form',
  modes: (capability, version) => {
    if (!isObject(capability)) return []
    if (version < MODES_SINCE) return ['form']
    const url = isObject(capability.url)
    // Nothing said means forms.
    const form = isObject(capability.form) || !url
    return [...(form ? (['form'] as const) : []), ...(url ? (['url'] as const) : [])]
  },
  otherMode: mode => refusal(codes.invalidParams, `the mode ${String(mode)} is not declared`),
  urlProblem: url => {
    if (!URL.canParse(url)) return 'the url is none'
    return ['http:', 'https:'].includes(new URL(url).protocol) ? undefined : 'only http and https are opened'
  },
  shows: (url, message) => `${message}\nThe server wants to open a page of ${new URL(url).host}: ${url}`,
  fills: fillIn,
  contentProblem,
  withProblem: 'cancel',
  // Consent to a page is all that there is to say: what is entered there passes the client by.
  says: (action, mode, content) => (action === 'accept' && mode === 'form' ? { action, content } : { action }),
  ends: (elicitationId, waiting) => waiting.find(id => id === elicitationId),
  demanded: data => {
    const listed = at(data, 'elicitations')
    return (Array.isArray(listed) ? listed : []).filter(
      (one): one is JsonObject =>
        isObject(one) && one.mode === 'url' && typeof one.elicitationId === 'string' && typeof one.url === 'string',
    )
  },
  completionWaitMs: COMPLETION_WAIT_MS,
})

/** How the client reaches its user. */
export interface UserInterface {
  rules: ElicitationRules
  settings: ElicitationSettings
  /** The user reads that. */
  show(text: string): void
  /** A decision about a page was taken; see `FetchRules`. */
  about(url: string, occasion: 'shown' | 'accepted' | 'refused'): void
  /** From now on the end of that interaction is of interest. */
  await(elicitationId: string): void
}

/** Serves elicitation/create. */
export function elicit(
  ui: UserInterface,
  params: JsonObject,
  surroundings: { capability: Json | undefined; version: string; requestProblem: string | undefined },
): Answer {
  const { rules } = ui
  const mode = rules.modeOf(params)
  const served = rules.modes(surroundings.capability, surroundings.version).find(one => one === mode)
  if (served === undefined) return rules.otherMode(mode)
  if (surroundings.requestProblem !== undefined) return refusal(codes.invalidParams, surroundings.requestProblem)
  return served === 'url' ? askForPage(ui, params) : askByForm(ui, params)
}

function askByForm({ rules, settings, show }: UserInterface, params: JsonObject): Answer {
  const { action, content: entered } = settings
  show(textAt(params, 'message') ?? '')
  if (action !== 'accept') return { result: rules.says(action, 'form', {}) }
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : {}
  const content = rules.fills(schema, entered)
  const problem = rules.contentProblem(schema, content)
  // What cannot be sent leaves the user no choice but to close the form.
  const closes = problem !== undefined && rules.withProblem === 'cancel'
  return { result: rules.says(closes ? 'cancel' : 'accept', 'form', content) }
}

function askForPage(ui: UserInterface, params: JsonObject): Answer {
  const { rules, settings } = ui
  const url = textAt(params, 'url') ?? ''
  const problem = rules.urlProblem(url)
  if (problem !== undefined) return refusal(codes.invalidParams, problem)
  return { result: rules.says(consent(ui, params, url) ? 'accept' : settings.action, 'url', {}) }
}

/** Shows the page to the user, and asks whether it may be opened. */
function consent(ui: UserInterface, params: JsonObject, url: string): boolean {
  const { rules, settings } = ui
  ui.show(rules.shows(url, textAt(params, 'message') ?? ''))
  ui.about(url, 'shown')
  const given = settings.action === 'accept'
  ui.about(url, given ? 'accepted' : 'refused')
  if (given) ui.await(textAt(params, 'elicitationId') ?? '')
  return given
}

/** Shows the pages that an error demands; the ids of those that the user agreed to. */
export function consentToDemanded(ui: UserInterface, data: Json | undefined): string[] {
  return ui.rules.demanded(data).flatMap(one => {
    const url = textAt(one, 'url') ?? ''
    const usable = ui.rules.urlProblem(url) === undefined
    return usable && consent(ui, one, url) ? [textAt(one, 'elicitationId') ?? ''] : []
  })
}
