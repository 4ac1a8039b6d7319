// Driver for the client of @modelcontextprotocol/sdk 1.x.   npm install @modelcontextprotocol/sdk@1
// mcp-conformance --client "node sdk1.mjs" (HTTP: the URL is appended; stdio: from MCP_CONFORMANCE_SERVER_COMMAND)
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

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
  if (settings.tasks) {
    declared.tasks = {
      list: {},
      cancel: {},
      requests: {
        ...(settings.sampling && { sampling: { createMessage: {} } }),
        ...(elicitation && { elicitation: { create: {} } }),
      },
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

function answerSampling({ params }) {
  const { answer, error, throws } = settings.sampling;
  if (throws) throw new Error(throws);
  if (error) throw new McpError(error.code, error.message, error.data);
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

// A request that is sent as a task gets its task at once; the answer is stored when it is there.
// How long the model or the user takes is a setting.
const asTaskOrNot = (answer) => async (request, extra) => {
  const { delayMs } = settings[request.method === 'sampling/createMessage' ? 'sampling' : 'elicitation'];
  if (!request.params.task || !extra.taskStore) {
    if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return answer(request);
  }
  const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 100 });
  setTimeout(async () => {
    try {
      const result = answer(request);
      // The SDK fills the defaults into direct answers only.
      if (result.content && request.params.requestedSchema) {
        result.content = { ...defaults(request.params.requestedSchema), ...result.content };
      }
      await extra.taskStore.storeTaskResult(task.taskId, 'completed', result);
    } catch (error) {
      // A failed task can't keep a JSON-RPC error in the SDK's store. Nothing to do if it was cancelled meanwhile.
      await extra.taskStore.updateTaskStatus(task.taskId, 'failed', error.message).catch(() => {});
    }
  }, delayMs ?? 50);
  return { task };
};

async function connect() {
  const mine = new Client(
    { name: 'sdk1-driver', version: '1.0.0' },
    { capabilities: capabilities(), ...(settings.tasks && { taskStore: new InMemoryTaskStore() }) },
  );
  if (settings.roots) mine.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  if (settings.sampling) mine.setRequestHandler(CreateMessageRequestSchema, asTaskOrNot(answerSampling));
  if (settings.elicitation) {
    mine.setRequestHandler(ElicitRequestSchema, asTaskOrNot(answerElicitation));
    mine.setNotificationHandler(ElicitationCompleteNotificationSchema, () => {});
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

// The SDK lists one page for one call.
async function everyPage(list, key, params) {
  const items = [];
  const seen = new Set();
  let cursor = params?.cursor;
  do {
    const page = await list(cursor === undefined ? params : { ...params, cursor });
    items.push(...page[key]);
    cursor = page.nextCursor;
    if (seen.has(cursor)) throw new Error('the server goes round in circles: a cursor came twice');
    seen.add(cursor);
  } while (cursor !== undefined);
  return items;
}

// The wish for a task: whether it is one is left to the SDK, which knows what the server and the listed tool allow.
async function callAsTask(params, { task: _wish, ...options }) {
  if (listedTools.length === 0) await client.listTools();
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, options)) {
    if (message.type === 'error') throw message.error;
    if (message.type === 'result') return message.result;
  }
  throw new Error('the task ended without a result');
}

async function request(method, params, options) {
  const tasks = client.experimental.tasks;
  switch (method) {
    case 'ping':
      return client.ping(options);
    case 'tools/list':
      listedTools = await everyPage((p) => client.listTools(p, options), 'tools', params);
      return listedTools;
    case 'tools/call':
      if (options.task) return callAsTask(params, options);
      return client.callTool(params, undefined, options);
    case 'prompts/list':
      return everyPage((p) => client.listPrompts(p, options), 'prompts', params);
    case 'prompts/get':
      return client.getPrompt(params, options);
    case 'resources/list':
      return everyPage((p) => client.listResources(p, options), 'resources', params);
    case 'resources/templates/list':
      return everyPage((p) => client.listResourceTemplates(p, options), 'resourceTemplates', params);
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
    case 'tasks/list':
      return everyPage((p) => tasks.listTasks(p?.cursor, options), 'tasks', params);
    case 'tasks/get':
      return tasks.getTask(params.taskId, options);
    case 'tasks/result':
      return tasks.getTaskResult(params.taskId, CallToolResultSchema, options);
    case 'tasks/cancel':
      return tasks.cancelTask(params.taskId, options);
    default:
      return client.request({ method, ...(params && { params }) }, ResultSchema, options);
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
    await request(step.request, params, options);
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
    // Other codes than numbers are names of the library or of Node.
    const code = Number.isInteger(error.code) ? error.code : undefined;
    Object.assign(report, { outcome: 'error', code, message: error.message });
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
