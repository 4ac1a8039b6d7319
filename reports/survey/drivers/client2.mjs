// Driver for @modelcontextprotocol/client 2.x.   npm install @modelcontextprotocol/client@2
// mcp-conformance --client "node client2.mjs" (HTTP: the URL is appended; stdio: from MCP_CONFORMANCE_SERVER_COMMAND)
import {
  Client,
  fromJsonSchema,
  ProtocolError,
  StreamableHTTPClientTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

// What a full host declares, for the scenarios that come without settings.
const fullHost = {
  roots: [{ uri: 'file:///project', name: 'project' }],
  sampling: { tools: true },
  elicitation: { action: 'accept', url: true },
};
const official = {
  initialize: [{ request: 'tools/list' }],
  tools_call: [
    { request: 'tools/list' },
    { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
  ],
  'elicitation-sep1034-client-defaults': [
    { request: 'tools/call', params: { name: 'test_client_elicitation_defaults', arguments: {} } },
  ],
  'sse-retry': [
    { request: 'tools/list' },
    { request: 'tools/call', params: { name: 'test_reconnection', arguments: {} } },
  ],
  'json-schema-2020-12-preservation': [
    { request: 'tools/list' },
    {
      request: 'tools/call',
      params: (tools) => {
        const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
        return { name: 'json_schema_echo', arguments: { schema } };
      },
    },
  ],
};

const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const serverCommand = process.env.MCP_CONFORMANCE_SERVER_COMMAND;
const steps = context.steps ?? official[scenario];
const settings = context.steps ? (context.client ?? {}) : fullHost;
if (!steps) process.exit(127);

let roots = settings.roots;
let client;
let transport;
let lost = false; // the connection ended without our doing
let listedTools = [];
const meanwhile = [];
let failed = false;

function capabilities() {
  const declared = {};
  if (settings.roots) declared.roots = { listChanged: true };
  if (settings.sampling) declared.sampling = settings.sampling.tools ? { tools: {} } : {};
  const elicitation = settings.elicitation;
  if (elicitation?.declare === 'empty') declared.elicitation = {};
  else if (elicitation) {
    declared.elicitation = {
      ...(elicitation.form !== false && { form: { applyDefaults: true } }),
      ...(elicitation.url && { url: {} }),
    };
  }
  return declared;
}

// The SDK has the hints validated; choosing a model by them is the host's part.
function chooseModel(preferences) {
  const models = settings.sampling.models ?? ['model-of-the-driver'];
  for (const hint of preferences?.hints ?? []) {
    const found = hint.name !== undefined && models.find((model) => model.includes(hint.name));
    if (found) return found;
  }
  return models[0];
}

async function answerSampling({ params }) {
  const { answer, error, throws } = settings.sampling;
  if (settings.sampling.delayMs) await new Promise((resolve) => setTimeout(resolve, settings.sampling.delayMs));
  if (throws) throw new Error(throws);
  if (error) throw new ProtocolError(error.code, error.message, error.data);
  const text = { type: 'text', text: 'The answer of the model.' };
  return { role: 'assistant', content: text, model: chooseModel(params.modelPreferences), stopReason: 'endTurn', ...answer };
}

function defaults(schema) {
  const fields = Object.entries(schema.properties).filter(([, field]) => 'default' in field);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

function answerElicitation({ params }) {
  const { action, content } = settings.elicitation;
  if (action !== 'accept' || params.mode === 'url') return { action };
  if (content) return { action, content };
  // With `form.applyDefaults` the SDK fills the defaults in; without it this is left to the host's form.
  if (settings.elicitation.declare !== 'empty') return { action, content: {} };
  return { action, content: defaults(params.requestedSchema) };
}

// The SDK offers its newest version with a handshake, unless it is told which ones to use.
function versions() {
  const tested = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
  if (tested >= '2026') return { versionNegotiation: { mode: 'auto' } };
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(tested)) return {};
  return { supportedProtocolVersions: [tested, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== tested)] };
}

async function connect() {
  // Tasks of 2025-11-25 are no part of this SDK: the setting `tasks` is not declared.
  const mine = new Client({ name: 'client2-driver', version: '1.0.0' }, { capabilities: capabilities(), ...versions() });
  if (settings.roots) mine.setRequestHandler('roots/list', () => ({ roots }));
  if (settings.sampling) mine.setRequestHandler('sampling/createMessage', answerSampling);
  if (settings.elicitation) {
    mine.setRequestHandler('elicitation/create', answerElicitation);
    mine.setNotificationHandler('notifications/elicitation/complete', () => {});
  }
  mine.onerror = (error) => console.error(`onerror: ${error.message.slice(0, 200)}`);
  mine.onclose = () => {
    if (client === mine) lost = true;
  };
  if (serverCommand) {
    const [command, ...args] = JSON.parse(serverCommand);
    transport = new StdioClientTransport({ command, args });
  } else {
    transport = new StreamableHTTPClientTransport(new URL(process.argv.at(-1)));
  }
  lost = false;
  client = mine;
  await mine.connect(transport);
}

async function close() {
  const closing = client;
  client = undefined;
  // Ending the session is left to the host; a server that doesn't answer may not hold us.
  const patience = new Promise((resolve) => setTimeout(resolve, 5000).unref());
  const ended = transport.terminateSession?.().catch((error) => console.error(`terminateSession: ${error.message}`));
  await Promise.race([ended, patience]);
  await closing?.close();
}

async function request(method, params, options) {
  if (options.task || method.startsWith('tasks/')) return 'unsupported';
  switch (method) {
    case 'ping':
      return client.ping(options);
    case 'tools/list':
      // The SDK's lists go over all pages.
      listedTools = (await client.listTools(params, options)).tools;
      return listedTools;
    case 'tools/call':
      return client.callTool(params, options);
    case 'prompts/list':
      return client.listPrompts(params, options);
    case 'prompts/get':
      return client.getPrompt(params, options);
    case 'resources/list':
      return client.listResources(params, options);
    case 'resources/templates/list':
      return client.listResourceTemplates(params, options);
    case 'resources/read':
      return client.readResource(params, options);
    case 'resources/subscribe':
      return client.subscribeResource(params, options);
    case 'resources/unsubscribe':
      return client.unsubscribeResource(params, options);
    case 'completion/complete':
      return client.complete(params, options);
    case 'logging/setLevel':
      return client.setLoggingLevel(params.level, options);
    default:
      return client.request({ method, ...(params && { params }) }, fromJsonSchema({ type: 'object' }), options);
  }
}

async function perform(step) {
  if (step.pause !== undefined) return new Promise((resolve) => setTimeout(resolve, step.pause));
  if (step.reconnect) {
    await Promise.all(meanwhile);
    await close();
    return connect();
  }
  if (step.setRoots) {
    roots = step.setRoots;
    return client.sendRootsListChanged();
  }
  if (step.notify) return client.notification({ method: step.notify, ...(step.params && { params: step.params }) });
  if (!step.request) return 'unsupported';

  const options = {};
  if (step.timeoutMs !== undefined) options.timeout = step.timeoutMs;
  if (step.progress) options.onprogress = () => {};
  if (step.task) options.task = step.task;
  let timer;
  if (step.cancelAfterMs !== undefined) {
    const user = new AbortController();
    options.signal = user.signal;
    timer = setTimeout(() => user.abort('the user cancelled'), step.cancelAfterMs);
  }
  const params = typeof step.params === 'function' ? step.params(listedTools) : step.params;
  try {
    return await request(step.request, params, options);
  } finally {
    clearTimeout(timer);
  }
}

async function run(step, index) {
  const report = { step: index };
  try {
    report.outcome = (await perform(step)) === 'unsupported' ? 'unsupported' : 'result';
  } catch (error) {
    failed = true;
    // The SDK's own errors have names for codes.
    const code = Number.isInteger(error.code) ? error.code : undefined;
    const message = code === undefined && error.code ? `${error.code}: ${error.message}` : error.message;
    Object.assign(report, { outcome: 'error', code, message });
  }
  console.log(JSON.stringify(report));
}

try {
  await connect();
  for (const [index, step] of steps.entries()) {
    if (lost && step.pause === undefined && !step.reconnect) {
      client = undefined;
      await connect();
    }
    const done = run(step, index);
    if (step.meanwhile) meanwhile.push(done);
    else await done;
  }
  await Promise.all(meanwhile);
  await close();
  process.exit(failed && !context.steps ? 1 : 0);
} catch (error) {
  console.error(error);
  if (transport) await close().catch(() => {});
  process.exit(1);
}
